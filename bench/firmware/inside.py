"""The table, until a round is being played; then what passes with nothing to do take, and what the heap holds."""

import gc

from holecard.boards.pico import Board
from holecard.table.table import Table

_MASK = (1 << 30) - 1
_SECONDS_US = 2_500_000
board = Board()
table = Table(board)
gc.collect()
while table.game.phase != "playing" or table.pending():
    board.idle(table.step(board.now()))
for _ in range(50):
    board.idle(table.step(board.now()))
times = [0] * 100
# Every name is there before: a new one could make the dictionary of the names grow.
i = before = allocated = heap = worst = due = end = 0
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
# Once a second there is more to do.
end = (board.now() + _SECONDS_US) & _MASK
while (end - board.now()) & _MASK < _MASK >> 1:
    before = board.now()
    due = table.step(before)
    worst = max(worst, (board.now() - before) & _MASK)
    board.idle(due)
print("inside", times[50], worst, allocated, heap)
while True:
    board.idle(table.step(board.now()))
