"""Draws on whichever frame buffer this Python has and prints what came out, one line of hex per picture.

    python drawing.py REPOSITORY random|scenes

Runs on CPython (pure-Python buffer) and MicroPython (its own framebuf).
"""

import binascii
import sys

if __name__ == "__main__":
    sys.path[:0] = [sys.argv[1], sys.argv[1] + "/firmware"]

from tests.table.scenes import scenes

from holecard.table import cardart, font
from holecard.table import sprites as pictures
from holecard.table.canvas import Canvas
from holecard.table.view import View

ROUNDS = 60
STEPS = 40


class Dice:
    """The same numbers everywhere: a linear congruential generator's upper bits."""

    def __init__(self, seed):
        self.state = seed

    def below(self, n):
        self.state = (self.state * 1103515245 + 12345) & 0x7FFFFFFF
        return (self.state >> 8) % n


def random_pictures():
    """Every verb of the canvas, on and across all borders, (hex, prefixes intact) per picture."""
    sprites = (cardart.CHESTER, cardart.SPADE, cardart.BACK, cardart.TEN_SMALL, cardart.PADLOCK)
    fonts = (font.SMALL, font.TINY, font.TEXT, font.HEAD, font.LARGE, pictures.OUTCOME)
    canvas = Canvas()
    for seed in range(ROUNDS):
        dice = Dice(seed * 7919 + 1)
        canvas.fill(dice.below(2))
        for _ in range(STEPS):
            x, y = dice.below(180) - 40, dice.below(110) - 30
            w, h, c = dice.below(70) - 3, dice.below(40) - 3, dice.below(2)
            verb = dice.below(11)
            if verb == 0:
                canvas.fill_rect(x, y, w, h, c)
            elif verb == 1:
                canvas.rect(x, y, w, h, c)
            elif verb == 2:
                canvas.hline(x, y, w, c)
            elif verb == 3:
                canvas.vline(x, y, h, c)
            elif verb == 4:
                canvas.pixel(x, y, c)
                canvas.pixel(w & 127, h & 63, 1 - (canvas.pixel(w & 127, h & 63) or 0))
            elif verb == 5:
                canvas.sprite(sprites[dice.below(len(sprites))], x, y, c)
            elif verb == 6:
                canvas.stamp(sprites[dice.below(len(sprites))], x, y)
            elif verb == 7:
                canvas.box(x, y, w, h, c)
            elif verb == 8:
                canvas.frame(x, y, w, h, c)
            elif verb == 9:
                canvas.text_cells(font.TEXT, "~Ag{}", x, y, 6, c)
            else:
                canvas.text(fonts[dice.below(len(fonts))], "$1,234.50 AJKQ !?", x, y, c)
        yield "random-" + str(seed), canvas


def scene_pictures():
    """Every golden scene."""
    canvas = Canvas()
    view = View(canvas)
    for name, scene in scenes():
        view.draw(scene)
        yield name, canvas


def lines(kind):
    """`name hex` of every picture, page prefixes included."""
    for name, canvas in random_pictures() if kind == "random" else scene_pictures():
        yield name + " " + binascii.hexlify(canvas.buf).decode()


if __name__ == "__main__":
    for line in lines(sys.argv[2]):
        print(line)
