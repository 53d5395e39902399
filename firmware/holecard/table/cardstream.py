"""Unbiased numbers from an HMAC_DRBG: the cards of a shoe."""

from holecard.table.drbg import Drbg

# Bytes of one request: 32 to 64 cards. Part of the fairness proof (docs/fairness.md): another size deals other cards.
_BLOCK = 64


class CardStream:
    """Numbers that whoever can make the same `drbg` can repeat, and nobody else can predict."""

    def __init__(self, drbg: Drbg) -> None:
        self._drbg = drbg
        self._block = b""
        self._left = 0

    def below(self, n: int) -> int:
        """A number in [0, n), each as likely as any other; n in 1..2^24, else ValueError.

        Values past the last whole multiple of n are drawn again: taking the remainder of all of them would
        favour the small numbers.
        """
        if not 0 < n <= 1 << 24:
            raise ValueError("n must be in 1..2^24")
        size = 1 if n <= 1 << 8 else 2 if n <= 1 << 16 else 3
        limit = (1 << (8 * size)) // n * n
        left = self._left
        while True:
            value = 0
            for _ in range(size):
                if not left:
                    self._block = self._drbg.generate(_BLOCK)
                    left = _BLOCK
                value = value << 8 | self._block[-left]
                left -= 1
            if value < limit:
                self._left = left
                return value % n
