"""Runs under CPython and MicroPython alike: one session over the wire, printed; the memory that an idle loop takes; and
tables of all sizes, opened one after the other on a small heap.

Arguments: the folders to import from, then `session`, `idle` or `tables`.
"""

import gc
import sys

sys.path[:0] = sys.argv[1:3]

from fake_board import FakeBoard  # noqa: E402 - the folder comes from the command line

from holecard.table.table import Table  # noqa: E402

LINES = (
    "*IDN?;*TST?;*ESR?",
    "SYST:HELP:HEAD?",
    "SYST:COMM:EVEN ON;:SYST:ERR?",
    "FOO;:ROUN:BET 0,x;BET 0,9999;:SYST:ERR?;ERR?;ERR?;ERR?",
    "TABL:STAT?;RUL?;HINT?",
    'BENC:SEED "0102030405060708";:ROUN:BET 0,25;DEAL;*OPC?;:TABL:STAT?',
    "BENC:PRES STAND,700;*OPC?;:TABL:STAT?;HINT?;:DISP:DATA?",
    "BENC:PRES HIT,60;*OPC?;:BENC:PRES STAND,60;*OPC?;:TABL:STAT?;DEAL?",
    "BENC:PRES DOUBLE,60;*OPC?;:DISP:DATA?",
    'BENC:RUL casino;SEAT 3;:ROUN:BET 0,10;BET 1,0;BET 2,55;:BENC:SHOE "8,9,A,8,9,10,3,10,2,10,5";:SYST:ERR?',
    "ROUN:DEAL;*OPC?;:TABL:STAT?;:DISP:DATA?",
    "ROUN:ACT 0,INS;ACT 2,NOINS;*OPC?;:TABL:STAT?;:DISP:DATA?",
    "TABL:HIST?;DEAL?;:ROUN:NEXT;*OPC?;:TABL:STAT?",
    'BENC:SHOE "8,9,6,8,9,10,3,10,2,10,5,5,5,5,5,5,5";:ROUN:DEAL;ACT 0,SPL;ACT 0,HIT;*OPC?;:TABL:STAT?;:DISP:DATA?',
    "ROUN:ACT 0,STAND;ACT 0,STAND;*OPC?;:TABL:STAT?",
    "BENC:PRES DOUBLE,60;*OPC?;:TABL:STAT?;:BENC:PRES STAND,60;*OPC?",
    "BENC:PRES DOUBLE,60;*OPC?;:TABL:STAT?;:DISP:DATA?",
    "SYST:ERR?;:TABL:HIST?;*STB?;:SYST:EVEN:COUN?;DROP?;:DIAG:LAMP?",
)


def session():
    board = FakeBoard()
    table = Table(board)
    for line in LINES:
        print(">", line)
        board.rx += line.encode() + b"\n"
        answered = False
        limit = board.elapsed + 30_000_000
        while not answered and board.elapsed < limit:
            board.idle(table.step(board.now()))
            while b"\n" in board.tx:
                # Cut off at once: a growing buffer would need ever larger pieces of a small heap.
                end = board.tx.find(b"\n") + 1
                text = bytes(board.tx[:end]).decode()
                board.tx = bytearray(board.tx[end:])
                print(text, end="")
                answered = answered or not text.startswith("!EVT")
    for name in sorted(board.files):
        print(name, board.files[name])


def idle():
    board = FakeBoard()
    table = Table(board)
    for _ in range(2000):
        board.idle(table.step(board.now()))
    gc.collect()
    gc.disable()
    before = gc.mem_alloc()
    for _ in range(1000):
        table.step(board.now())
        board.skip(2000)
    after = gc.mem_alloc()
    print(after - before)


TABLES = (
    "BENC:RUL casino;SEAT 7",
    "ROUN:DEAL;*OPC?;:TABL:STAT?;DEAL?;:DISP:DATA?",
    "BENC:RUL:SET decks,8;SET decks,7",
    "BENC:RUL sifl;RUL casino",
    "ROUN:BET 0,10;DEAL;ACT 0,S;*OPC?;:ROUN:NEXT",
    'BENC:SEED "00ff";SEED "00fe";SEAT 7;SEAT 1;SEAT 7',
)


def tables():
    board = FakeBoard()
    table = Table(board)
    for _turn in range(40):
        for line in TABLES:
            board.rx += (line + ";:SYST:ERR:COUN?\n").encode()
            answered = False
            while not answered:
                board.idle(table.step(board.now()))
                answered = b"\n" in board.tx
                board.tx = bytearray()
        # What the board remembers for tests is not the table's.
        board.sounds.clear()
    print(table.game.seats, table.game.rules.decks)


{"session": session, "idle": idle, "tables": tables}[sys.argv[3]]()
