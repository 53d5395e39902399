"""Watches the entropy source: the health tests of NIST SP 800-90B (January 2018), sections 4.3 and 4.4.

The tests know only how much entropy each byte is said to hold at least. A good source fails any of them less often than
once in 2^30 windows; a source that is stuck, knows few values or repeats itself fails within 1,024 bytes.
"""

SAMPLES = 1024  # of the start-up test: section 4.3, item 10

# What a byte of a board is taken to hold: half of what it should, so that a good source has room for wear.
_BITS = 4

# Section 4.4.2: 1 + the smallest count that a window exceeds with a chance of at most 2^-30, for 1 to 8 bits a byte:
# C = 1 + critbinom(512, 2^-bits, 1 - 2^-30).
_WINDOW = 512
_PROPORTION = (325, 190, 114, 71, 46, 31, 22, 16)


class EntropyFault(Exception):
    """The source has failed a test; the reason is one of "stuck", "few values", "repeats". It stays failed."""


class Health:
    """The tests, byte by byte; `feed` allocates nothing.

    ``failure``: "" or the reason of EntropyFault, for good; ``left``: bytes that the start-up test still needs.
    """

    def __init__(self, bits: int = _BITS) -> None:
        """`bits`: the whole bits of entropy that a byte is taken to hold at least, 1 to 8."""
        if not 1 <= bits <= 8:
            raise ValueError("bits must be in 1..8")
        self.failure = ""
        self.left = SAMPLES
        # Section 4.4.1: C = 1 + ceil(30 / bits).
        self._run_limit = 1 - -30 // bits
        self._run_value = -1
        self._run = 0
        self._share_limit = _PROPORTION[bits - 1]
        self._share_value = -1
        self._share = 0
        self._seen = 0
        # Ours (section 4.5 allows more): SAMPLES bytes long, a mark of the first few must not come again. It catches
        # what the other two let pass: a shift register whose oscillator has stopped goes round all its values.
        self._mark = bytearray(-(-40 // bits))
        self._marked = 0
        self._matched = 0
        self._until_mark = 0

    def feed(self, sample: int) -> None:
        """Takes one byte into account."""
        if sample == self._run_value:
            self._run += 1
            if self._run >= self._run_limit:
                self._fail("stuck")
        else:
            self._run_value = sample
            self._run = 1
        if not self._seen:
            self._share_value = sample
            self._share = 0
        if sample == self._share_value:
            self._share += 1
            if self._share >= self._share_limit:
                self._fail("few values")
        self._seen = (self._seen + 1) % _WINDOW
        self._compare(sample)
        if self.left:
            self.left -= 1

    def _compare(self, sample: int) -> None:
        mark = self._mark
        if not self._until_mark:
            self._until_mark = SAMPLES
            self._marked = self._matched = 0
        self._until_mark -= 1
        if self._marked < len(mark):
            mark[self._marked] = sample
            self._marked += 1
            return
        if sample != mark[self._matched]:
            self._matched = 0
        if sample == mark[self._matched]:
            self._matched += 1
            if self._matched == len(mark):
                self._matched = 0
                self._fail("repeats")

    def _fail(self, reason: str) -> None:
        self.failure = self.failure or reason


class Entropy:
    """A source whose every byte is watched. `source(n)` gives n bytes."""

    def __init__(self, source, bits: int = _BITS) -> None:
        self._source = source
        self.health = Health(bits)

    def start(self, count: int = SAMPLES) -> bool:
        """Takes up to `count` bytes of the start-up test, which are never used; True when it is over. EntropyFault."""
        left = min(count, self.health.left)
        while left > 0:
            self._watched(min(left, 64))
            left -= 64
        return not self.health.left

    def draw(self, count: int) -> bytes:
        """`count` bytes from a source that has passed every test so far, else EntropyFault."""
        self.start()
        return self._watched(count)

    def _watched(self, count: int) -> bytes:
        health = self.health
        data = b"" if health.failure else self._source(count)
        for sample in data:
            health.feed(sample)
        if health.failure:
            raise EntropyFault(health.failure)
        return data
