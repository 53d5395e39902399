"""The stored table: bankrolls and rules that survive a power cut between two rounds.

    HT1 casino/min_bet=20 2000,1500 play,away 0 90AB12CD

The fields: version, rules as in a history, bankrolls in half-dollars, seats, whether the bench has touched the money,
and the CRC-32 of everything before it.
"""

from binascii import crc32

from holecard.rules.ruleset import CASINO, PRESETS, RuleError, field_text, parse_field

NAME = "table"
_VERSION = "HT1"


class RecordError(ValueError):
    """Stored bytes that are no record; the reason is short enough for the panel."""


def pack(game) -> bytes:
    """The record of a table between two rounds. Money on an open round counts as not yet staked."""
    base = PRESETS.get(game.rules.name, CASINO)
    words = [base.name]
    for name, value in game.rules.items():
        if value != getattr(base, name):
            words.append(name + "=" + field_text(name, value))
    fields = (
        _VERSION,
        "/".join(words),
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
    fields = body.decode().split(" ")
    if fields[0] != _VERSION:
        raise RecordError("record of another version")
    try:
        words = fields[1].split("/")
        changes = {}
        for word in words[1:]:
            name, _, value = word.partition("=")
            changes[name] = parse_field(name, value)
        rules = PRESETS[words[0]].replace(**changes)
        bankrolls = [int(text) for text in fields[2].split(",")]
        away = [text == "away" for text in fields[3].split(",")]
        bench = fields[4] == "1"
    except (RuleError, KeyError, IndexError, ValueError):
        raise RecordError("record not understood")
    if not 1 <= len(bankrolls) <= rules.max_seats or len(away) != len(bankrolls) or min(bankrolls) < 0:
        raise RecordError("record not understood")
    return rules, bankrolls, away, bench


def _crc(body: bytes) -> bytes:
    return ("%08X" % crc32(body)).encode()
