"""The proof that a shoe was not chosen: promised before the bets, cut by the player, revealed at its end.

The table commits itself to a secret, the player cuts, both together make the shoe, and the secret is revealed: then
everybody can deal the shoe again. docs/fairness.md says what that proves, and has every byte.

    HCL1
    commit 1 9c0f…(64) casino
    cut 1 0a3b11c20a3f0d10 -
    round 1 1 HC1 casino 2000 20 7s9hKcAd HS 90AB12CD
    reveal 1 77ae…(64) 1
"""

from binascii import a2b_base64, b2a_base64, hexlify, unhexlify
from hashlib import sha256

REVEALED = "revealed"
COMMITTED = "committed"
DEALING = "dealing"

HEADER = "HCL1"  # the first line of a public log
START = bytes(32)  # the commitment before the first one
MOST_PRESSES = 16  # bytes of button timing in a cut
MOST_HOST = 16  # bytes from the host in a cut
_SECRET = 32
_NOTHING = "-"


class FairnessOrder(Exception):
    """A step out of its order: say, a cut before the commitment."""


def commitment_of(previous: bytes, secret: bytes) -> bytes:
    """What is promised: 32 bytes that fix `secret`, and through `previous` every promise before it."""
    return sha256(b"HCC1" + previous + secret).digest()


def cut_digest(presses: bytes, host: bytes) -> bytes:
    """What the shoe takes from a cut; each part with its length, so that no byte can change sides."""
    return sha256(b"HCT1" + bytes([len(presses)]) + presses + bytes([len(host)]) + host).digest()


def shoe_stream(secret: bytes, presses: bytes, host: bytes, rules: str):
    """The stream that shuffles the shoe; `rules` as rules_text() writes them."""
    # Only here: a table that starts between two shoes needs no generator yet.
    from holecard.table.cardstream import CardStream  # noqa: PLC0415
    from holecard.table.drbg import Drbg  # noqa: PLC0415

    return CardStream(Drbg(secret, cut_digest(presses, host), b"holecard shoe " + rules.encode()))


class Promise:
    """One shoe: its number, its secret and the commitment to it; how it was cut (`presses` None: not yet), how many
    `rounds` were played from it."""

    def __init__(self, number: int, previous: bytes, secret: bytes, rules: str) -> None:
        self.number = number
        self.previous = previous
        self.secret = secret
        self.rules = rules
        self.commitment = commitment_of(previous, secret)
        # Until the cut there are none.
        self.presses: bytes = None  # type: ignore[assignment]
        self.host = b""
        self.rounds = 0

    def opening(self) -> list:
        """Its lines of a public log up to the first round."""
        lines = ["commit %d %s %s" % (self.number, to_hex(self.commitment), self.rules)]
        if self.presses is not None:
            lines.append("cut %d %s %s" % (self.number, to_hex(self.presses), to_hex(self.host)))
        return lines

    def ending(self) -> str:
        """Its last line, which tells the secret."""
        return "reveal %d %s %d" % (self.number, to_hex(self.secret), self.rounds)


class Fairness:
    """The chain of shoes of one table; what it does out of order is FairnessOrder and changes nothing.

    ``number`` of the newest shoe, 0 before the first; ``commitment``: its promise, 32 bytes; ``current``: the shoe
    itself, None between two of them; ``last``: the one before, which has been revealed, as far as it is known.
    """

    def __init__(self) -> None:
        self.number = 0
        self.commitment = START
        self.current: "Promise | None" = None
        self.last: "Promise | None" = None

    @property
    def state(self) -> str:
        """COMMITTED, DEALING, or REVEALED between two shoes."""
        if self.current is None:
            return REVEALED
        return COMMITTED if self.current.presses is None else DEALING

    def commit(self, secret: bytes, rules: str) -> Promise:
        """A new shoe under `rules` from a secret of 32 bytes; to be shown before any bet."""
        self._check(REVEALED)
        if len(secret) != _SECRET:
            raise ValueError("a secret has 32 bytes")
        if not rules or " " in rules:
            raise ValueError("rules are one word")
        self.current = shoe = Promise(self.number + 1, self.commitment, secret, rules)
        self.number += 1
        self.commitment = shoe.commitment
        return shoe

    def cut(self, presses: bytes, host: bytes = b"") -> Promise:
        """The player's part, after the commitment was shown: button timing and host bytes, up to 16 bytes each."""
        shoe = self._check(COMMITTED)
        if len(presses) > MOST_PRESSES or len(host) > MOST_HOST:
            raise ValueError("too much for a cut")
        shoe.presses = presses
        shoe.host = host
        self.last = None
        return shoe

    def stream(self):
        """The stream of the shoe that was cut, from its beginning."""
        shoe = self._check(DEALING)
        return shoe_stream(shoe.secret, shoe.presses, shoe.host, shoe.rules)

    def count(self) -> str:
        """One more round of this shoe: its place, for `round_line`."""
        shoe = self._check(DEALING)
        shoe.rounds += 1
        return "%d %d" % (self.number, shoe.rounds)

    def reveal(self) -> Promise:
        """The end of the shoe, dealt or abandoned: its secret is everybody's now."""
        self.last = shoe = self._check(COMMITTED, DEALING)
        self.current = None
        return shoe

    def head(self) -> list:
        """The lines with which a log begins that goes on with `known`."""
        first = self.last or self.current
        number, before = (first.number - 1, first.previous) if first else (self.number, self.commitment)
        return [HEADER] + (["chain %d %s" % (number, to_hex(before))] if number else [])

    def known(self) -> list:
        """The lines of the last and of the current shoe that may be told, without their rounds."""
        lines = self.last.opening() + [self.last.ending()] if self.last else []
        return lines + (self.current.opening() if self.current else [])

    def _check(self, *states: str) -> Promise:
        """The current shoe, which has to be in one of these states."""
        if self.state not in states:
            raise FairnessOrder("the shoe is " + self.state)
        # There is one, but for REVEALED.
        return self.current  # type: ignore[return-value]

    def save(self) -> str:
        """One word for the journal: it holds the secret, so it is never for the wire.

            <what> <number>,<rounds>,<bytes of button timing, -1 without a cut>,<base64>

        what: d a shoe is being dealt, c one is committed, r none; C and R: with the last one, whose rounds, cut and
        previous commitment these are then. The last shoe is kept as long as it had the same rules.
        """
        current, last = self.current, self.last
        if current and (current.presses is not None or not last or last.rules != current.rules):
            first, what = current, "c" if current.presses is None else "d"
            data = current.previous + current.secret
        elif last:
            first, what = last, "C" if current else "R"
            data = last.previous + last.secret + (current.secret if current else b"")
        else:
            first, what, data = None, "r", self.commitment
        rounds, size = 0, -1
        if first:
            rounds = first.rounds
            if first.presses is not None:
                size = len(first.presses)
                data += first.presses + first.host
        return "%s%d,%d,%d,%s" % (what, self.number, rounds, size, b2a_base64(data).decode().strip())


def restore(word: str, rules: str) -> Fairness:
    """What save() wrote as `word`, under these rules; ValueError for anything else."""
    what = word[:1]
    parts = word[1:].split(",")
    if what not in ("c", "C", "d", "r", "R") or len(parts) != 4:
        raise ValueError("not the state of a shoe")
    fair = Fairness()
    fair.number = parse_count(parts[0])
    data = a2b_base64(parts[3])
    whole = _SECRET * (1 if what == "r" else 3 if what == "C" else 2)
    most = 0 if what == "r" or parts[2] == "-1" else MOST_PRESSES + MOST_HOST
    if not whole <= len(data) <= whole + most or fair.number < (2 if what == "C" else what != "r"):
        raise ValueError("not the state of a shoe")
    if what == "r":
        fair.commitment = data
    else:
        latest = data[2 * _SECRET : whole]
        first = Promise(fair.number - bool(latest), data[:_SECRET], data[_SECRET : 2 * _SECRET], rules)
        first.rounds = parse_count(parts[1])
        if parts[2] != "-1":
            cut = data[whole:]
            size = parse_count(parts[2])
            first.presses = cut[:size]
            first.host = cut[size:]
        fair.commitment = first.commitment
        if what in ("c", "d"):
            fair.current = first
        else:
            fair.last = first
        if latest:
            fair.current = Promise(fair.number, fair.commitment, latest, rules)
            fair.commitment = fair.current.commitment
    # What contradicts itself does not come out as it went in.
    if fair.save() != word:
        raise ValueError("not the state of a shoe")
    return fair


def round_line(place: str, history: str) -> str:
    """A round from the shoe at that place, as history.encode() writes it."""
    return "round " + place + " " + history


def to_hex(data: bytes) -> str:
    """As a log writes bytes."""
    return hexlify(data).decode() or _NOTHING


def parse_hex(text: str, least: int, most: int) -> bytes:
    """`least` to `most` bytes from small hexadecimal digits, ``-`` for none; ValueError for anything else."""
    data = b""
    if text != _NOTHING:
        if not text or len(text) % 2 or [letter for letter in text if letter not in "0123456789abcdef"]:
            raise ValueError("not hexadecimal")
        data = unhexlify(text)
    if not least <= len(data) <= most:
        raise ValueError("wrong number of bytes")
    return data


def parse_count(text: str) -> int:
    """A number as str() writes it, up to nine digits; ValueError for anything else."""
    if not 0 < len(text) <= 9 or [letter for letter in text if letter not in "0123456789"]:
        raise ValueError("not a number")
    if text[0] == "0" and text != "0":
        raise ValueError("not a number")
    return int(text)
