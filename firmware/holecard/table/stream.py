"""A stream of unbiased numbers from one secret seed: SHA-256 in counter mode."""

from hashlib import sha256


class Stream:
    """Numbers that whoever knows the seed can repeat, and nobody else can predict."""

    def __init__(self, seed: bytes) -> None:
        self._start(seed)

    def _start(self, seed: bytes) -> None:
        self._seed = bytes(seed)
        self._counter = 0
        self._block = b""
        self._used = 0

    def secret(self) -> bytes:
        """What `Stream` makes the same numbers from."""
        return self._seed

    def renew(self) -> None:
        """Goes on from another secret, for the next shoe, unless nothing was taken from this one."""
        if self._counter:
            self._start(sha256(b"next shoe" + self._seed).digest())

    def _byte(self) -> int:
        if self._used == len(self._block):
            hashed = sha256(self._seed)
            hashed.update(self._counter.to_bytes(8, "big"))
            self._block = hashed.digest()
            self._counter += 1
            self._used = 0
        self._used += 1
        return self._block[self._used - 1]

    def below(self, n: int) -> int:
        """A number in [0, n), each as likely as any other; n in 1..2^24.

        Values past the last whole multiple of n are drawn again: taking the remainder of all of them would
        favour the small numbers.
        """
        if not 0 < n <= 1 << 24:
            raise ValueError("n must be in 1..2^24")
        size = 1 if n <= 1 << 8 else 2 if n <= 1 << 16 else 3
        limit = (1 << (8 * size)) // n * n
        while True:
            value = 0
            for _ in range(size):
                value = value << 8 | self._byte()
            if value < limit:
                return value % n


def healthy(first: bytes, second: bytes) -> bool:
    """False if two draws from an entropy source show that it is stuck: equal, or of hardly any different bytes.

    Draws of 32 fair bytes hold fewer than 12 different values less often than once in 10^15.
    """
    return first != second and len(set(first)) >= 12 and len(set(second)) >= 12
