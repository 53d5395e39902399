"""Evaluates each line that comes over the serial port, with the board in reach, and answers one line."""

import gc

from holecard.boards.pico import Board

board = Board()
kept = {}


def seconds(us):
    return (board.now() + us) & 0x3FFFFFFF


def collect(count):
    """The next `count` bytes from the port, whatever they are."""
    data = bytearray()
    buf = bytearray(16)
    while len(data) < count:
        data += bytes(buf[: board.read_into(buf)])
    return bytes(data)


def offer(size, passes):
    """How many bytes the port takes in so many passes, and the longest pass in microseconds."""
    took = 0
    longest = 0
    data = b"x" * size
    for _ in range(passes):
        before = board.now()
        took += board.write_from(data)
        longest = max(longest, (board.now() - before) & 0x3FFFFFFF)
    return took, longest


def waited(us):
    """How long `idle` took until it returned, and the keys it then sees."""
    board.keys()
    before = board.now()
    board.idle(seconds(us))
    return (board.now() - before) & 0x3FFFFFFF, board.keys()


def allocated():
    """Bytes that 20 passes over the methods of the steady state allocate; -1 where nobody counts them."""
    if not hasattr(gc, "mem_alloc"):
        return -1
    buf = bytearray(16)
    empty = b""
    board.lamps(5)  # the simulator writes down only changes
    gc.collect()
    before = gc.mem_alloc()
    for _ in range(20):
        board.now()
        board.keys()
        board.lamps(5)
        board.read_into(buf)
        board.write_from(empty)
        board.feed()
        board.idle(board.now())
    return gc.mem_alloc() - before


def send(text):
    data = text.encode()
    while data:
        data = data[board.write_from(data) :]


line = bytearray()
buffer = bytearray(1)  # what follows a line is for the expression in it
while True:
    size = board.read_into(buffer)
    if not size:
        board.idle(seconds(50000))
    for byte in bytes(buffer[:size]):
        if byte != 10:
            line.append(byte)
            continue
        text = line.decode()
        line = bytearray()
        try:
            answer = eval(text)
        except OSError as error:
            answer = "OSError " + str(error.args[0])
        send(str(answer) + "\n")
