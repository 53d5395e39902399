"""The two rows of an open round: the dealer's hand in pages 1 to 3, the shown seat's in pages 4 to 6."""

from holecard.table import cardrow, font

DEALER = 8
PLAYER = 32

# Cards may come this far to the right; the totals have the rest. A row of more than eleven may come a bit further.
_ROOM = 89
_WIDE_ROOM = 95
_ZONE = 92
_LIST = 114


def _room(cards) -> int:
    return _ROOM if len(cards) <= 11 else _WIDE_ROOM


def total(canvas, value: int, tag: str, y: int, x: int = _ZONE, w: int = 128 - _ZONE) -> None:
    """A total in large digits with a small tag below, centred in the `w` columns from `x`."""
    if value:
        canvas.text_center(font.LARGE, str(value), x, w, y + 1)
    canvas.text_center(font.SMALL, tag, x, w, y + 17)


def dealer_key(scene) -> tuple:
    """What `dealer` depends on."""
    visible = scene.visible
    return (tuple(visible.dealer), visible.dealer_total, visible.dealer_soft)


def dealer(canvas, scene) -> None:
    """The dealer's cards and the total of those that are face up."""
    visible = scene.visible
    cardrow.row(canvas, visible.dealer, DEALER, _room(visible.dealer))
    if visible.dealer:
        total(canvas, visible.dealer_total, "SOFT" if visible.dealer_soft else "DEALER", DEALER)


def player_key(scene) -> tuple:
    """What `player` depends on."""
    hands = scene.visible.seats[scene.seat].hands
    shown = [(tuple(hand.cards), hand.total, hand.soft, hand.outcome, hand.doubled) for hand in hands]
    return (scene.seat, scene.hand, shown)


def player(canvas, scene) -> None:
    """The shown hand of the shown seat; the totals of its other hands stand in a list at the right edge."""
    seat = scene.visible.seats[scene.seat]
    if not seat.hands:
        canvas.text(font.TEXT, "Sits out this round", 2, PLAYER + 9)
        return
    shown = min(scene.hand, len(seat.hands) - 1)
    hand = seat.hands[shown]
    cardrow.row(canvas, hand.cards, PLAYER, _room(hand.cards))
    several = len(seat.hands) > 1
    tag = str(shown + 1) + "/" + str(len(seat.hands)) if several else "YOU"
    if hand.outcome == "bust":
        tag = "BUST"
    elif hand.soft:
        tag = "SOFT"
    elif hand.doubled and not several:
        tag = "DOUBLED"
    if several:
        total(canvas, hand.total, tag, PLAYER, _ZONE - 1, _LIST - _ZONE + 1)
        _hand_list(canvas, seat.hands, shown)
    else:
        total(canvas, hand.total, tag, PLAYER)


def _hand_list(canvas, hands, shown: int) -> None:
    """Totals of up to four hands below each other, an arrow at the shown one."""
    y = PLAYER + (24 - 6 * len(hands)) // 2
    for i, hand in enumerate(hands):
        if i == shown:
            canvas.text(font.TINY, ">", _LIST + 1, y)
        canvas.text_right(font.TINY, str(hand.total), 127, y)
        y += 6
