"""Secrets for the shoes: the watched source of entropy, the seed from flash, what can be done while nobody waits."""

from holecard.rules.ruleset import Refused
from holecard.table.entropy import Entropy, EntropyFault
from holecard.table.seeding import Pool, Seeding, SeedOrder

_FRESH = 32
# Bytes of the start-up test in one piece, 2 ms on a Pico.
_PIECE = 64


class Chance:
    """From `record`, the last start's, and the board's entropy. `strict`: a source that fails its tests ends it all.

    ``fault``: what is wrong with the source, "" as long as nothing is known to be; ``ready``: secrets can be had.
    """

    def __init__(self, board, record: bytes, strict: bool) -> None:
        self._board = board
        self._strict = strict
        self._entropy = Entropy(board.entropy)
        self._seeding = Seeding(record, board.unique_id())
        self._pool: "Pool | None" = None
        self._next = b""
        self.fault = ""

    @property
    def ready(self) -> bool:
        return self._pool is not None

    def test(self) -> bool:
        """A piece of the start-up test; True when it is over, whatever it found."""
        if self.fault:
            return True
        try:
            return self._entropy.start(_PIECE)
        except EntropyFault as fault:
            self.fault = str(fault)
            return True

    def prepare(self) -> bytes:
        """What is to be stored in place of `record`, before `begin`."""
        return self._seeding.prepare(self._fresh())

    def begin(self, stored: bytes) -> None:
        """`stored`: what flash has of the new record now."""
        self._seeding.stored(stored)
        self._pool = self._seeding.begin()

    @property
    def due(self) -> bool:
        """Whether there is something to do `ahead`."""
        return self._pool is not None and not self._next and not (self.fault and self._strict)

    def ahead(self) -> None:
        """Makes the next secret while nobody waits for it. Refused as `secret`."""
        if self.due:
            self._next = self._make()

    def secret(self, stirred: bytes) -> bytes:
        """32 bytes that are nobody's but the table's; Refused if the source fails.

        What is `stirred` in counts from the next one on.
        """
        secret, self._next = self._next or self._make(), b""
        self._begun().stir(stirred)
        return secret

    def _make(self) -> bytes:
        return self._begun().secret(self._fresh())

    def _begun(self) -> Pool:
        if self._pool is None:
            raise SeedOrder("not begun")
        return self._pool

    def _fresh(self) -> bytes:
        if not self.fault:
            try:
                return self._entropy.draw(_FRESH)
            except EntropyFault as fault:
                self.fault = str(fault)
        if self._strict:
            raise Refused("the entropy source " + self.fault)
        # No two starts give the same even so (seeding.py): good enough where no money is real.
        return self._board.entropy(_FRESH)
