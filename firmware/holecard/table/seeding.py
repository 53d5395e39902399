"""Secrets that never come twice, even from a source of entropy that is stuck.

At power-on a seed is read from flash, mixed with everything else that is there, and replaced by its successor *before*
anything is drawn from it. So a power cut before the replacement has drawn nothing, and after it the seed is another.
"""

from hashlib import sha256

from holecard.table.drbg import Drbg

_BOOTS = 8  # bytes of the boot counter in a record
_RECORD = _BOOTS + 32


class SeedOrder(Exception):
    """A step of `Seeding` out of its order, or a record that did not come back from flash as it was written."""


class Seeding:
    """From power-on to the first secret, in three steps: `prepare`, `stored`, `begin`; anything else is SeedOrder.

    ``boots``: how often the table has been started, this time included.
    """

    def __init__(self, record: bytes, chip_id: bytes) -> None:
        """`record`: what the last start stored, b"" if there was none; ValueError if it is neither."""
        if record and len(record) != _RECORD:
            raise ValueError("not a record of a seed")
        self.boots = int.from_bytes(record[:_BOOTS], "big") + 1
        self._seed = record[_BOOTS:] or bytes(32)
        self._chip_id = chip_id
        self._drbg: "Drbg | None" = None
        self._record = b""
        self._safe = False

    def prepare(self, fresh: bytes) -> bytes:
        """The record to be stored now, in place of the old one; `fresh`: at least 32 bytes from the entropy source.

        May be repeated, as long as nothing was stored, when storing has failed.
        """
        if self._safe:
            raise SeedOrder("the successor is stored already")
        if len(fresh) < 32:
            raise ValueError("fewer than 32 bytes of entropy")
        counter = self.boots.to_bytes(_BOOTS, "big")
        self._drbg = Drbg(self._seed + fresh, counter + self._chip_id, b"holecard seed 1")
        self._record = counter + self._drbg.generate(32)
        return self._record

    def stored(self, read_back: bytes) -> None:
        """The record as it was read back from flash; SeedOrder unless it is the one that was prepared."""
        if not self._record or read_back != self._record:
            raise SeedOrder("the successor is not in flash")
        self._safe = True

    def begin(self) -> "Pool":
        """The pool of this start, once; SeedOrder until the successor is stored."""
        drbg = self._drbg
        if not self._safe or drbg is None:
            raise SeedOrder("the successor is not in flash" if not self._safe else "begun already")
        self._drbg = None
        # What is in flash says nothing about the state that is left here (drbg.py, `generate`).
        return Pool(drbg)


class Pool:
    """Secrets for one time that the table is on. Stirring adds and cannot choose: everything goes through a hash."""

    def __init__(self, drbg: Drbg) -> None:
        self._drbg = drbg
        self._stirred = b""

    def stir(self, data: bytes) -> None:
        """Adds what others have a part in: when buttons were pressed, what a host has sent."""
        self._stirred = sha256(b"stir" + self._stirred + data).digest()

    def secret(self, fresh: bytes) -> bytes:
        """32 bytes that are nobody's but the table's; `fresh`: at least 32 bytes from the entropy source."""
        self._drbg.reseed(fresh, self._stirred)
        self._stirred = b""
        return self._drbg.generate(32)
