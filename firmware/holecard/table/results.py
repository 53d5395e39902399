"""The settled round: both hands at the left, and at the right a panel that tells the outcome from across the room.

The panel's look says it before the word is read: solid for a win, outlined for a push, bare for a loss.
"""

from holecard.table import cardrow, font
from holecard.table.hands import DEALER, PLAYER
from holecard.table.money import signed

# outcome: (first word, second word, small note below)
_WORDS = {
    "win": ("WIN", "", ""),
    "dealer_bust": ("WIN", "", "DEALER BUSTS"),
    "blackjack": ("BLACK", "JACK", ""),
    "push": ("PUSH", "", ""),
    "push_bj": ("PUSH", "", "BLACKJACKS"),
    "lose": ("LOSE", "", ""),
    "bust": ("BUST", "", ""),
    "dealer_blackjack": ("LOSE", "", "BLACKJACK"),
}
_WON = ("win", "dealer_bust", "blackjack")
_PUSHED = ("push", "push_bj")

_PLAIN = 0
_OUTLINED = 1
_SOLID = 2

_CARD_ROOM = 47
_TOTAL_WIDTH = 14
_TOP = 8
_HEIGHT = 48


def look(outcome) -> int:
    """How an outcome is drawn."""
    return _SOLID if outcome in _WON else _OUTLINED if outcome in _PUSHED else _PLAIN


def settled(canvas, scene) -> None:
    """The whole picture between status line and labels."""
    visible = scene.visible
    seat = visible.seats[scene.seat]
    hand = seat.hands[min(scene.hand, len(seat.hands) - 1)] if seat.hands else None
    left = _hand(canvas, visible.dealer, visible.dealer_total, DEALER)
    if hand is not None:
        left = max(left, _hand(canvas, hand.cards, hand.total, PLAYER))
    x = left + 3
    w = 128 - x
    if hand is None:
        _words(canvas, ("OUT", "", "THIS ROUND"), "", x, w, 1)
    elif len(seat.hands) == 1 and scene.seats == 1:
        note = "INSURED " + signed(seat.insurance_net) if seat.insurance_net else ""
        _single(canvas, hand.outcome, seat.net, note, x, w)
    else:
        _several(canvas, scene, seat, x, w)


def _hand(canvas, cards, total: int, y: int) -> int:
    """Cards and total of one row; returns the column behind them."""
    x = cardrow.row(canvas, cards, y, _CARD_ROOM) + 3
    canvas.text_center(font.HEAD, str(total), x, _TOTAL_WIDTH, y + 7)
    return x + _TOTAL_WIDTH


def _panel(canvas, style: int, x: int, w: int) -> int:
    """Draw the panel's ground; returns the colour of what is written on it."""
    if style == _SOLID:
        canvas.box(x, _TOP, w, _HEIGHT - 1, 1)
        return 0
    if style == _OUTLINED:
        canvas.frame(x, _TOP, w, _HEIGHT - 1, 1)
    return 1


def _single(canvas, outcome: str, net: int, note: str, x: int, w: int) -> None:
    words = _WORDS[outcome]
    ink = _panel(canvas, look(outcome), x, w)
    _words(canvas, (words[0], words[1], note or words[2]), signed(net), x, w, ink)


def _words(canvas, words: tuple, amount: str, x: int, w: int, ink: int) -> None:
    """One or two big words, an amount and a note, centred as a block. Two words leave no room for the amount."""
    first, second, note = words
    if second:
        canvas.text_center(font.OUTCOME, first, x, w, _TOP + 3, ink)
        canvas.text_center(font.OUTCOME, second, x, w, _TOP + 25, ink)
        return
    height = 20 + (14 if amount else 0) + (10 if note else 0)
    y = _TOP + (_HEIGHT - 1 - height) // 2
    canvas.text_center(font.OUTCOME, first, x, w, y, ink)
    y += 24
    if amount:
        _fitted(canvas, amount, x, w, y, ink)
        y += 14
    canvas.text_center(font.SMALL, note, x, w, y, ink)


def _fitted(canvas, text: str, x: int, w: int, y: int, ink: int) -> None:
    """An amount in the largest font that has room."""
    if font.HEAD.width(text) <= w - 4:
        canvas.text_center(font.HEAD, text, x, w, y, ink)
    else:
        canvas.text_center(font.SMALL, text, x, w, y + 2, ink)


def _several(canvas, scene, seat, x: int, w: int) -> None:
    """The seat's net as the word, and below it one mark for each hand and each seat."""
    net = seat.net or 0
    word = "WIN" if net > 0 else "LOSE" if net < 0 else "EVEN"
    both = len(seat.hands) > 1 and scene.seats > 1
    ink = 1
    canvas.text_center(font.HEAD if both else font.OUTCOME, word, x, w, _TOP + 1, ink)
    _fitted(canvas, signed(net), x, w, _TOP + (13 if both else 23), ink)
    y = _TOP + (25 if both else 35)
    if len(seat.hands) > 1:
        hand_marks(canvas, seat.hands, scene.hand, x, w, y)
        y += 12
    if scene.seats > 1:
        seat_marks(canvas, scene, x, w, y)


def _mark(canvas, text: str, style: int, x: int, w: int, y: int) -> None:
    """A number in a box nine rows high, drawn in the style of its outcome."""
    if style == _SOLID:
        canvas.box(x, y, w, 9, 1)
    elif style == _OUTLINED:
        canvas.frame(x, y, w, 9, 1)
    canvas.text_center(font.TINY, text, x, w, y + 2, 0 if style == _SOLID else 1)


def hand_marks(canvas, hands, shown: int, x: int, w: int, y: int) -> None:
    """Totals of the hands, each in the style of its outcome, the shown one underlined."""
    x += (w - 14 * len(hands) + 1) // 2
    for i, hand in enumerate(hands):
        _mark(canvas, str(hand.total), look(hand.outcome), x, 13, y)
        if i == shown:
            canvas.hline(x + 1, y + 10, 11, 1)
        x += 14


def seat_marks(canvas, scene, x: int, w: int, y: int) -> None:
    """Numbers of the seats, each in the style of its net, the shown one underlined; a seat that sat out is a dash."""
    seats = scene.visible.seats
    x += (w - 9 * len(seats) + 1) // 2
    for i, seat in enumerate(seats):
        net = seat.net or 0
        style = _SOLID if net > 0 else _PLAIN if net < 0 else _OUTLINED
        if seat.hands:
            _mark(canvas, str(i + 1), style, x, 8, y)
        else:
            _mark(canvas, "-", _PLAIN, x, 8, y)
        if i == scene.seat:
            canvas.hline(x + 1, y + 10, 6, 1)
        x += 9
