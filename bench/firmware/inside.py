"""The table, until a round is being played; then what 100 passes with nothing to do take, and what the heap holds."""

import gc

from holecard.boards.pico import Board
from holecard.table.table import Table

_MASK = (1 << 30) - 1
board = Board()
table = Table(board)
gc.collect()
while table.game.phase != "playing" or table.pending():
    board.idle(table.step(board.now()))
for _ in range(50):
    board.idle(table.step(board.now()))
times = [0] * 100
# Every name is there before: a new one could make the dictionary of the names grow.
i = before = allocated = heap = 0
gc.collect()
heap = gc.mem_alloc()
for _ in range(100):
    table.step(board.now())
allocated = gc.mem_alloc() - heap
for i in range(100):
    before = board.now()
    table.step(before)
    times[i] = (board.now() - before) & _MASK
times.sort()
print("inside", times[50], times[99], allocated, heap)
while True:
    board.idle(table.step(board.now()))
