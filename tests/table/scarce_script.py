"""Runs under MicroPython on a heap that may be too small: rounds over the wire and by hand, and whenever the memory is
not enough, a restart on what the board has stored. Prints whether the money is right, and what happened.

Arguments: the folders to import from, and how many KiB of the heap are left once the table has started.
"""

import gc
import sys

sys.path[:0] = sys.argv[1:3]

from fake_board import FakeBoard  # noqa: E402 - the folder comes from the command line

from holecard.table.table import Table  # noqa: E402

LINES = (
    "BENC:RUL casino;SEAT 7",
    "ROUN:BET 0,25;DEAL;*OPC?;:TABL:STAT?;:DISP:DATA?",
    "ROUN:ACT 0,S;ACT 1,S;ACT 2,S;ACT 3,S;ACT 4,S;ACT 5,S;ACT 6,S;*OPC?;:TABL:HIST?;:ROUN:NEXT",
    "BENC:RUL:SET decks,8;:SYST:HELP:HEAD?;:TABL:RUL?;MET?",
    "BENC:PRES HIT,60;*OPC?;:BENC:PRES STAND,60;*OPC?;:DISP:DATA?",
)


def start(files):
    board = FakeBoard(files=files)
    return board, Table(board)


def say(board, table, line):
    """Sends a line, and lets the table come to rest."""
    board.rx += line.encode() + b"\n"
    end = board.elapsed + 20_000_000
    while board.elapsed < end and (board.rx or table.wire.active or table.pending()):
        board.idle(table.step(board.now()))
        board.tx = bytearray()
    board.sounds.clear()


def fill(left):
    """Takes up the heap until so many bytes are left, and the holes between what is there."""
    gc.collect()
    ballast = [None] * 2000
    count = 0
    try:
        while True:
            ballast[count] = bytearray(512)
            count += 1
    except MemoryError:
        pass
    for i in range(max(count - left // 512, 0), count):
        ballast[i] = None
    return ballast


def main(left):
    restarts = closed = 0
    board, table = start({})
    # What it loads while it rests belongs to it.
    for _ in range(100):
        board.idle(table.step(board.now()))
    ballast = fill(left)
    held = len(ballast)
    for _ in range(3):
        for line in LINES:
            try:
                table.take_stock()
                closed += bool(table.house.scarce)
                say(board, table, line)
            except MemoryError:
                # As start.py does on an arcade table.
                files = board.files
                board = table = None
                restarts += 1
                while table is None:
                    try:
                        gc.collect()
                        board, table = start(files)
                    except MemoryError:
                        # A table that cannot start: somebody unplugs what takes up the memory.
                        for i in range(held // 2, held):
                            ballast[i] = None
                        held //= 2
    files = board.files
    board = table = ballast = None
    gc.collect()
    board, table = start(files)
    game = table.game
    there = sum([game.bankroll(seat) for seat in range(game.seats)])
    staked = sum([seat.bet for seat in game.visible.seats]) if game.in_round else 0
    print("locked", repr(game.message), "money", there + staked == game.accounts.expected())
    print("restarts", restarts, "closed", closed, "rounds", game.accounts.meters[2])


main(int(sys.argv[3]) * 1024)
