"""Cards as pictures, one after the other, closer together the more there are.

A row is three pages (24 pixels) high. Cards take its middle 22 rows, so that neighbouring rows do not touch
and a new card changes only bytes of its own three pages.
"""

from holecard.table import font, sprites

WIDTH = 17
HEIGHT = 22
SPREAD = WIDTH + 1

# The narrowest strip of a covered card that still shows its rank, and how many columns the strip must have
# for the rank in TEXT with a small suit, and for the rank and suit of a whole card.
_NARROWEST = 6
_TEXT_STEP = 8
_HEAD_STEP = 12
_STUB = 13

_RANKS = "A23456789TJQK"


def _rank(canvas, card: int, face, ten, x: int, y: int) -> None:
    rank = card % 13
    if rank == 9:
        canvas.sprite(ten, x, y, 0)
    else:
        canvas.text(face, _RANKS[rank], x, y, 0)


def card(canvas, number: int, x: int, y: int, step: int = SPREAD) -> None:
    """One card with its top left corner at (x, y); `step` columns of it stay visible under the next one.

    number  0..51 = suit * 13 + rank, negative shows the back
    """
    canvas.vline(x - 1, y, HEIGHT, 0)
    if number < 0:
        canvas.stamp(sprites.BACK, x, y)
        return
    canvas.box(x, y, WIDTH, HEIGHT, 1)
    suit = number // 13
    if step >= SPREAD:
        _rank(canvas, number, font.HEAD, sprites.TEN, x + 2, y + 1)
        canvas.sprite(sprites.SUITS[suit], x + 7, y + 12, 0)
    elif step >= _HEAD_STEP:
        _rank(canvas, number, font.HEAD, sprites.TEN, x + 1, y + 1)
        canvas.sprite(sprites.SUITS[suit], x + 1, y + 12, 0)
    elif step >= _TEXT_STEP:
        _rank(canvas, number, font.TEXT, sprites.TEN_TEXT, x + 1, y + 2)
        canvas.sprite(sprites.SUITS_SMALL[suit], x + 1, y + 11, 0)
    else:
        _rank(canvas, number, font.SMALL, sprites.TEN_SMALL, x + 1, y + 2)


def row(canvas, cards, y: int, room: int) -> int:
    """A hand from column 0, top of its row at `y`, in at most `room` columns; returns the columns it took.

    When even the narrowest strips do not fit, the oldest cards are counted on a stub at the left.
    """
    top = y + 1
    x = 0
    count = len(cards)
    first = max(0, count - 1 - (room - WIDTH) // _NARROWEST)
    if first:
        first = count - 1 - (room - _STUB - WIDTH) // _NARROWEST
        canvas.frame(0, top, _STUB - 1, HEIGHT, 1)
        canvas.text_center(font.SMALL if first < 10 else font.TINY, "+" + str(first), 0, _STUB - 1, top + 8)
        x = _STUB
    step = SPREAD
    if count - first > 1:
        step = min(SPREAD, (room - x - WIDTH) // (count - first - 1))
    for i in range(first, count):
        card(canvas, cards[i], x, top, step if i < count - 1 else SPREAD)
        x += step
    return x - step + WIDTH if count else 0


def round_key(scene) -> tuple:
    """What a whole picture of a round depends on."""
    # A `Visible` does not change, there is a new one after each action.
    return (scene.visible, scene.seat, scene.hand, scene.seats, scene.amount, scene.insurance_left)
