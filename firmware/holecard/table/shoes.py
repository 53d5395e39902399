"""The shoes of a table, one after the other: promised before the bets, cut by the player, dealt, revealed."""

from hashlib import sha256

from holecard.rules.ruleset import Refused
from holecard.table import telling
from holecard.table.fairness import COMMITTED, MOST_PRESSES, Fairness, round_line, to_hex

# Bytes of a commitment that the panel has room for.
_SEAL = 4


def _nothing(_stirred: bytes) -> bytes:
    raise Refused("the table is starting")


class Shoes:
    """`fair`: the chain of promises.

    source    gives 32 bytes that nobody else knows, and stirs in the bytes it is called with; Refused while there are
              none
    seeded    True while the bench has chosen the secrets: each follows from the one before, and no cut changes them
    host      what the host adds to the next cut
    left_over the line of a round that ended with its shoe, "" if there was none
    """

    def __init__(self, put) -> None:
        """`put(kind, *values)` tells an event."""
        self._put = put
        self.fair = Fairness()
        self.source = _nothing
        self.seeded = False
        self.host = b""
        self.left_over = ""
        # When the last buttons were pressed, the newest last, since the promise was made.
        self._moments = bytearray(MOST_PRESSES)
        self._pressed = 0

    # -- what is so --------------------------------------------------------------------------------------------------

    @property
    def uncut(self) -> bool:
        """True while the next round begins a shoe that is promised and not yet cut."""
        return self.fair.state == COMMITTED

    @property
    def seal(self) -> str:
        """As the panel shows the commitment of the current shoe: `#` and its first digits, "" if there is none."""
        return "#" + to_hex(self.fair.commitment[:_SEAL]).upper() if self.fair.current else ""

    def lines(self) -> list:
        """What a public log says of the last and the current shoe, without the rounds that were played to their end."""
        lines = self.fair.known()
        if self.left_over and self.fair.last:
            lines.insert(len(self.fair.last.opening()), self.left_over)
        return lines

    @property
    def rules(self) -> str:
        """Those of the current shoe, "" if there is none."""
        return self.fair.current.rules if self.fair.current else ""

    def save(self) -> str:
        """One word for the journal, as `Fairness.save`; behind a `;` the line left over, with `~` for its blanks."""
        word = self.fair.save()
        # Only with the last shoe that it belongs to.
        return word + ";" + self.left_over.replace(" ", "~") if self.left_over and word[0] in "CR" else word

    # -- steps -------------------------------------------------------------------------------------------------------

    def promise(self, rules: str) -> None:
        """The next shoe, if none is promised. Refused when there is no secret for it."""
        fair = self.fair
        if fair.current:
            return
        if self.seeded and fair.last:
            # What the bench has seeded is for whoever knows the seed, so the next secret may follow from the last.
            secret = sha256(b"next shoe" + fair.last.secret).digest()
        else:
            secret = self.source(bytes(self._moments) + self.host)
        self._begun(fair.commit(secret, rules))

    def seed(self, seed: bytes, rules: str) -> None:
        """Shoes that the bench has chosen, from the next one on."""
        self.abandon(None)
        self.seeded = True
        self._begun(self.fair.commit(sha256(seed).digest(), rules))

    def _begun(self, shoe) -> None:
        self.host = b""
        self._pressed = 0
        self._put(telling.COMMIT, shoe.number, to_hex(shoe.commitment), shoe.rules)

    def abandon(self, play) -> None:
        """The current shoe, if there is one, is told, and so is `play`, the open Round from it, if there is one."""
        fair = self.fair
        if not fair.current:
            return
        self.left_over = ""
        if play:
            from holecard.rules.history import encode  # noqa: PLC0415 - see ahead.py

            self.left_over = round_line(fair.count(), encode(play))
            self._put(telling.LEFT_OVER, self.left_over)
        shoe = fair.reveal()
        self._put(telling.REVEAL, shoe.number, to_hex(shoe.secret), shoe.rounds)

    def press(self, now: int) -> None:
        """A button went down or up at that instant (us)."""
        moments = self._moments
        moments[:-4] = moments[4:]
        moments[-4] = now >> 24 & 255
        moments[-3] = now >> 16 & 255
        moments[-2] = now >> 8 & 255
        moments[-1] = now & 255
        self._pressed = min(self._pressed + 4, MOST_PRESSES)

    def add(self, data: bytes) -> None:
        """The host's part of the next cut. Refused once the shoe has been cut."""
        if not self.uncut:
            raise Refused("no shoe waits for a cut" if self.fair.current is None else "the shoe has been cut")
        if self.seeded:
            raise Refused("the bench has chosen the shoe")
        self.host = data

    def cut(self):
        """Cuts the promised shoe; its stream."""
        presses = b"" if self.seeded else bytes(self._moments[MOST_PRESSES - self._pressed :])
        shoe = self.fair.cut(presses, self.host)
        self._put(telling.CUT, shoe.number, to_hex(shoe.presses), to_hex(shoe.host))
        return self.fair.stream()
