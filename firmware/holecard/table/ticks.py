"""Time: microseconds modulo 2^30, as the Pico's `ticks_us` counts them.

Only these two functions may do arithmetic on instants. Every intermediate value stays within 31 signed bits,
MicroPython's small integers on a 32-bit chip, so that comparing times allocates nothing.
"""

_HALF = 1 << 29


def add(instant: int, us: int) -> int:
    """The instant `us` microseconds later (or earlier, if negative); |us| < 2^29, about nine minutes."""
    moved = instant - _HALF + us
    if moved >= _HALF:
        return moved - _HALF
    if moved >= -_HALF:
        return moved + _HALF
    return moved + _HALF + _HALF + _HALF


def diff(later: int, earlier: int) -> int:
    """Signed microseconds from `earlier` to `later`, right while they are less than 2^29 apart."""
    gap = later - earlier
    if gap >= _HALF:
        return gap - _HALF - _HALF
    if gap < -_HALF:
        return gap + _HALF + _HALF
    return gap
