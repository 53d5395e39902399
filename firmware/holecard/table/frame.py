"""What frames every picture: the status line in page 0 and the key labels in page 7."""

from holecard.table import font
from holecard.table.money import money, signed

_LABEL_TOP = 56
_SLOT = 32
_BANNER = "BENCH"
_BANNER_WIDTH = 23


def at_risk(scene) -> int:
    """Half-dollars the shown seat has bet, all its hands together; `scene.bet` before the deal."""
    if scene.visible is not None and scene.phase not in ("betting", "away"):
        staked = sum([hand.bet for hand in scene.visible.seats[scene.seat].hands])
        if staked:
            return staked
    return scene.bet


def bench_banner(canvas, x: int, y: int, ink: int = 1) -> None:
    """The mark of a table whose money is not real, 23 x 7, in colour `ink` on the other one."""
    canvas.box(x, y, _BANNER_WIDTH, 7, ink)
    canvas.text(font.TINY, _BANNER, x + 2, y + 1, 1 - ink)


def status(canvas, scene) -> None:
    """Bankroll left, bet or net result right, seat and bench banner between; a line below shows the way to the goal.

    What does not fit beside very large amounts is left out: first the word before the bet, then the seat.
    """
    small = font.SMALL
    left = canvas.text(small, money(scene.bankroll), 0, 0) + 3
    amount, word = _amount(scene)
    right = canvas.text_right(small, amount, 128, 0) - 4 if amount else 128
    banner = _BANNER_WIDTH + 3 if scene.bench else 0
    seat = "SEAT " + str(scene.seat + 1) if scene.seats > 1 else ""
    seat_width = small.width(seat) + 3 if seat else 0
    word_width = small.width(word) + 4 if word else 0
    if word and left + banner + seat_width + word_width <= right:
        right = canvas.text_right(small, word, right + 1, 0) - 3
    if scene.bench:
        room = right - left - (seat_width if left + banner + seat_width <= right else 0)
        bench_banner(canvas, left + max(0, (room - _BANNER_WIDTH) // 2), 0)
        left += banner if seat else 0
    if seat and left + seat_width <= right + 3:
        canvas.text_center(small, seat, left, right - left, 0)
    if scene.goal:
        _way(canvas, scene.bankroll, scene.goal)


def _amount(scene) -> tuple:
    """The right end of the status line: what is at stake, or what it came to."""
    if scene.phase == "settled" and scene.visible is not None:
        net = scene.visible.seats[scene.seat].net
        return ("", "") if net is None else (signed(net), "")
    if scene.phase in ("saved", "broke", "away", "locked"):
        return "", ""
    bet = at_risk(scene)
    return (money(bet), "BET") if bet else ("", "")


def _way(canvas, bankroll: int, goal: int) -> None:
    """Row 7: solid as far as the bankroll has come, dotted up to the goal."""
    come = min(128, max(0, bankroll) * 128 // goal)
    canvas.hline(0, 7, come, 1)
    for x in range((come + 5) & ~3, 128, 4):
        canvas.pixel(x, 7, 1)
    canvas.pixel(127, 7, 1)


def labels(canvas, scene) -> None:
    """Page 7: a solid label above each key that does something now, an outline once its press has been taken."""
    for slot in range(4):
        label = scene.labels[slot]
        if not label:
            continue
        x = slot * _SLOT
        canvas.fill_rect(x, _LABEL_TOP, _SLOT, 8, 0)
        pressed = scene.pressed >> slot & 1
        canvas.box(x, _LABEL_TOP, _SLOT - 1, 8, 1)
        if pressed:
            canvas.fill_rect(x + 1, _LABEL_TOP + 1, _SLOT - 3, 6, 0)
        canvas.text_center(font.SMALL, label, x, _SLOT - 1, _LABEL_TOP + 1, pressed)
