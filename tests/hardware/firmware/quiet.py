"""The table on its board; says what 100 passes with nothing to do, and five seconds of waiting, allocate: when betting,
and when playing a hand.
"""

import gc

from holecard.boards.pico import Board
from holecard.table.table import Table

board = Board()
table = Table(board)
# Every name is there before: a new one could make the dictionary of the names grow.
told = ""
heap = allocated = now = 0


def said(text):
    data = text.encode()
    while data:
        data = data[board.write_from(data) :]


while True:
    phase = table.game.phase
    if phase != told and phase in ("betting", "playing") and not table.pending():
        for _ in range(20):
            table.step(board.now())
        gc.collect()
        heap = gc.mem_alloc()
        for _ in range(100):
            table.step(board.now())
        for _ in range(5):
            board.idle(table.step(board.now()))
        allocated = gc.mem_alloc() - heap
        told = phase
        said(phase + " " + str(allocated) + " " + str(table.panel.present) + "\n")
    board.idle(table.step(board.now()))
