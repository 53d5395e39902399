"""Short sounds from a passive piezo on a PWM pin, played in passing: nothing waits for a note to end."""

import time

import machine

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
_HALF = 32768  # duty of a square wave, of 65,535
_LOWEST_HZ = 220


class Piezo:
    """One piezo on a GPIO. Switched off (`on` False) it takes every order and stays silent."""

    def __init__(self, pin: int, on: bool):
        self._on = on
        self._tune: tuple = ()
        self._next = 0
        self._end = time.ticks_us()
        if on:
            self._pwm = machine.PWM(machine.Pin(pin))
            self._pwm.freq(_LOWEST_HZ)
            self._pwm.duty_u16(0)

    def play(self, name: str):
        """Begin a sound; it takes the place of the one that plays. Raises ValueError for a name not in SOUNDS."""
        tune = SOUNDS.get(name)
        if tune is None:
            raise ValueError("no such sound: " + name)
        if self._on:
            self._tune = tune
            self._next = 0
            self._end = time.ticks_us()
            self.step()

    def step(self):
        """Go on to the next note when it is time for it."""
        if not self._tune or time.ticks_diff(time.ticks_us(), self._end) < 0:
            return
        if self._next == len(self._tune):
            self.stop()
            return
        note = self._tune[self._next]
        self._next += 1
        self._end = time.ticks_add(self._end, note[1] * 1000)
        if note[0]:
            self._pwm.freq(note[0])
            self._pwm.duty_u16(_HALF)
        else:
            self._pwm.duty_u16(0)

    def stop(self):
        """Be silent at once."""
        if self._tune:
            self._tune = ()
            self._pwm.duty_u16(0)
