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

_MARK_EVERY = SAMPLES + 8


class EntropyFault(Exception):
    """The source has failed a test, for good: it "is stuck", "knows few values" or "repeats itself"."""


class Health:
    """The tests, without an allocation for any byte.

    ``failure``: "" or the reason of EntropyFault, for good; ``left``: bytes that the start-up test still needs.
    """

    def __init__(self, bits: int = _BITS) -> None:
        """`bits`: the whole bits of entropy that a byte is taken to hold at least, 1 to 8."""
        if not 1 <= bits <= 8:
            raise ValueError("bits must be in 1..8")
        self.failure = ""
        self.left = SAMPLES
        # Section 4.4.1: C = 1 + ceil(30 / bits).
        self.run_limit = 1 - -30 // bits
        self._run_of = -1
        self._run = 0
        self.share_limit = _PROPORTION[bits - 1]
        self._share_of = -1
        self._share = 0
        self._window_left = 0
        # Ours (section 4.5 allows more): a mark of the first bytes must not come again among the next 1,024. It catches
        # what the other two let pass: a shift register whose oscillator has stopped goes round all its values.
        self.mark = bytearray(-(-40 // bits))
        self._matched = 0
        self._place = 0

    def feed(self, data: bytes) -> None:
        """Takes these bytes into account, one by one."""
        # In locals: an attribute costs the Pico as much as all the rest of a byte.
        run_of, run, run_limit = self._run_of, self._run, self.run_limit
        share_of, share, share_limit = self._share_of, self._share, self.share_limit
        window_left = self._window_left
        mark, size, matched, place = self.mark, len(self.mark), self._matched, self._place
        for sample in data:
            if sample != run_of:
                run_of = sample
                run = 0
            run += 1
            if run == run_limit:
                self._fail("is stuck")
            if not window_left:
                window_left = _WINDOW
                share_of = sample
                share = 0
            window_left -= 1
            if sample == share_of:
                share += 1
                if share == share_limit:
                    self._fail("knows few values")
            if place < size:
                mark[place] = sample
            elif sample == mark[matched]:
                matched += 1
                if matched == size:
                    matched = 0
                    self._fail("repeats itself")
            elif matched:
                matched = 1 if sample == mark[0] else 0
            place += 1
            if place == _MARK_EVERY:
                place = matched = 0
        self._run_of, self._run = run_of, run
        self._share_of, self._share, self._window_left = share_of, share, window_left
        self._matched, self._place = matched, place
        self.left = max(0, self.left - len(data))

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
        health.feed(data)
        if health.failure:
            raise EntropyFault(health.failure)
        return data
