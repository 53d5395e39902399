"""The player's side: what the game does appears card by card, and what nobody does changes with time."""

from holecard.table import ticks
from holecard.table.betting import Bettor
from holecard.table.composing import compose
from holecard.table.presses import LABEL, Presses, Unrevealed
from holecard.table.scene import Scene
from holecard.table.seats import AWAY, BETTING, BROKE, DEALING, INSURANCE, LOCKED, PLAYING, SETTLED

DARK_US = 500_000
CYCLE_SECONDS = 2
_SECOND = 1_000_000
_IDLE_PHASES = ("betting", "settled", "saved", "broke", "away")


class Front(Presses):
    """The panel's pages and timers of one `Game`; see `Presses` for its keys.

    scene   what the view draws
    seat, hand  what the panel shows
    doubling, amount  True while the panel asks how much a double adds; half-dollars
    closing  seconds until insurance closes, 0 while no clock runs
    """

    def __init__(self, game, events, now: int) -> None:
        super().__init__(game, events)
        self.scene = Scene()
        self.bettor = Bettor(game)
        self.animated = True
        self.amount = 0
        self.seat = 0
        self.hand = 0
        self.doubling = False
        self.closing = 0
        # Instants start at the present: one that lies more than 2^29 us back counts as yet to come.
        self._reveal_at = now
        self._dark_until = now
        self._second_at = ticks.add(now, _SECOND)
        self._due = now
        self._seen = -1
        self._round = -1
        self._was = ""

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
    def urgent(self) -> bool:
        """True while there is something to do on the next pass."""
        return self.dirty != 0 or self.committing or self._seen != self.game.changes

    @property
    def busy(self) -> bool:
        """True while something is under way that will end by itself: a press, a reveal, the dark moment."""
        return self.urgent or self.quiet

    def can_skip(self) -> bool:
        """Whether the empty seat in question may be passed over."""
        game = self.game
        return game.phase == BETTING and (game.seat + 1 < game.seats or self.bettor.can_deal())

    def can_go_back(self) -> bool:
        """Whether the bets are being asked for and there is a seat before this one."""
        return self.game.phase == BETTING and self.game.seat > 0

    # -- time --------------------------------------------------------------------------------------------------------

    def step(self, now: int) -> int:
        """Moves what moves by itself and keeps up with the game. Returns when it wants to run next."""
        due = self._due
        if ticks.diff(now, due) < 0 and self._seen == self.game.changes:
            return due
        if self.reveal.active and ticks.diff(now, self._reveal_at) >= 0:
            self._turn(now)
        if self.dark and ticks.diff(now, self._dark_until) >= 0:
            self.dark = False
            self.dirty = True
        if ticks.diff(now, self._second_at) >= 0:
            self._second_at = ticks.add(now, _SECOND)
            self._tick()
        self.catch_up(now)
        self._due = due = self._next_due()
        return due

    def _next_due(self) -> int:
        due = self._second_at
        if self.reveal.active and ticks.diff(self._reveal_at, due) < 0:
            due = self._reveal_at
        if self.dark and ticks.diff(self._dark_until, due) < 0:
            due = self._dark_until
        return due

    def _tick(self) -> None:
        if self.idle.asleep and not self.idle.blank:
            self.scene.frame += 1
            self.dirty = True
        self.idle.tick()
        if self.menu:
            # Nothing moves while the operator looks on; a menu that was left open must not keep the table from play.
            if self.idle.drowsy():
                self.menu.leave()
            return
        if self.idle.drowsy() and self.phase in _IDLE_PHASES:
            self.idle.asleep = True
            self.close_page()
        game = self.game
        if self.closing and game.phase == INSURANCE:
            self._close_insurance()
        elif game.phase == SETTLED and not self.reveal.active:
            if self.frozen:
                self.frozen -= 1
                self.dirty = self.dirty or not self.frozen
            elif self.idle.seconds % CYCLE_SECONDS == 0:
                self._show_next_hand()

    def _close_insurance(self) -> None:
        # An answer whose press has been acknowledged came in time.
        if self.closing == 1 and self.committing:
            return
        self.closing -= 1
        self.dirty = True
        if not self.closing:
            self.verb = "time_is_up"

    def _show_next_hand(self) -> None:
        """After the settlement every hand gets its turn on the panel, seat after seat."""
        seats = self.game.visible.seats
        before = (self.seat, self.hand)
        self.hand += 1
        while self.hand >= len(seats[self.seat].hands):
            self.hand = 0
            self.seat = (self.seat + 1) % len(seats)
        self.dirty = self.dirty or (self.seat, self.hand) != before

    def _turn(self, now: int) -> None:
        pause = self.reveal.step()  # type: ignore[attr-defined]
        self._reveal_at = ticks.add(now, pause)
        if pause:
            self.sound = "card"
        else:
            self._revealed(now)
        self.dirty = True

    def _revealed(self, now: int) -> None:
        game = self.game
        if game.phase == DEALING:
            game.peek()
            return
        self.pressed = 0
        if game.phase == SETTLED:
            self.frozen = 0
            self.sound = _outcome(game.visible)
            self.dark = True
            self._dark_until = ticks.add(now, DARK_US)
        elif game.phase == INSURANCE and game.rules.insurance_seconds and not self.closing:
            self.closing = game.rules.insurance_seconds
            self._second_at = ticks.add(now, _SECOND)

    def catch_up(self, now: int) -> None:
        """Follows the game to where it is; what is composed before that would be a mixture of old and new."""
        if self._seen == self.game.changes:
            return
        while self._seen != self.game.changes:
            self._follow(now)
        self._due = self._next_due()

    def _follow(self, now: int) -> None:
        """The game has changed, by a press or from the wire."""
        game = self.game
        self._seen = game.changes
        phase = game.phase
        if phase != self._was or not self._repeating:
            # What was pressed for the old state of affairs must not act on the new one.
            self.forget()
            self.close_page()
        self._was = phase
        self.doubling = False
        self.idle.wake()
        if phase != INSURANCE:
            self.closing = 0
        self.dirty = True
        if game.visible is None:
            self.reveal = Unrevealed()
            self._round = game.rounds
            self.seat = game.seat
            return
        if phase not in (DEALING, INSURANCE, PLAYING, SETTLED):
            self.seat = game.seat
            return
        if game.rounds != self._round:
            from holecard.table.reveal import Reveal  # noqa: PLC0415 - see ahead.py

            self._round = game.rounds
            self.closing = 0
            self.reveal = Reveal(game.visible, game.rules, game.seat)
        elif phase == SETTLED and not game.in_round and self.reveal.shown is game.visible:
            return
        else:
            self.reveal.follow(game.visible)  # type: ignore[attr-defined]
        if not self.animated:
            self.reveal.finish()  # type: ignore[attr-defined]
            self._revealed(now)
        else:
            self._turn(now)

    def stand(self, now: int) -> None:
        """Shows where the game stands, as if it had always stood there: no card is turned, nothing is heard."""
        animated, self.animated = self.animated, False
        self.catch_up(now)
        self.animated = animated
        self.sound = ""
        self.dark = False

    def notice(self, text: str) -> None:
        """A page that waits to be read: what is wrong with the settings. A locked table has worse to tell."""
        self.catch_up(self.game.now)
        if self.game.phase != LOCKED:
            from holecard.table import pages  # noqa: PLC0415 - loaded when a page is shown

            self.open_page("settings", pages.settings_page(text), "")

    # -- the scene ---------------------------------------------------------------------------------------------------

    def compose(self) -> None:
        """Brings the scene up to date; to be called before drawing when `dirty`."""
        self.catch_up(self.game.now)
        if self.dirty == LABEL:
            self.scene.pressed = self.pressed
        else:
            compose(self)
        self.dirty = False


def _outcome(visible) -> str:
    """The sound of a settled round, whose cards all lie open: how the players did together."""
    total = 0
    for seat in visible.seats:
        total += seat.net or 0
        for hand in seat.hands:
            if hand.outcome == "blackjack":
                return "blackjack"
    return "win" if total > 0 else "lose" if total < 0 else "push"
