"""What is asked while a round is open: insurance, and by how much to double. And the layouts of an open round."""

from holecard.table import cardrow, font, hands
from holecard.table.canvas import WIDTH
from holecard.table.layouts import STATUS, body
from holecard.table.money import money

_PANEL = 38
_PANEL_WIDTH = 128 - _PANEL


def insurance(canvas, scene) -> None:
    """Both hands at the left; the question, its price and the time that is left at the right."""
    visible = scene.visible
    cardrow.row(canvas, visible.dealer, hands.DEALER, _PANEL - 3)
    seat = visible.seats[scene.seat]
    if seat.hands:
        cardrow.row(canvas, seat.hands[0].cards, hands.PLAYER, _PANEL - 3)
    canvas.text_center(font.HEAD, "INSURANCE?", _PANEL, _PANEL_WIDTH, 10)
    canvas.text_center(font.SMALL, "PAYS 2:1", _PANEL, _PANEL_WIDTH, 23)
    price = money(visible.insurance_cost)
    face = font.LARGE if font.LARGE.width(price) <= _PANEL_WIDTH - 22 else font.HEAD
    left = scene.insurance_left
    if not left:
        canvas.text_center(face, price, _PANEL, _PANEL_WIDTH, 36 if face is font.LARGE else 38)
        return
    canvas.text(face, price, _PANEL + 1, 34 if face is font.LARGE else 37)
    x = canvas.text_right(font.TEXT, "s", 127, 40)
    canvas.text_right(font.HEAD, str(left), x - 1, 37)
    # Three columns a second: the bar of the usual thirty seconds is as wide as the panel.
    canvas.fill_rect(_PANEL, 52, min(_PANEL_WIDTH, 3 * left), 3, 1)


def doubling(canvas, scene) -> None:
    """The player's row; beside its two cards the amount that is added, on a scale from least to most."""
    hands.player(canvas, scene)
    x = _PANEL + 1
    w = 49
    canvas.fill_rect(x - 1, hands.PLAYER, w + 2, 24, 0)
    canvas.text_center(font.SMALL, "DOUBLE BY", x, w, 33)
    amount = money(scene.amount)
    canvas.text_center(font.HEAD if font.HEAD.width(amount) <= w else font.SMALL, amount, x, w, 41)
    span = scene.amount_max - scene.amount_min
    canvas.hline(x, 53, w, 1)
    canvas.fill_rect(x, 52, w * (scene.amount - scene.amount_min) // span if span > 0 else w, 3, 1)


_DEALER = (0, hands.DEALER, WIDTH, 24, hands.dealer_key, hands.dealer)
_PLAYER = (0, hands.PLAYER, WIDTH, 24, hands.player_key, hands.player)
_DOUBLING = (0, hands.PLAYER, WIDTH, 24, cardrow.round_key, doubling)

LAYOUTS = {
    "insurance": body(cardrow.round_key, insurance),
    "playing": (_DEALER, _PLAYER, STATUS),
    "doubling": (_DEALER, _DOUBLING, STATUS),
}
