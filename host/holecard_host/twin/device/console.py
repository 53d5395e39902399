"""Stands for sys.stdin, sys.stdout and the module `select`: the serial port that USB offers.

Charges as measured on the chip, the interpreter's work around the call included: a poll 20 us, a byte read 20 us, a
write 40 us, however long it is.
"""

POLL_US = 20
READ_US = 20
WRITE_US = 40
STALL_US = 500000


class Input:
    """sys.stdin.buffer: a read blocks until all it asked for has come."""

    def __init__(self, link):
        self._link = link

    def readinto(self, buf):
        for index in range(len(buf)):
            buf[index] = self._take()
        return len(buf)

    def read(self, size):
        return bytes([self._take() for _ in range(size)])

    def _take(self):
        link = self._link
        while not link.rx:
            link.wait_input(1000000)
        byte = link.rx[0]
        link.rx = link.rx[1:]
        link.spend(READ_US)
        return byte


class Output:
    """sys.stdout.buffer: without room in the USB buffer a write stalls for 500 ms and then loses the byte.

    `write` takes an offset and a length too, as MicroPython's streams do.
    """

    def __init__(self, link):
        self._link = link
        self._byte = bytearray(1)

    def write(self, data, offset=0, length=-1):
        link = self._link
        end = offset + length if length >= 0 else len(data)
        link.spend(WRITE_US)
        for index in range(offset, end):
            if link.room() <= 0:
                link.spend(STALL_US)
                continue
            self._byte[0] = data[index]
            link.transmit(self._byte)
        return end - offset

    def flush(self):
        pass


class TextInput:
    """sys.stdin."""

    def __init__(self, link):
        self.buffer = Input(link)


class TextOutput:
    """sys.stdout: the text layer sends CR LF for LF."""

    def __init__(self, link):
        self.buffer = Output(link)

    def write(self, text):
        self.buffer.write(text.replace("\n", "\r\n").encode())
        return len(text)

    def flush(self):
        pass


class Select:
    """The module `select`, as far as it serves these two streams."""

    POLLIN = 1
    POLLOUT = 4

    def __init__(self, link):
        self._link = link

    def poll(self):
        return Poll(self._link)


class Poll:
    """A poll object; `ipoll` gives what `poll` gives."""

    def __init__(self, link):
        self._link = link
        self._ready_input: tuple = ()
        self._ready_output: tuple = ()

    def register(self, stream, flags=5):
        if flags & 1:
            self._ready_input = ((stream, 1),)
        if flags & 4:
            self._ready_output = ((stream, 4),)

    def ipoll(self, timeout=-1):
        link = self._link
        link.spend(POLL_US)
        if self._ready_output and link.room() > 0:
            return self._ready_output
        if timeout and not link.rx:
            if timeout < 0:
                while not link.rx:
                    link.wait_input(1000000)
            else:
                link.wait_input(timeout * 1000)
        if self._ready_input and link.rx:
            return self._ready_input
        return ()

    def poll(self, timeout=-1):
        return list(self.ipoll(timeout))
