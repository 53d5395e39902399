"""A board in memory: its clock moves only when a test says so, its panel takes everything, its port is two buffers."""

from hashlib import sha256

from holecard.table.ticks import add, diff

# A test clock starts shortly before the wrap, so that the test crosses it, unless it asks for another start.
START = (1 << 30) - 200_000


class FakeBoard:
    """See holecard.boards for the methods. `pass_us` is what one look at the clock costs.

    `files` is what it has stored, `mask` what `keys` answers, `sounds` what was played, `fed` how often the watchdog
    was; `space` what `room` answers, `sources` the files of its program; with `broken` the storage cannot be read;
    `entropy` gives the bytes that are asked for, if there is to be another source; `marked` says that it once held
    something; the port takes `packet` bytes at a time.
    """

    name = "fake"
    screen = ("ssd1306", 0, 0x3C)

    def __init__(
        self,
        seed=b"\x01",
        files=None,
        pass_us=50,
        start=START,
        mode="bench",
        problem="",
        broken=False,
        marked=False,
        operator=("", b""),
        entropy=None,
    ):
        self.mode = mode
        self.chosen = mode
        self.operator = operator
        self.problem = problem
        self.broken = broken
        self.marked = marked
        self.space = (None, None, 65536, 131072)
        self.sources = {}
        self.sounds = []
        self.fed = 0
        self.time = start
        self.pass_us = pass_us
        self.elapsed = 0
        self.mask = 0
        self.lit = 0
        self.rx = bytearray()
        self.tx = bytearray()
        self.reads = True
        self.packet = 32
        self.panel = True
        self.sent = 0
        self.files = dict(files or {})
        self.saves = 0
        self._seed = seed
        self._entropy = entropy
        self._drawn = 0

    def now(self):
        self.skip(self.pass_us)
        return self.time

    def skip(self, us):
        self.time = add(self.time, us)
        self.elapsed += us

    def keys(self):
        return self.mask

    def lamps(self, mask):
        self.lit = mask

    def i2c_write(self, addr, buf):
        if not self.panel:
            raise OSError(5)
        self.sent += len(buf)
        self.skip(len(buf) * 23)

    def read_into(self, buf):
        count = min(len(buf), len(self.rx), (self.rx.find(b"\x03") + 1) or len(buf))
        if count:
            buf[:count] = self.rx[:count]
            self.rx = self.rx[count:]
        return count

    def write_from(self, buf):
        if not self.reads:
            return 0
        count = min(self.packet, len(buf))
        self.tx += bytes(buf[:count])
        return count

    def entropy(self, n):
        if self._entropy:
            return self._entropy(n)
        out = b""
        while len(out) < n:
            out += sha256(bytes(self._seed) + b"/%d" % self._drawn).digest()
            self._drawn += 1
        return out[:n]

    def unique_id(self):
        return b"\xfa\xce"

    def load(self, name):
        if self.broken:
            raise OSError(5)
        return self.files.get(name)

    def save(self, name, data):
        self.files[name] = bytes(data)
        self.saves += 1

    def kept(self):
        return self.marked or self.saves > 0

    def choose_mode(self, mode):
        self.chosen = mode
        return ""

    def room(self):
        return self.space

    def program(self):
        for name in sorted(self.sources):
            yield name
            for at in range(0, len(self.sources[name]), 512):
                yield self.sources[name][at : at + 512]

    def sound(self, name):
        self.sounds.append(name)

    def feed(self):
        self.fed += 1

    def idle(self, due):
        self.skip(max(0, min(diff(due, self.time), 2000)))

    def reset(self):
        raise SystemExit
