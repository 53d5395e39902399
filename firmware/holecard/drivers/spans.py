"""Where two pictures differ, in machine code: the one loop over bytes that a change of the screen needs.

`softspans` says the same for Pythons without MicroPython's viper emitter, and is the reference.
"""

import micropython


@micropython.viper
def first_difference(a: ptr8, b: ptr8, at: int, end: int) -> int:  # type: ignore[name-defined]  # noqa: F821
    """The first index from `at` up to `end` where the buffers differ, -1 if there is none."""
    while at < end:
        if a[at] != b[at]:
            return at
        at += 1
    return -1


@micropython.viper
def last_difference(a: ptr8, b: ptr8, at: int, end: int, gap: int) -> int:  # type: ignore[name-defined]  # noqa: F821
    """From `at`, where they differ, the last index before `end` reached across at most `gap` equal bytes at a time."""
    last = at
    while at < end and at - last <= gap:
        if a[at] != b[at]:
            last = at
        at += 1
    return last


@micropython.viper
def copy(target: ptr8, to: int, source: ptr8, at: int, count: int):  # type: ignore[name-defined]  # noqa: F821
    """`count` bytes of `source` from index `at` to index `to` of `target`; a slice would allocate."""
    while count:
        target[to] = source[at]
        to += 1
        at += 1
        count -= 1
