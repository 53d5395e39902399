"""Pictures without cards on the table: the attract picture, the two endings, an empty seat, out of service, a page."""

from holecard.table import cardrow, font, frame, sprites, textpage
from holecard.table.asking import wrapped
from holecard.table.canvas import HEIGHT, WIDTH
from holecard.table.layouts import STATUS, body, whole
from holecard.table.money import money

_ACE_OF_SPADES = 0
_LOGO_WIDTH = 90
_LOGO_HEIGHT = 42


def _swing(step: int, room: int) -> int:
    """0 .. room and back, one pixel a step."""
    if room < 1:
        return 0
    step %= 2 * room
    return step if step <= room else 2 * room - step


def attract(canvas, scene) -> None:
    """The logo, drifting through the free part of the screen so that no pixel stays lit."""
    free = 56 if scene.labels[0] or scene.labels[1] or scene.labels[2] or scene.labels[3] else 64
    height = _LOGO_HEIGHT + (9 if scene.bench else 0)
    x = _swing(scene.frame, 128 - _LOGO_WIDTH)
    y = _swing(scene.frame, free - height)
    cardrow.card(canvas, -1, x, y + 2)
    canvas.fill_rect(x + 10, y + 14, cardrow.WIDTH + 2, cardrow.HEIGHT + 2, 0)
    cardrow.card(canvas, _ACE_OF_SPADES, x + 11, y + 15)
    canvas.text(sprites.OUTCOME, "HOLE", x + 36, y)
    canvas.text(sprites.OUTCOME, "CARD", x + 36, y + 22)
    if scene.bench:
        frame.bench_banner(canvas, x, y + _LOGO_HEIGHT + 2)


def saved(canvas, scene) -> None:
    """The goal is reached."""
    canvas.sprite(sprites.CHESTER, 2, 9)
    canvas.text_center(font.HEAD, "CHESTER IS", 44, 84, 10)
    canvas.text_center(sprites.OUTCOME, "SAVED!", 44, 84, 23)
    canvas.text_center(font.HEAD, money(scene.bankroll), 44, 84, 45)


def broke(canvas, scene) -> None:
    """Too little for the smallest bet."""
    canvas.text_center(sprites.OUTCOME, "BROKE", 0, 128, 12)
    canvas.text_center(font.TEXT, "Out of the casino.", 0, 128, 37)
    canvas.text_center(font.TEXT, scene.message or "Come back later!", 0, 128, 47)


def away(canvas, scene) -> None:
    """Nobody sits at the shown seat."""
    canvas.text_center(sprites.OUTCOME, "AWAY", 0, 128, 12)
    canvas.text_center(font.TEXT, "Nobody sits here.", 0, 128, 37)
    canvas.text_center(font.TEXT, scene.message, 0, 128, 47)


def locked(canvas, scene) -> None:
    """Out of service, with the reason."""
    canvas.sprite(sprites.PADLOCK, 6, 9)
    canvas.text_center(sprites.OUTCOME, "LOCKED", 34, 90, 13)
    y = 40
    for line in wrapped(scene.message):
        canvas.text_center(font.TEXT, line, 0, 128, y)
        y += 9


def _page_key(scene) -> tuple:
    return (tuple(scene.lines), any(scene.labels), scene.bench)


def _poster_key(scene) -> tuple:
    return (scene.message, scene.bankroll)


def _attract_key(scene) -> tuple:
    return (scene.frame, any(scene.labels), scene.bench)


LAYOUTS = {
    "attract": whole(_attract_key, attract),
    "saved": body(_poster_key, saved),
    "broke": body(_poster_key, broke),
    "away": body(_poster_key, away),
    # It has no keys: its reason may reach into their line.
    "locked": ((0, 8, WIDTH, HEIGHT - 8, _poster_key, locked), STATUS),
    "page": whole(_page_key, textpage.page),
}
