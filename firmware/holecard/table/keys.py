"""Four buttons: levels in, gestures out.

A press is two low samples at least 1 ms apart with no high one between; a key re-arms after 20 ms of stable high.
A key that is low at the very first sample is stuck: reported once and ignored until it has been released.
Of presses that come together, the one that stakes least counts and the others are ignored until released; a finger that
rolls onto the next key later than that is a press of its own.
"""

from holecard.table.ticks import diff

BET = 1
HIT = 2
STAND = 4
DOUBLE = 8
NAMES = ("BET", "HIT", "STAND", "DOUBLE")
# The sensors, each in the place of the key it stands for.
SENSORS = ("", "TAP", "WAVE", "")

# What `feed` answers: one nibble of key bits per kind of gesture. An int, because the idle loop must not allocate.
PRESS = 0
HOLD = 4
RELEASE = 8
REPEAT = 12
LONG = 16
STUCK = 20

PRESS_US = 1_000
REARM_US = 20_000
# Contacts of two keys that a hand presses together close within a few milliseconds of each other.
CHORD_US = 5_000
HOLD_US = 600_000
REPEAT_US = 120_000
LONG_REPEATS = 10

_PRIORITY = (STAND, HIT, DOUBLE, BET)
_INDEX = (2, 1, 3, 0)

_IDLE = 0
_LOW = 1  # first low sample seen
_BOUNCE = 2  # low, then high again, not yet confirmed
_READY = 3  # confirmed, waits for a rival that is still bouncing
_DOWN = 4
_OPENING = 5  # high, not yet long enough to be a release
_IGNORED = 6
_IGNORED_OPENING = 7


class Keys:
    """Debounces the four keys and tells presses, holds, repeats and releases apart.

    quiet   True if no key has done anything lately, so that nobody waits for the next sample; not before the first one
    stuck   mask of the keys that were low from the start and have not been released since
    """

    def __init__(self) -> None:
        self._started = False
        self._state = [_IDLE] * 4
        self._since = [0] * 4
        self._repeats = [0] * 4
        self._ready_at = 0
        self.quiet = False
        self.stuck = 0

    @property
    def busy(self) -> bool:
        """True while a press is undecided: bouncing, down but not yet held, or not yet released for sure."""
        if self.quiet:
            return False
        for i in range(4):
            state = self._state[i]
            if _LOW <= state <= _READY or state == _OPENING or (state == _DOWN and not self._repeats[i]):
                return True
        return False

    def feed(self, mask: int, now: int) -> int:
        """Takes one sample (bits of the keys that read low) at `now` (us) and returns the gestures in it.

        Bit `kind + index` of the result stands for one gesture, e.g. `(result >> HOLD) & STAND`.
        """
        if self.quiet and not mask:
            return 0
        return self._look(mask, now) if self._started else self._first(mask, now)

    def _look(self, mask: int, now: int) -> int:
        found = 0
        ready = 0
        bouncing = False
        self.quiet = True
        for i in range(4):
            found |= self._sample(i, mask & (1 << i), now)
            state = self._state[i]
            if state == _READY:
                ready |= 1 << i
            elif state in (_LOW, _BOUNCE):
                bouncing = True
            if state != _IDLE:
                self.quiet = False
        if ready and not (bouncing and diff(now, self._ready_at) < CHORD_US):
            found |= self._elect(ready, now)
        return found

    def _first(self, mask: int, now: int) -> int:
        self._started = True
        self.quiet = True
        for i in range(4):
            if mask & (1 << i):
                self._state[i] = _IGNORED
                self.quiet = False
        self.stuck = mask
        return mask << STUCK

    def _sample(self, i: int, low: int, now: int) -> int:
        state = self._state[i]
        if state == _IDLE:
            if low:
                self._enter(i, _LOW, now)
        elif state == _LOW:
            if not low:
                self._enter(i, _BOUNCE, now)
            elif diff(now, self._since[i]) >= PRESS_US:
                if _READY not in self._state:
                    self._ready_at = now
                self._enter(i, _READY, now)
        elif state == _BOUNCE:
            if low:
                self._enter(i, _LOW, now)
            elif diff(now, self._since[i]) >= CHORD_US:
                self._state[i] = _IDLE
        elif state == _DOWN:
            if not low:
                self._enter(i, _OPENING, now)
                return 0
            return self._held(i, now)
        elif state == _OPENING:
            if low:
                # A bounce: the hold goes on, but its clock starts anew, so that it never fires on a key let go.
                self._enter(i, _DOWN, now)
            elif diff(now, self._since[i]) >= REARM_US:
                self._state[i] = _IDLE
                return 1 << (RELEASE + i)
        elif state == _IGNORED:
            if not low:
                self._enter(i, _IGNORED_OPENING, now)
        elif state == _IGNORED_OPENING:
            if low:
                self._state[i] = _IGNORED
            elif diff(now, self._since[i]) >= REARM_US:
                self._state[i] = _IDLE
                self.stuck &= ~(1 << i)
        return 0

    def _enter(self, i: int, state: int, now: int) -> None:
        self._state[i] = state
        self._since[i] = now

    def _held(self, i: int, now: int) -> int:
        repeats = self._repeats[i]
        if diff(now, self._since[i]) < (REPEAT_US if repeats else HOLD_US):
            return 0
        self._since[i] = now
        self._repeats[i] = repeats + 1 if repeats <= LONG_REPEATS else repeats
        if not repeats:
            return 1 << (HOLD + i)
        return 1 << (REPEAT + i) | (1 << (LONG + i) if repeats == LONG_REPEATS else 0)

    def _elect(self, ready: int, now: int) -> int:
        winner = 0
        for k in range(4):
            i = _INDEX[k]
            if not ready & _PRIORITY[k]:
                continue
            if winner:
                self._state[i] = _IGNORED
            else:
                winner = _PRIORITY[k]
                self._enter(i, _DOWN, now)
                self._repeats[i] = 0
        return winner << PRESS
