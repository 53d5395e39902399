"""The clock of the simulated Pico, and the private pipe to the simulator that owns it.

The simulator sends one grant a line, a JSON object; every field but `until` may be missing:

    until     run to this instant (microseconds since the simulation began; never wraps)
    rx        bytes that arrive at the serial port now, hexadecimal
    drop      true: what arrived earlier and has not been read is lost
    edges     [[instant, mask of the GPIOs that outside hardware holds low from then on], ...]
    lines     stop early once this many lines have been written (lines that start with "!" do not count)
    idle      true: stop early when the firmware waits and has nothing to read
    stop_tx   true: the host does not read the serial port; holds until changed
    bus       addresses that answer on the I2C bus; holds until changed
    faults    [[kind, skip, count, kept], ...]: after `skip` transfers, `count` of them fail as "nak" or "timeout" with
              `kept` bytes received; replaces the faults before
    refuse    [skip, count]: after `skip` flash operations, `count` of them raise OSError and write nothing
    cut       stop with "cut" instead of carrying out the flash operation after this many

The answer is any number of records and the line `a <instant> <why>`, why = until, lines, idle, cut, reset or watchdog.
Records:

    t <instant> <hex>              bytes written to the serial port
    i <instant> <address> <hex>    a write on the I2C bus, as far as it was received
    l <instant> <mask>             GPIOs driven high
    p <instant> <gpio> <hertz>     a square wave on a GPIO; 0 Hz when it ends
    f <instant> write <name> <hex> | f <instant> rename <old> <new> | f <instant> remove <name>
    w <instant> <programs> <erases> wear of the flash since power-on
    j <instant> <text>             a line for the journal of a system that has one

Time passes only in calls of the simulated hardware, each with a fixed charge, so that the same grants give the same
records on every interpreter.
"""

import json
from binascii import hexlify, unhexlify

TICKS_MASK = (1 << 30) - 1
_NAK = 5  # EIO: what MicroPython's rp2 port raises for an address or byte that nobody acknowledges
_PIECE = 64  # bytes of a line in one record
_PACKET = 64  # bytes of one packet of USB
_TIMEOUT = 110  # ETIMEDOUT


class Link:
    """`source` and `sink` are the binary streams of the pipe; the first line that arrives describes the machine."""

    def __init__(self, source, sink):
        self._source = source
        self._sink = sink
        self.machine = json.loads(source.readline())
        self.now = self.machine["now"]
        self.until = self.now
        self._zero = self.now - self.machine["ticks"]
        self.low = self.machine["low"]
        self.rx = bytearray()
        self.interrupt = 3
        self.high = 0
        self.stop_tx = False
        self._edges = []
        self._lines = 0
        self._idle = False
        self._bus = []
        self._faults = []
        self._refuse = (0, 0)
        self._cut = -1
        self._bites = 0
        self._limit = 0
        self._line = bytearray()
        self._first = 0
        self._held = bytearray()
        self._take()

    def since_power_on(self):
        """Microseconds on the clock of the device, which may begin with more than none."""
        return self.now - self._zero

    def ticks(self):
        """The same modulo 2^30."""
        return (self.now - self._zero) & TICKS_MASK

    def spend(self, us):
        """Let `us` microseconds pass."""
        self.now += us
        if self.now > self._limit:
            goal = self.now
            while goal > self._limit:
                self._reach_limit()
            self.now = goal

    def wait_input(self, us):
        """Let time pass until bytes arrive, at most `us` microseconds."""
        if self.rx:
            return
        goal = self.now + us
        if self._idle:
            self.stop("idle")
        while not self.rx and goal > self._limit:
            self._reach_limit()
        if not self.rx:
            self.now = goal

    def watch(self, us):
        """Let the watchdog reset the device in `us` microseconds, unless this is called again before."""
        self._bites = self.now + us
        self._limit = min(self.until, self._bites)

    def tone(self, gpio, hertz):
        """A square wave begins on a GPIO; 0 Hz ends it."""
        self._record("p %d %d %d" % (self.now, gpio, hertz))

    def held_low(self):
        """Mask of the GPIOs that outside hardware holds low now."""
        edges = self._edges
        while edges and edges[0][0] <= self.now:
            self.low = edges.pop(0)[1]
        return self.low

    def drive(self, mask):
        """Set the mask of the GPIOs driven high."""
        if mask != self.high:
            self.high = mask
            self._record("l %d %d" % (self.now, mask))

    def room(self):
        """How many bytes the serial port takes without stalling: the buffer of USB is 256 bytes long."""
        return 256 - len(self._held) if self.stop_tx else 256

    def packet_waits(self, second):
        """Whether this of USB's two buffers waits for the host, which took the first one where both were filled."""
        return len(self._held) > _PACKET if second else 0 < len(self._held) <= _PACKET

    def transmit(self, data):
        """Hand a byte to the serial port; lines are recorded whole up to a length that spares the firmware's memory."""
        if self.stop_tx:
            self._held += data
            return
        self._line += data
        # A grant may end in the middle of a line, so the line's first byte is kept apart.
        if not self._first:
            self._first = data[0]
        if data[-1] == 10:
            counts = self._first != 33
            self._first = 0
            self._flush_line()
            if self._lines and counts:
                self._lines -= 1
                if not self._lines:
                    self.stop("lines")
        elif len(self._line) >= _PIECE:
            self._flush_line()

    def transfer(self, address, data, bit_us_x16):
        """A write on the bus. Raises OSError as MicroPython does."""
        size = len(data)
        kept = size
        error = 0
        if address not in self._bus:
            kept = -1
            error = _NAK
        for fault in self._faults:
            if fault[1]:
                fault[1] -= 1
            elif fault[2] and not error:
                fault[2] -= 1
                kept = min(fault[3], size)
                error = _NAK if fault[0] == "nak" else _TIMEOUT
        self.spend(((1 + max(kept, 0)) * 9 * bit_us_x16 >> 4) + (50000 if error == _TIMEOUT else 10))
        if kept >= 0:
            self._record("i %d %d %s" % (self.now, address, hexlify(data[:kept]).decode()))
        if error:
            raise OSError(error)

    def answers(self, address):
        """Whether something acknowledges this address."""
        return address in self._bus

    def flash(self, text, wear_us, programs, erases):
        """Carry out a flash operation that takes `wear_us`."""
        self.operate(wear_us)
        self.kept(text)
        self._record("w %d %d %d" % (self.now, programs, erases))

    def operate(self, us):
        """An operation of the storage takes so long, unless the power fails instead; OSError if it is refused."""
        if self._cut == 0:
            self.stop("cut")
        self._cut -= 1
        self.spend(us)
        skip, count = self._refuse
        if skip:
            self._refuse = (skip - 1, count)
        elif count:
            self._refuse = (0, count - 1)
            raise OSError(_NAK)

    def kept(self, text):
        """What the storage now holds, or no longer, whatever happens to the power: a record of kind f."""
        self._record("f %d %s" % (self.now, text))

    def log(self, text):
        """A line for the journal of the system that the firmware runs on."""
        self._record("j %d %s" % (self.now, text))

    def stop(self, why):
        """Tell the simulator how far time got, and wait for the next grant."""
        self._flush_line()
        self._record("a %d %s" % (self.now, why))
        self._sink.flush()
        self._take()

    def close(self):
        """Hand on what has been sent: the firmware has ended."""
        self._flush_line()
        self._sink.flush()

    def _reach_limit(self):
        self.now = self._limit
        self.stop("watchdog" if self._limit == self._bites else "until")

    def _flush_line(self):
        if self._line:
            self._send_bytes(self._line)
            self._line = bytearray()

    def _send_bytes(self, data):
        self._record("t %d %s" % (self.now, hexlify(data).decode()))

    def _record(self, text):
        self._sink.write(text.encode() + b"\n")

    def _take(self):
        line = self._source.readline()
        if not line:
            # The simulator is gone: so is the power.
            raise SystemExit
        grant = json.loads(line)
        self.until = grant["until"]
        self._limit = min(self.until, self._bites) if self._bites else self.until
        self._lines = grant.get("lines", 0)
        self._idle = grant.get("idle", False)
        self._edges.extend(grant.get("edges", ()))
        self._bus = grant.get("bus", self._bus)
        self._faults = grant.get("faults", self._faults)
        self._refuse = grant.get("refuse", self._refuse)
        self._cut = grant.get("cut", self._cut)
        if grant.get("stop_tx", self.stop_tx) != self.stop_tx:
            self.stop_tx = not self.stop_tx
            if not self.stop_tx and self._held:
                held, self._held = self._held, bytearray()
                self._send_bytes(held)
        if "drop" in grant:
            self.rx = bytearray()
        if "rx" in grant:
            self.rx.extend(unhexlify(grant["rx"]))
            if self.interrupt >= 0 and self.rx.find(bytes([self.interrupt])) >= 0:
                self.rx = bytearray()
                raise KeyboardInterrupt
