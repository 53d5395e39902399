"""How much a steady stream of changes allocates, on MicroPython: prints the bytes, and the flushes that were needed."""

import gc

from holecard.drivers.panel import Panel
from holecard.table.canvas import Canvas


class Board:
    def now(self):
        return 0

    def i2c_write(self, address, data):
        pass


def change(canvas, step):
    for page in (1, 6):
        row = canvas.pages[page]
        for column in range(20):
            row[1 + 2 * step + column] = step + column & 255


def run(kind, offset):
    canvas = Canvas()
    panel = Panel(Board(), canvas, 0x3C, kind, offset)
    while panel.flush_some():
        pass
    gc.collect()
    flushes = 0
    before = gc.mem_alloc()
    for step in range(1, 51):
        change(canvas, step)
        flushes += 1
        while panel.flush_some():
            flushes += 1
        panel.contrast(step)
        flushes += 2
        panel.flush_some()
    print(gc.mem_alloc() - before)
    print(flushes)
