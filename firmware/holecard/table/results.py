"""The settled round: both hands at the left, and at the right a panel that tells the outcome from across the room.

The panel's look says it before the word is read: solid for a win, outlined for a push, bare for a loss.
"""

from holecard.table import cardrow, font, sprites
from holecard.table.hands import DEALER, PLAYER
from holecard.table.layouts import body
from holecard.table.money import signed

# outcome: (first word, second word, small note below)
_WORDS = {
    "win": ("WIN", "", ""),
    "dealer_bust": ("WIN", "", "DEALER BUSTS"),
    "blackjack": ("BLACK", "JACK", ""),
    "push": ("PUSH", "", ""),
    "push_bj": ("PUSH", "", "TWO BLACKJACKS"),
    "lose": ("LOSE", "", ""),
    "bust": ("BUST", "", ""),
    "dealer_blackjack": ("LOSE", "", "TO BLACKJACK"),
}
_WON = ("win", "dealer_bust", "blackjack")
_PUSHED = ("push", "push_bj")

_PLAIN = 0
_OUTLINED = 1
_SOLID = 2

_CARD_ROOM = 47
_TOTAL_WIDTH = 14
_TOP = 9
_HEIGHT = 46


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
        _single(canvas, ("OUT", "", "THIS ROUND"), "", _PLAIN, x, w)
    elif len(seat.hands) == 1 and scene.seats == 1:
        first, second, note = _WORDS[hand.outcome]
        if seat.insurance_net:
            note = "INSURANCE " + signed(seat.insurance_net)
            if font.SMALL.width(note) > w - 4:
                note = "INSURED " + signed(seat.insurance_net)
        _single(canvas, (first, second, note), signed(seat.net), look(hand.outcome), x, w)
    else:
        _several(canvas, scene, seat, x, w)


def _hand(canvas, cards, total: int, y: int) -> int:
    """Cards and total of one row; returns the column behind them."""
    x = cardrow.row(canvas, cards, y, _CARD_ROOM) + 3
    canvas.text_center(font.HEAD, str(total), x, _TOTAL_WIDTH, y + 7)
    return x + _TOTAL_WIDTH


def _panel(canvas, style: int, x: int, w: int, h: int) -> int:
    """Draw the panel's ground; returns the colour of what is written on it."""
    if style == _SOLID:
        canvas.box(x, _TOP, w, h, 1)
        return 0
    if style == _OUTLINED:
        canvas.frame(x, _TOP, w, h, 1)
    return 1


def _single(canvas, words: tuple, amount: str, style: int, x: int, w: int) -> None:
    """One or two big words, an amount and a note, centred as a block. Two words leave no room for the amount."""
    first, second, note = words
    ink = _panel(canvas, style, x, w, _HEIGHT)
    if second:
        canvas.text_center(sprites.OUTCOME, first, x, w, _TOP + 2, ink)
        canvas.text_center(sprites.OUTCOME, second, x, w, _TOP + 24, ink)
        return
    gap = 2 if note and amount else 4
    height = 20 + (10 + gap if amount else 0) + (8 if note else 0)
    y = _TOP + (_HEIGHT - height) // 2
    canvas.text_center(sprites.OUTCOME, first, x, w, y, ink)
    y += 20 + gap
    if amount:
        _fitted(canvas, amount, x, w, y, ink)
        y += 10 + gap
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
    ink = _panel(canvas, _net_look(net), x, w, 24 if both else 36)
    if both:
        canvas.text_center(font.HEAD, word, x, w, _TOP + 1, ink)
        _fitted(canvas, signed(net), x, w, _TOP + 13, ink)
    else:
        canvas.text_center(sprites.OUTCOME, word, x, w, _TOP + 2, ink)
        _fitted(canvas, signed(net), x, w, _TOP + 24, ink)
    y = _TOP + (26 if both else 37)
    if len(seat.hands) > 1:
        _hand_marks(canvas, seat.hands, scene.hand, x, w, y)
        y += 11
    if scene.seats > 1:
        _seat_marks(canvas, scene, x, w, y)


def _net_look(net: int) -> int:
    return _SOLID if net > 0 else _PLAIN if net < 0 else _OUTLINED


def _mark(canvas, text: str, style: int, shown: bool, x: int, w: int, y: int) -> None:
    """A number seven rows high: filled for a win, between bars for a push, bare for a loss; underlined if shown."""
    if style == _SOLID:
        canvas.box(x, y, w, 7, 1)
    elif style == _OUTLINED:
        canvas.vline(x, y, 7, 1)
        canvas.vline(x + w - 1, y, 7, 1)
    canvas.text_center(font.TINY, text, x, w, y + 1, 0 if style == _SOLID else 1)
    if shown:
        canvas.hline(x + 1, y + 8, w - 2, 1)


def _hand_marks(canvas, hands, shown: int, x: int, w: int, y: int) -> None:
    """The totals of the hands, each in the style of its outcome."""
    x += (w - 14 * len(hands) + 1) // 2
    for i, hand in enumerate(hands):
        _mark(canvas, str(hand.total), look(hand.outcome), i == shown, x, 13, y)
        x += 14


def _seat_marks(canvas, scene, x: int, w: int, y: int) -> None:
    """The numbers of the seats, each in the style of its net; a seat that sat out is a dash."""
    seats = scene.visible.seats
    pitch = 10 if 10 * len(seats) <= w else 8
    x += (w - pitch * len(seats) + 1) // 2
    for i, seat in enumerate(seats):
        style = _net_look(seat.net or 0) if seat.hands else _PLAIN
        _mark(canvas, str(i + 1) if seat.hands else "-", style, i == scene.seat, x, pitch - 1, y)
        x += pitch


LAYOUTS = {"settled": body(cardrow.round_key, settled)}
