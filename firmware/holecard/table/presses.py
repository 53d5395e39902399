"""Gestures of the keys become verbs of the game.

A press is acknowledged first (its label inverts) and carried out by `commit`, once the panel has shown that. It only
counts while what the key means has not changed since; presses during a reveal or the dark moment after it are ignored.
"""

from holecard.rules.ruleset import Refused
from holecard.rules.visible import Visible
from holecard.table import keys, phases, telling
from holecard.table.game import RoundVoid
from holecard.table.idle import Idle

# After a press the shown hand stays for so long, so that a seat can be chosen and left.
FREEZE_SECONDS = 10
# What `dirty` is while nothing but the look of a key's label has changed: the answer to a press must not wait for more.
LABEL = 2
# Each kind of gesture of the key with index 0, but for stuck ones.
_OF_ONE_KEY = 1 << keys.PRESS | 1 << keys.HOLD | 1 << keys.RELEASE | 1 << keys.REPEAT | 1 << keys.LONG
# What tap and hand wave do, in the order of the keys they stand for.
_SENSES = ("", "hit", "stand", "")


class Unrevealed:
    """What stands for a `Reveal` while no round lies on the table."""

    shown: "Visible | None"

    def __init__(self) -> None:
        self.active = False
        self.shown = None
        self.seat = 0
        self.hand = 0


class Presses:
    """The part of `Front` that the fingers touch.

    meanings  what the keys mean now, from `phases`
    pressed, pressed_label   mask of the key whose press has been taken and that is still down, and its word
    verb      what waits for `commit`, "" if nothing does
    repeated  True if the verb in hand comes from a key that is held down
    page      the text page on top of the phase, "" if none, with its `lines`; `onward` is the word for what comes next
    menu      the operator's menu while it is open, None otherwise
    recalled  how many rounds ago the recalled one was, which of its pages is shown, of how many
    reveal, dark   why no key does anything: cards are being turned; the moment after that
    frozen    seconds for which the hands of a settled round do not take turns on the panel
    idle      what happens while nobody touches the table
    sound     the name of the sound that is due, "" if none; whoever plays it sets it to ""
    dirty     True until the scene has been drawn; LABEL if only `pressed` has changed since
    """

    def __init__(self, game, events) -> None:
        self.game = game
        self.dirty: int = True
        self.page = ""
        self.lines: list = []
        self.onward = ""
        self.menu = None
        self.recalled = (0, 0, 0)
        self.reveal = Unrevealed()
        self.dark = False
        self.frozen = 0
        self.idle = Idle()
        self.sound = ""
        self.meanings = phases.NOTHINGS
        self.pressed = 0
        self.pressed_label = ""
        self.verb = ""
        self.repeated = False
        self._events = events
        self._armed = 0
        self._repeating = ""
        self._holding = -1
        self._verbs: dict = {}

    @property
    def committing(self) -> bool:
        """True if a press has been acknowledged and waits for `commit`."""
        return bool(self.verb)

    @property
    def quiet(self) -> bool:
        """True while no key does anything."""
        return self.dark or self.reveal.active

    def gesture(self, found: int, now: int) -> None:
        """Takes what `Keys.feed` found."""
        stuck = found >> keys.STUCK & 15
        if stuck:
            names = tuple([keys.NAMES[i] for i in range(4) if stuck >> i & 1])
            self._events.put(now, telling.STUCK, names)
        for i in range(4):
            kinds = found >> i & _OF_ONE_KEY
            if kinds:
                self._finger(i, kinds, now)

    def _finger(self, i: int, kinds: int, now: int) -> None:
        """What key `i` did: bits as of `Keys.feed` for the key with index 0."""
        if kinds >> keys.RELEASE & 1:
            self._released(i)
        if kinds >> keys.PRESS & 1:
            self._press(i, now)
        if kinds >> keys.HOLD & 1:
            self._held(i)
        if kinds >> keys.REPEAT & 1 and self._repeating and self.meanings[i][1] == self._repeating:
            self.repeated = True
            self.verb = self.verb or self._repeating
        if kinds >> keys.LONG & 1 and self._holding == i and self.page == "hint":
            self._do("seats")

    def _press(self, i: int, now: int) -> None:
        unseen = self.idle.touch()
        self._repeating = ""
        self.repeated = False
        self._holding = -1
        label, verb, held, repeats = self.meanings[i]
        accepted = bool(label) and not (unseen or self.quiet or self.verb)
        self._events.put(now, telling.KEY, keys.NAMES[i], verb if accepted else "")
        if not accepted:
            return
        self._take(i, "" if held else verb)
        if held:
            self._armed = 1 << i
        elif repeats:
            self._repeating = verb

    def _take(self, i: int, verb: str) -> None:
        self.pressed = 1 << i
        self.pressed_label = self.meanings[i][0]
        self._armed = 0
        self.verb = verb
        self.sound = "press"
        self.dirty = self.dirty or LABEL

    def sensed(self, found: int, now: int) -> None:
        """Takes what `Keys.feed` found on the sensors. They act at once, and only while a hand is played: a wave that
        lasts asks for no hint, and nobody bets with a sleeve."""
        for i in (1, 2):
            bit = 1 << i
            if found >> keys.STUCK & bit:
                self._events.put(now, telling.STUCK, (keys.SENSORS[i],))
            if found >> keys.RELEASE & bit and self.pressed & bit and not self._armed & bit:
                self.pressed = 0
                self.dirty = True
            verb = _SENSES[i]
            if found >> keys.PRESS & bit and self.meanings[i][1] == verb and not (self.quiet or self.verb):
                unseen = self.idle.touch()
                self._events.put(now, telling.KEY, keys.SENSORS[i], "" if unseen else verb)
                if not unseen:
                    self._take(i, verb)

    def _held(self, i: int) -> None:
        if self._armed >> i & 1:
            self._armed = 0
            self._holding = i
            self.verb = self.meanings[i][2]

    def _released(self, i: int) -> None:
        self._repeating = ""
        if self._holding == i:
            self._holding = -1
        if self._armed >> i & 1:
            self._armed = 0
            self.verb = self.meanings[i][1]
        if self.pressed >> i & 1:
            self.pressed = 0
            # While no key does anything, the one that is down is the only one with a label.
            self.dirty = self.quiet or self.dirty or LABEL

    def commit(self) -> None:
        """Carries out the acknowledged press. A refusal leaves everything as it was."""
        verb, self.verb = self.verb, ""
        self.frozen = FREEZE_SECONDS
        try:
            self._do(verb)
        except (Refused, RoundVoid) as refusal:
            if self.menu:
                self.menu.refused(refusal.reason)
            self._events.put(self.game.now, telling.REFUSED, refusal.reason)
            self.sound = "refused"
        self.dirty = True

    def _do(self, verb: str) -> None:
        if not self._verbs:
            from holecard.table.verbs import VERBS  # noqa: PLC0415 - see ahead.py

            self._verbs = VERBS
        self._verbs[verb](self)

    def forget(self) -> None:
        """What was pressed for the old state of affairs does not act on the new one."""
        self._armed = 0
        self.verb = ""
        self._repeating = ""

    def open_page(self, page: str, lines: list, onward: str) -> None:
        """Shows the page; `onward`: the label of the key that leads to the next one."""
        self.page = page
        self.onward = onward
        self.lines = lines
        self.dirty = True

    def close_page(self) -> None:
        if self.menu:
            self.menu.show()
        else:
            self.open_page("", [], "")
