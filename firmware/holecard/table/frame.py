"""What frames every picture: the status line in page 0 and the key labels in page 7."""

from holecard.table import font
from holecard.table.money import money, signed

_LABEL_TOP = 56
_SLOT = 32
_BANNER = "BENCH"
_BANNER_WIDTH = 23
_ROUND = ("insurance", "playing", "doubling", "settled")
# Pictures of labels that are kept, 32 bytes each: more than any phase shows.
_KEPT = 24
_BLANK = ("", 0)
# Columns between what stands in the status line.
_CLOSE = 12


def _amount(scene):
    """Half-dollars at the right end: the goal before a deal, then what the shown seat has bet, all its hands together,
    at last its net result; None for nothing."""
    phase = scene.phase
    if phase == "betting":
        return scene.goal or None
    if phase not in _ROUND:
        return None
    if scene.visible is None:
        return scene.bet or None
    seat = scene.visible.seats[scene.seat]
    if phase == "settled":
        return seat.net if seat.hands else None
    return sum([hand.bet for hand in seat.hands]) or scene.bet or None


def bench_banner(canvas, x: int, y: int, ink: int = 1) -> None:
    """The mark of a table whose money is not real, 23 x 7, in colour `ink` on the other one."""
    canvas.box(x, y, _BANNER_WIDTH, 7, ink)
    canvas.text(font.TINY, _BANNER, x + 2, y + 1, 1 - ink)


def _told(scene) -> str:
    """The message that takes the whole line, "" for none."""
    return scene.message if scene.visible is not None and scene.phase in _ROUND else ""


def _seal(scene) -> str:
    """What is promised about the next shoe, where a press is enough to bet on it."""
    return scene.seal if scene.phase == "settled" else ""


def status_key(scene) -> tuple:
    """What `status` depends on."""
    bankroll = None if scene.phase == "locked" else scene.bankroll
    money = (bankroll, _amount(scene), scene.goal)
    return (scene.phase, _told(scene), money, scene.bench, scene.seat, scene.seats, _seal(scene))


def status(canvas, scene) -> None:
    """Bankroll left, bet or net result right, bench banner, seat and promise between; row 7 shows the way to the goal.

    What does not fit beside very large amounts is left out: first the word before the bet, then the seat; the result
    where there is a promise, because the picture below says it too. A message takes the whole line.
    """
    small = font.SMALL
    told = _told(scene)
    if told:
        canvas.box(0, 0, 128, 8, 1)
        canvas.text_center(small, told, 0, 128, 1, 0)
        return
    left = 0
    if scene.phase != "locked":
        left = canvas.text(small, money(scene.bankroll), 0, 0) + 2
    word, amount = _right_end(scene)
    seat = "SEAT " + str(scene.seat + 1) if scene.seats > 1 else ""
    banner = _BANNER_WIDTH if scene.bench else 0
    seal = _seal(scene)
    if seal and left + banner + small.width(seat + seal + amount) + _CLOSE > 128:
        amount = ""
    right = canvas.text_right(small, amount, 128, 0) - 3 if amount else 128
    room = right - left - banner - small.width(seal)
    word_width = small.width(word) + 3
    if word and room - word_width >= (small.width(seat) + 4 if seat else 0):
        right = canvas.text_right(small, word, right, 0) - 3
        room -= word_width
    if seat and small.width(seat) > room - (_CLOSE // 2 if seal else 0):
        seat = ""
    room -= small.width(seat)
    gap = room // (1 + (banner > 0) + (seat != "") + (seal != ""))
    if banner:
        bench_banner(canvas, left + gap, 0)
        left += gap + banner
    if seat:
        left = canvas.text(small, seat, left + gap, 0)
    canvas.text(small, seal, left + gap, 0)
    if scene.goal:
        _way(canvas, scene.bankroll, scene.goal)


def _right_end(scene) -> tuple:
    """A word and an amount."""
    amount = _amount(scene)
    if amount is None:
        return "", ""
    if scene.phase == "settled" and scene.visible is not None:
        return "", signed(amount)
    return "GOAL" if scene.phase == "betting" else "BET", money(amount)


def _way(canvas, bankroll: int, goal: int) -> None:
    """Row 7: solid as far as the bankroll has come, dotted up to the goal."""
    come = min(128, max(0, bankroll) * 128 // goal)
    canvas.hline(0, 7, come, 1)
    for x in range((come + 5) & ~3, 128, 4):
        canvas.pixel(x, 7, 1)
    canvas.pixel(127, 7, 1)


class Labels:
    """Page 7: a solid label above each key that does something now, white on black once its press has been taken.

    The answer to a finger must not wait for letters to be drawn: each label is drawn once and then copied.
    """

    def __init__(self, canvas) -> None:
        self._canvas = canvas
        self._page = canvas.pages[_LABEL_TOP // 8]
        self._pictures: dict = {}
        self._shown = [_BLANK] * 4

    def forget(self) -> None:
        """The page has been cleared, or holds something else where no label is."""
        self._shown = [_BLANK] * 4

    def draw(self, scene) -> None:
        """The attract picture shows one after the other, so that they do not burn in."""
        only = scene.frame & 3 if scene.phase == "attract" and not scene.page else -1
        for slot in range(4):
            label = scene.labels[slot] if only < 0 or slot == only else ""
            name = (label, scene.pressed >> slot & 1) if label else _BLANK
            if name != self._shown[slot]:
                self._shown[slot] = name
                column = 1 + slot * _SLOT
                self._page[column : column + _SLOT] = self._pictures.get(name) or self._picture(name, slot * _SLOT)

    def _picture(self, name: tuple, x: int) -> bytes:
        canvas = self._canvas
        label, pressed = name
        canvas.fill_rect(x, _LABEL_TOP, _SLOT, 8, 0)
        if label:
            canvas.box(x, _LABEL_TOP, _SLOT - 1, 8, 1)
            if pressed:
                # Six rows of text leave none for a whole outline: brackets at both sides stand for it.
                canvas.fill_rect(x + 1, _LABEL_TOP + 1, _SLOT - 3, 6, 0)
                canvas.fill_rect(x + 2, _LABEL_TOP, _SLOT - 5, 8, 0)
            canvas.text_center(font.SMALL, label, x, _SLOT - 1, _LABEL_TOP + 1, pressed)
        picture = bytes(self._page[1 + x : 1 + x + _SLOT])
        if len(self._pictures) >= _KEPT:
            self._pictures.clear()
        self._pictures[name] = picture
        return picture
