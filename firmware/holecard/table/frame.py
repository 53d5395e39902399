"""What frames every picture: the status line in page 0 and the key labels in page 7."""

from holecard.table import font
from holecard.table.money import money, signed

_LABEL_TOP = 56
_SLOT = 32
_BANNER = "BENCH"
_BANNER_WIDTH = 23
_ROUND = ("insurance", "playing", "doubling", "settled")


def at_risk(scene) -> int:
    """Half-dollars the shown seat has bet, all its hands together; `scene.bet` before the deal."""
    if scene.visible is not None and scene.phase in _ROUND:
        staked = sum([hand.bet for hand in scene.visible.seats[scene.seat].hands])
        if staked:
            return staked
    return scene.bet


def bench_banner(canvas, x: int, y: int, ink: int = 1) -> None:
    """The mark of a table whose money is not real, 23 x 7, in colour `ink` on the other one."""
    canvas.box(x, y, _BANNER_WIDTH, 7, ink)
    canvas.text(font.TINY, _BANNER, x + 2, y + 1, 1 - ink)


def status(canvas, scene) -> None:
    """Bankroll left, bet or net result right, bench banner and seat between; row 7 shows the way to the goal.

    What does not fit beside very large amounts is left out: first the word before the bet, then the seat. A message
    takes the whole line.
    """
    small = font.SMALL
    if scene.message and scene.visible is not None and scene.phase in _ROUND:
        canvas.box(0, 0, 128, 8, 1)
        canvas.text_center(small, scene.message, 0, 128, 1, 0)
        return
    left = 0
    if scene.phase != "locked":
        left = canvas.text(small, money(scene.bankroll), 0, 0) + 2
    word, amount = _right_end(scene)
    right = canvas.text_right(small, amount, 128, 0) - 3 if amount else 128
    seat = "SEAT " + str(scene.seat + 1) if scene.seats > 1 else ""
    banner = _BANNER_WIDTH if scene.bench else 0
    room = right - left - banner
    word_width = small.width(word) + 3
    if word and room - word_width >= (small.width(seat) + 4 if seat else 0):
        right = canvas.text_right(small, word, right, 0) - 3
        room -= word_width
    if seat and small.width(seat) > room:
        seat = ""
    room -= small.width(seat)
    gap = room // (2 + (1 if seat and banner else 0))
    if banner:
        bench_banner(canvas, left + gap, 0)
        left += gap + banner
    canvas.text(small, seat, left + gap, 0)
    if scene.goal:
        _way(canvas, scene.bankroll, scene.goal)


def _right_end(scene) -> tuple:
    """A word and an amount: what is at stake, what it came to, or before the deal what there is to win."""
    phase = scene.phase
    if phase == "betting":
        return ("GOAL", money(scene.goal)) if scene.goal else ("", "")
    if phase == "settled" and scene.visible is not None:
        seat = scene.visible.seats[scene.seat]
        return "", signed(seat.net) if seat.hands and seat.net is not None else ""
    if phase in _ROUND and at_risk(scene):
        return "BET", money(at_risk(scene))
    return "", ""


def _way(canvas, bankroll: int, goal: int) -> None:
    """Row 7: solid as far as the bankroll has come, dotted up to the goal."""
    come = min(128, max(0, bankroll) * 128 // goal)
    canvas.hline(0, 7, come, 1)
    for x in range((come + 5) & ~3, 128, 4):
        canvas.pixel(x, 7, 1)
    canvas.pixel(127, 7, 1)


def labels(canvas, scene) -> None:
    """Page 7: a solid label above each key that does something now, white on black once its press has been taken.

    The attract picture shows them one after the other, so that they do not burn in.
    """
    only = scene.frame & 3 if scene.phase == "attract" and not scene.page else -1
    for slot in range(4):
        label = scene.labels[slot]
        if not label or (only >= 0 and slot != only):
            continue
        x = slot * _SLOT
        canvas.fill_rect(x, _LABEL_TOP, _SLOT, 8, 0)
        canvas.box(x, _LABEL_TOP, _SLOT - 1, 8, 1)
        pressed = scene.pressed >> slot & 1
        if pressed:
            # Six rows of text leave none for a whole outline: brackets at both sides stand for it.
            canvas.fill_rect(x + 1, _LABEL_TOP + 1, _SLOT - 3, 6, 0)
            canvas.fill_rect(x + 2, _LABEL_TOP, _SLOT - 5, 8, 0)
        canvas.text_center(font.SMALL, label, x, _SLOT - 1, _LABEL_TOP + 1, pressed)
