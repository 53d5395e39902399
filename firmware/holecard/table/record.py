"""The stored table: bankrolls and rules that survive a power cut between two rounds.

    HT1 casino/min_bet=20 2000,1500 play,away 0 90AB12CD

The fields: version, rules as in a history, bankrolls in half-dollars, seats, whether the bench has touched the money,
and the CRC-32 of everything before it.
"""

from binascii import crc32

from holecard.rules.ruleset import RuleError, parse_rules, rules_text

NAME = "table"
_VERSION = "HT1"


class RecordError(ValueError):
    """Stored bytes that are no record; the reason is short enough for the panel."""


def pack(game) -> bytes:
    """The record of a table between two rounds. Money on an open round counts as not yet staked."""
    fields = (
        _VERSION,
        rules_text(game.rules),
        ",".join([str(game.bankroll(seat)) for seat in range(game.seats)]),
        ",".join(["away" if game.state(seat) == "away" else "play" for seat in range(game.seats)]),
        "1" if game.bench else "0",
    )
    body = (" ".join(fields) + " ").encode()
    return body + _crc(body)


def unpack(data: bytes) -> tuple:
    """(rules, bankrolls, away flags, bench flag) of a record; RecordError for anything else."""
    body = data[:-8]
    if len(data) < 9 or _crc(body) != data[-8:]:
        raise RecordError("record damaged")
    try:
        fields = body.decode().split(" ")
    except ValueError:
        raise RecordError("record not understood")
    if fields[0] != _VERSION:
        raise RecordError("record of another version")
    try:
        rules = parse_rules(fields[1])
        bankrolls = [int(text) for text in fields[2].split(",")]
        away = [text == "away" for text in fields[3].split(",")]
        bench = fields[4] == "1"
    except (RuleError, IndexError, ValueError):
        raise RecordError("record not understood")
    if not 1 <= len(bankrolls) <= rules.max_seats or len(away) != len(bankrolls) or min(bankrolls) < 0:
        raise RecordError("record not understood")
    return rules, bankrolls, away, bench


def _crc(body: bytes) -> bytes:
    return ("%08X" % crc32(body)).encode()
