"""The proof that a shoe was not chosen: promised before the bets, cut by the player, revealed at its end.

The table commits itself to a secret, the player cuts, both together make the shoe, and the secret is revealed: then
everybody can deal the shoe again. docs/fairness.md says what that proves, and has every byte.

    HCL1
    commit 1 9c0f…(64) casino
    cut 1 0a3b11c20a3f0d10 -
    round 1 1 HC1 casino 2000 20 7s9hKcAd HS 90AB12CD
    reveal 1 77ae…(64) 1
"""

from binascii import hexlify, unhexlify
from hashlib import sha256

from holecard.table.cardstream import CardStream
from holecard.table.drbg import Drbg

COMMITTED = "committed"
CUT = "cut"
DEALING = "dealing"
REVEALED = "revealed"
_STATES = (COMMITTED, CUT, DEALING, REVEALED)

HEADER = "HCL1"  # the first line of a public log
START = bytes(32)  # the commitment before the first one
MOST_PRESSES = 16  # bytes of button timing in a cut
MOST_HOST = 32  # bytes from the host in a cut
_VERSION = "HCF1"
_NOTHING = "-"


class FairnessOrder(Exception):
    """A step out of its order: say, a cut before the commitment."""


def commitment_of(previous: bytes, secret: bytes) -> bytes:
    """What is promised: 32 bytes that fix `secret`, and through `previous` every promise before it."""
    return sha256(b"HCC1" + previous + secret).digest()


def cut_digest(presses: bytes, host: bytes) -> bytes:
    """What the shoe takes from a cut; each part with its length, so that no byte can change sides."""
    return sha256(b"HCT1" + bytes([len(presses)]) + presses + bytes([len(host)]) + host).digest()


def shoe_stream(secret: bytes, presses: bytes, host: bytes, rules: str) -> CardStream:
    """The stream that shuffles the shoe; `rules` as rules_text() writes them."""
    return CardStream(Drbg(secret, cut_digest(presses, host), b"holecard shoe " + rules.encode()))


class Fairness:
    """The chain of shoes of one table; what it does out of order is FairnessOrder and changes nothing.

    ``state`` COMMITTED, CUT, DEALING or REVEALED (between two shoes); ``number`` of the current or last shoe, 0 before
    the first; ``commitment``: its promise, 32 bytes; ``rounds``: how many of its rounds are in the log.
    """

    def __init__(self) -> None:
        self.state = REVEALED
        self.number = 0
        self.commitment = START
        self.rounds = 0
        self._previous = START
        self._secret = b""
        self._rules = ""
        self._presses = self._host = b""

    # Each step returns its line of the public log.

    def commit(self, secret: bytes, rules: str) -> str:
        """A new shoe under `rules` from a secret of 32 bytes; to be shown before any bet."""
        self._need(REVEALED)
        if len(secret) != 32:
            raise ValueError("a secret has 32 bytes")
        if not rules or " " in rules:
            raise ValueError("rules are one word")
        self._previous = self.commitment
        self._secret = secret
        self._rules = rules
        self._presses = self._host = b""
        self.rounds = 0
        self.commitment = commitment_of(self._previous, secret)
        self.number += 1
        self.state = COMMITTED
        return self._line("commit", _hex(self.commitment), rules)

    def cut(self, presses: bytes, host: bytes = b"") -> str:
        """The player's part, after the commitment was shown: button timing (up to 16 bytes), host bytes (up to 32)."""
        self._need(COMMITTED)
        if len(presses) > MOST_PRESSES or len(host) > MOST_HOST:
            raise ValueError("too much for a cut")
        self._presses = presses
        self._host = host
        self.state = CUT
        return self._cut_line()

    def deal(self) -> CardStream:
        """The stream of the shoe, from its beginning: once after the cut, and again after a power cut."""
        self._need(CUT, DEALING)
        self.state = DEALING
        return shoe_stream(self._secret, self._presses, self._host, self._rules)

    def round_line(self, history: str) -> str:
        """A round from this shoe, as history.encode() writes it; an open one only right before `reveal`."""
        self._need(DEALING)
        self.rounds += 1
        return self._line("round", str(self.rounds), history)

    def reveal(self) -> str:
        """The end of the shoe, dealt or abandoned, whatever its state: its secret is everybody's now."""
        self._need(COMMITTED, CUT, DEALING)
        line = self._line("reveal", _hex(self._secret), str(self.rounds))
        self._secret = b""
        self.state = REVEALED
        return line

    def head(self) -> list:
        """The lines with which a log begins that is to go on with the current shoe, or with the next one."""
        between = self.state == REVEALED
        before = self.number if between else self.number - 1
        commitment = self.commitment if between else self._previous
        return [HEADER] + (["chain " + str(before) + " " + _hex(commitment)] if before else [])

    def public(self) -> list:
        """What may be seen of the current shoe so far, as lines without its rounds."""
        lines = []
        if self.state != REVEALED:
            lines.append(self._line("commit", _hex(self.commitment), self._rules))
        if self.state in (CUT, DEALING):
            lines.append(self._cut_line())
        return lines

    # For the journal: holds the secret, so never for the wire.

    def save(self) -> str:
        """One line of text without a check sum, up to 245 characters and the rules."""
        fields = [_VERSION, self.state, str(self.number), str(self.rounds)]
        if self.state == REVEALED:
            fields.append(_hex(self.commitment))
        else:
            fields += [_hex(self._previous), _hex(self._secret), self._rules]
        if self.state in (CUT, DEALING):
            fields += [_hex(self._presses), _hex(self._host)]
        return " ".join(fields)

    def _line(self, word: str, *fields: str) -> str:
        return " ".join([word, str(self.number)] + list(fields))

    def _cut_line(self) -> str:
        return self._line("cut", _hex(self._presses), _hex(self._host))

    def _need(self, *states: str) -> None:
        if self.state not in states:
            raise FairnessOrder("the shoe is " + self.state)


def restore(text: str) -> Fairness:
    """What save() wrote as `text`; ValueError for anything else."""
    fields = text.split(" ")
    if len(fields) < 5 or fields[0] != _VERSION or fields[1] not in _STATES:
        raise ValueError("not the state of a shoe")
    fair = Fairness()
    fair.state = fields[1]
    fair.number = parse_count(fields[2])
    fair.rounds = parse_count(fields[3])
    wanted = 5 if fair.state == REVEALED else 7 if fair.state == COMMITTED else 9
    if len(fields) != wanted:
        raise ValueError("not the state of a shoe")
    if fair.state == REVEALED:
        fair.commitment = parse_hex(fields[4], 32, 32)
        return fair
    fair._previous = parse_hex(fields[4], 32, 32)
    fair._secret = parse_hex(fields[5], 32, 32)
    fair._rules = fields[6]
    fair.commitment = commitment_of(fair._previous, fair._secret)
    if wanted == 9:
        fair._presses = parse_hex(fields[7], 0, MOST_PRESSES)
        fair._host = parse_hex(fields[8], 0, MOST_HOST)
    return fair


def _hex(data: bytes) -> str:
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
