"""What asks for the bet."""

from holecard.table import font
from holecard.table.artwork import CHIP
from holecard.table.money import money

# What a newcomer should know of each preset; another rule set shows only its name.
_HINTS = {
    "sifl": ("Sifl & Olly", "Ace + J/Q/K pays 3:2"),
    "casino": ("Casino", "Blackjack pays 3:2"),
}
CHIP_X = 100


def amount(canvas, scene) -> None:
    """The bet in large digits, in the 100 columns from the left."""
    bet = money(scene.bet)
    canvas.text(font.SMALL, "YOUR BET", 2, 11)
    canvas.text(font.LARGE if font.LARGE.width(bet) < CHIP_X else font.HEAD, bet, 2, 20)


def chip(canvas, scene) -> None:
    """The chip by which the keys change the bet."""
    canvas.sprite(CHIP, CHIP_X, 10)
    canvas.text_center(font.SMALL, str(scene.chip // 2), CHIP_X, CHIP[1], 20, 0)


def advice(canvas, scene) -> None:
    """Below them: rules and payout, or a message."""
    lines = wrapped(scene.message) if scene.message else _HINTS.get(scene.rules_name, (scene.rules_name,))
    y = 38
    for line in lines:
        canvas.text(font.TEXT, line, 2, y)
        y += 9
    if scene.seal and not scene.message:
        canvas.text_right(font.SMALL, scene.seal, 128, 39)


def wrapped(message: str) -> list:
    """A message as at most two lines of 21 characters, broken at a blank where there is one."""
    if len(message) <= 21:
        return [message]
    cut = message.rfind(" ", 0, 22)
    if cut < 1:
        cut = 21
    return [message[:cut], message[cut:].strip()[:21]]
