"""Speaks enough of the table's language to be a table for the host: a few queries, one event, one error."""

from holecard.boards.pico import Board

IDENTITY = "Holecard,Table-pico,0,echo"
board = Board()


def send(text):
    data = text.encode()
    while data:
        took = board.write_from(data)
        data = data[took:]
        if not took:
            board.idle((board.now() + 1000) & 0x3FFFFFFF)


def answer(line):
    answers = []
    fault = '0,"No error"'
    for part in line.split(";"):
        if part == "*IDN?":
            answers.append(IDENTITY)
        elif part == ":SYST:ERR?":
            answers.append(fault)
        elif part == "KEYS?":
            answers.append(str(board.keys()))
        elif part == "EVENT":
            send("!EVT 1 " + str(board.now()) + ' {"event":"card","card":"As"}\n')
        elif part == "SAVE":
            board.save("record", line.encode())
        elif part == "LOAD?":
            answers.append((board.load("record") or b"none").decode().replace(";", " "))
        elif part == "CRASH":
            raise ValueError("asked for")
        elif part == "RESET":
            board.reset()
        elif part == "SILENT?":
            return
        elif part and part != "*CLS":
            fault = '-113,"Undefined header;' + part + '"'
    if answers:
        send(";".join(answers) + "\n")


line = bytearray()
buffer = bytearray(32)
while True:
    size = board.read_into(buffer)
    for byte in bytes(buffer[:size]):
        if byte == 10:
            answer(line.decode())
            line = bytearray()
        else:
            line.append(byte)
    board.lamps(board.keys())
    if not size:
        board.idle((board.now() + 50000) & 0x3FFFFFFF)
