"""Short sounds from a passive piezo, played in passing: nothing waits for a note to end."""

from holecard.table import ticks

# Notes as (hertz, milliseconds), 0 Hz is a pause. Short, because somebody stands beside it the whole evening.
SOUNDS = {
    "press": ((1800, 8),),
    "card": ((1200, 12),),
    "refused": ((220, 60), (0, 30), (220, 60)),
    "win": ((1047, 70), (1319, 70), (1568, 120)),
    "blackjack": ((1047, 60), (1319, 60), (1568, 60), (2093, 180)),
    "lose": ((392, 100), (311, 160)),
    "push": ((784, 60), (0, 40), (784, 60)),
}


class Piezo:
    """`tone(hertz)` begins a square wave, 0 ends it; None for a table without sound, which takes every order and stays
    silent. `now()` is the board's clock."""

    def __init__(self, tone, now):
        self._tone = tone
        self._now = now
        self._tune: tuple = ()
        self._next = 0
        self._end = 0

    def play(self, name: str):
        """Begin a sound; it takes the place of the one that plays. Raises ValueError for a name not in SOUNDS."""
        tune = SOUNDS.get(name)
        if tune is None:
            raise ValueError("no such sound: " + name)
        if self._tone is not None:
            self._tune = tune
            self._next = 0
            self._end = self._now()
            self.step()

    def step(self):
        """Go on to the next note when it is time for it."""
        if not self._tune or ticks.diff(self._now(), self._end) < 0:
            return
        if self._next == len(self._tune):
            self.stop()
            return
        note = self._tune[self._next]
        self._next += 1
        self._end = ticks.add(self._end, note[1] * 1000)
        self._tone(note[0])

    def stop(self):
        """Be silent at once."""
        if self._tune:
            self._tune = ()
            self._tone(0)
