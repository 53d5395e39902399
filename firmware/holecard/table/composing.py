"""The scene: what of the game, and of the keys, the panel shows at this moment."""

from holecard.table import phases
from holecard.table.seats import AWAY, BETTING, BROKE, DEALING, INSURANCE, SETTLED

# While cards are still being turned, the panel must not look as if it knew what comes of them.
_AHEAD = (DEALING, INSURANCE, SETTLED)
_TELLING = (BETTING, BROKE, AWAY)


def compose(front) -> None:
    """Fills `front.scene` from the game and gives the keys the meanings that it shows."""
    game = front.game
    scene = front.scene
    reveal = front.reveal
    shown = reveal.shown
    if reveal.active or game.in_round:
        front.seat = reveal.seat
        front.hand = reveal.hand
    phase = "attract" if front.idle.asleep and not front.menu else front.phase
    scene.phase = "playing" if reveal.active and phase in _AHEAD else phase
    scene.page = front.page
    scene.lines = front.lines
    scene.visible = shown
    scene.seat = front.seat
    scene.seats = game.seats
    scene.hand = front.hand if shown else 0
    scene.bankroll = shown.seats[front.seat].bankroll if shown else game.bankroll(front.seat)
    scene.bet = shown.seats[front.seat].bet if shown else game.bets[front.seat]
    scene.chip = front.bettor.chip
    scene.goal = game.rules.goal
    scene.insurance_left = front.closing
    scene.amount = front.amount
    if shown and front.doubling:
        scene.amount_min = shown.double_min
        scene.amount_max = shown.double_max
    scene.bench = game.bench
    # In a round it would take the place of bankroll and bet.
    scene.message = game.says(front.seat) if phase in _TELLING else game.message
    # After a round only where another shoe is next: the bet on it may be one press away.
    scene.seal = game.shoes.seal if phase == BETTING or game.shoes.uncut else ""
    scene.rules_name = game.rules.name
    _label(front, phase)


def _label(front, phase: str) -> None:
    """Labels and lamps. A key that is still down keeps the word that was pressed until the panel has caught up: what
    it means next may depend on a card that has not been turned yet."""
    scene = front.scene
    if front.menu:
        phase = "menu"
    elif front.page and not front.idle.asleep:
        phase = "page"
    front.meanings = phases.meanings(phase, front)
    lamps = 0
    for i in range(4):
        label = front.meanings[i][0]
        if front.quiet:
            label = front.pressed_label if front.pressed >> i & 1 else ""
        elif label:
            lamps |= 1 << i
        scene.labels[i] = label
    scene.pressed = front.pressed
    scene.lamps = lamps
