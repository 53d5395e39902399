"""The player's side: gestures of the keys become verbs of the game, and the game becomes a `Scene`.

A press is acknowledged first (its label inverts) and carried out by `commit`, once the panel has shown that. It only
counts while what the key means has not changed since; presses during a reveal or the dark moment after it are ignored.
"""

from holecard.rules.ruleset import Refused
from holecard.table import jsontext as js
from holecard.table import keys, pages, phases, ticks, verbs
from holecard.table.betting import Bettor
from holecard.table.game import AWAY, BETTING, BROKE, INSURANCE, PLAYING, SETTLED, RoundVoid
from holecard.table.reveal import Reveal
from holecard.table.scene import Scene

DARK_US = 500_000
ATTRACT_SECONDS = 60
DIM_SECONDS = 300
CYCLE_SECONDS = 2
_SECOND = 1_000_000
_IDLE_PHASES = ("betting", "settled", "saved", "broke", "away")


class Front:
    """The panel's keys, labels, lamps, pages and timers of one `Game`.

    scene   what the view draws; `dirty` is True until it has been drawn
    seat, hand  what the panel shows
    page    the text page on top of the phase, "" if none; `back`: how many rounds ago the recalled one was
    doubling, amount  True while the panel asks how much a double adds; half-dollars
    asleep, dim       True during the attract screen; while the panel should glow faintly
    repeated          True if the verb in hand comes from a key that is held down
    """

    def __init__(self, game, events) -> None:
        self.game = game
        self.scene = Scene()
        self.bettor = Bettor(game)
        self.animated = True
        self.dirty = True
        self.dim = False
        self.amount = 0
        self.seat = 0
        self.hand = 0
        self.repeated = False
        self._events = events
        self._reveal = Reveal()
        self._reveal_at = 0
        self._seen = -1
        self._round = -1
        self._was = ""
        self.doubling = False
        self.asleep = False
        self.page = ""
        self._lines: list = []
        self.back = 0
        self._dark = False
        self._dark_until = 0
        self._meanings = phases.PHASES["locked"](self)
        self._armed = 0
        self._repeating = ""
        self._holding = -1
        self._pressed = 0
        self._verb = ""
        self._second_at = 0
        self._idle = 0
        self._closing = 0

    # -- what is so --------------------------------------------------------------------------------------------------

    @property
    def phase(self) -> str:
        """The phase as the wire names it: the game's, or what the panel makes of it."""
        game = self.game
        if self.doubling:
            return "doubling"
        if game.phase == BETTING:
            state = game.state(game.seat)
            if state in (AWAY, BROKE):
                return state
        return game.phase

    @property
    def busy(self) -> bool:
        """True while something is under way that will end by itself: a press, a reveal, the dark moment."""
        return self.dirty or self._dark or self._reveal.active or self.committing or self._seen != self.game.changes

    @property
    def committing(self) -> bool:
        """True if a press has been acknowledged and waits for `commit`."""
        return bool(self._verb)

    def can_skip(self) -> bool:
        """Whether the empty seat in question may be passed over."""
        game = self.game
        return game.phase == BETTING and (game.seat + 1 < game.seats or self.bettor.can_deal())

    # -- keys --------------------------------------------------------------------------------------------------------

    def gesture(self, found: int, now: int) -> None:
        """Takes what `Keys.feed` found."""
        stuck = found >> keys.STUCK & 15
        if stuck:
            names = [keys.NAMES[i] for i in range(4) if stuck >> i & 1]
            self._events.put(now, "key", ("stuck", js.strings(names)))
        for i in range(4):
            bit = 1 << i
            if found >> keys.RELEASE & bit:
                self._released(i)
            if found >> keys.PRESS & bit:
                self._press(i, now)
            if found >> keys.HOLD & bit:
                self._held(i)
            if found >> keys.REPEAT & bit and self._repeating and self._meanings[i][1] == self._repeating:
                self.repeated = True
                self._verb = self._verb or self._repeating
            if found >> keys.LONG & bit and self._holding == i and self.page == "hint":
                self.open_page("seats", pages.seats_page(self.game))

    def _press(self, i: int, now: int) -> None:
        self._idle = 0
        self.dim = False
        self._repeating = ""
        self.repeated = False
        self._holding = -1
        label, verb, held, repeats = self._meanings[i]
        accepted = bool(label) and not (self._dark or self._reveal.active or self._verb)
        self._events.put(now, "key", ("key", js.quote(keys.NAMES[i])), ("does", js.quote(verb if accepted else "")))
        if not accepted:
            return
        self._pressed = 1 << i
        self._armed = 0
        if held:
            self._armed = 1 << i
        else:
            self._verb = verb
            if repeats:
                self._repeating = verb
        self.dirty = True

    def _held(self, i: int) -> None:
        if self._armed >> i & 1:
            self._armed = 0
            self._holding = i
            self._verb = self._meanings[i][2]

    def _released(self, i: int) -> None:
        self._repeating = ""
        if self._holding == i:
            self._holding = -1
        if self._armed >> i & 1:
            self._armed = 0
            self._verb = self._meanings[i][1]
        if self._pressed >> i & 1:
            self._pressed = 0
            self.dirty = True

    def commit(self) -> None:
        """Carries out the acknowledged press. A refusal leaves everything as it was."""
        verb, self._verb = self._verb, ""
        try:
            getattr(verbs, verb)(self)
        except (Refused, RoundVoid) as refusal:
            self._note(refusal.reason)
        self.dirty = True

    # -- time --------------------------------------------------------------------------------------------------------

    def step(self, now: int) -> int:
        """Moves what moves by itself and keeps the scene up to date. Returns when it wants to run next."""
        if self._reveal.active and ticks.diff(now, self._reveal_at) >= 0:
            self._turn(now)
        if self._dark and ticks.diff(now, self._dark_until) >= 0:
            self._dark = False
            self.dirty = True
        if ticks.diff(now, self._second_at) >= 0:
            self._second_at = ticks.add(now, _SECOND)
            self._tick()
        if self._seen != self.game.changes:
            self._follow(now)
        due = self._second_at
        if self._reveal.active and ticks.diff(self._reveal_at, due) < 0:
            due = self._reveal_at
        if self._dark and ticks.diff(self._dark_until, due) < 0:
            due = self._dark_until
        return due

    def _tick(self) -> None:
        self._idle += 1
        if self.asleep:
            self.scene.frame += 1
            self.dirty = True
        elif self._idle >= ATTRACT_SECONDS and self.phase in _IDLE_PHASES:
            self.asleep = True
            self.close_page()
        if self._idle == DIM_SECONDS:
            self.dim = True
        if self._closing and self.game.phase == INSURANCE:
            self._closing -= 1
            self.dirty = True
            if not self._closing:
                self._verb = "time_is_up"
        elif self.game.phase == SETTLED and not self._reveal.active and self._idle % CYCLE_SECONDS == 0:
            self._show_next_hand()

    def _turn(self, now: int) -> None:
        pause = self._reveal.step()
        self._reveal_at = ticks.add(now, pause)
        if not pause:
            self._revealed(now)
        self.dirty = True

    def _revealed(self, now: int) -> None:
        self._pressed = 0
        if self.game.phase == SETTLED:
            self._dark = True
            self._dark_until = ticks.add(now, DARK_US)
        elif self.game.phase == INSURANCE and self.game.rules.insurance_seconds and not self._closing:
            self._closing = self.game.rules.insurance_seconds
            self._second_at = ticks.add(now, _SECOND)

    def _follow(self, now: int) -> None:
        """The game has changed, by a press or from the wire."""
        game = self.game
        self._seen = game.changes
        phase = game.phase
        if phase != self._was or not self._repeating:
            # What was pressed for the old state of affairs must not act on the new one.
            self._armed = 0
            self._verb = ""
            self._repeating = ""
            self.close_page()
        self._was = phase
        self.doubling = False
        self._idle = 0
        self.dim = False
        self.asleep = False
        if phase != INSURANCE:
            self._closing = 0
        self.dirty = True
        if game.visible is None:
            self._reveal.stop()
            self._round = game.rounds
            self.seat = game.seat
            return
        if phase not in (INSURANCE, PLAYING, SETTLED):
            self.seat = game.seat
            return
        if game.rounds != self._round:
            self._round = game.rounds
            self._closing = 0
            self._reveal.start(game.visible, game.rules)
        elif phase == SETTLED and not game.in_round and self._reveal.shown is game.visible:
            return
        else:
            self._reveal.follow(game.visible)
        if not self.animated:
            self._reveal.finish()
            self._revealed(now)
        else:
            self._turn(now)

    # -- the scene ---------------------------------------------------------------------------------------------------

    def compose(self) -> None:
        """Fills the scene from the game; to be called before drawing when `dirty`."""
        game = self.game
        scene = self.scene
        reveal = self._reveal
        shown = reveal.shown
        if reveal.active or game.in_round:
            self.seat = reveal.seat
            self.hand = reveal.hand
        phase = "attract" if self.asleep else self.phase
        scene.phase = "playing" if reveal.active and phase == SETTLED else phase
        scene.page = self.page
        scene.lines = self._lines
        scene.visible = shown
        scene.seat = self.seat
        scene.seats = game.seats
        scene.hand = self.hand if shown else 0
        scene.bankroll = shown.seats[self.seat].bankroll if shown else game.bankroll(self.seat)
        scene.bet = shown.seats[self.seat].bet if shown else game.bets[self.seat]
        scene.chip = self.bettor.chip
        scene.goal = game.rules.goal
        scene.insurance_left = self._closing
        scene.amount = self.amount
        if shown and self.doubling:
            scene.amount_min = shown.double_min
            scene.amount_max = shown.double_max
        scene.bench = game.bench
        scene.message = game.message
        scene.rules_name = game.rules.name
        self._label(phase)
        self.dirty = False

    def _label(self, phase: str) -> None:
        scene = self.scene
        quiet = self._dark or self._reveal.active
        if self.page and not self.asleep:
            self._meanings = phases.PAGE
        else:
            self._meanings = phases.PHASES[phase](self)
        lamps = 0
        for i in range(4):
            label = self._meanings[i][0]
            scene.labels[i] = "" if quiet and not self._pressed >> i & 1 else label
            if label and not quiet:
                lamps |= 1 << i
        scene.pressed = self._pressed
        scene.lamps = lamps

    def open_page(self, page: str, lines: list) -> None:
        self.page = page
        self._lines = lines
        self.dirty = True

    def close_page(self) -> None:
        self.open_page("", [])

    def _note(self, reason: str) -> None:
        self._events.put(self.game.now, "refused", ("reason", js.quote(reason)))

    def _show_next_hand(self) -> None:
        """After the settlement every hand gets its turn on the panel, seat after seat."""
        seats = self.game.visible.seats
        before = (self.seat, self.hand)
        self.hand += 1
        while self.hand >= len(seats[self.seat].hands):
            self.hand = 0
            self.seat = (self.seat + 1) % len(seats)
        self.dirty = self.dirty or (self.seat, self.hand) != before
