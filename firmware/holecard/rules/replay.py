"""A line of `history` becomes the round again: apart from it, because no round needs this while it is played."""

from binascii import crc32

from .cards import parse_card
from .history import VERSION, crc_text
from .round import Round
from .ruleset import Refused, RuleError, parse_rules
from .shoe import StackedShoe

_HEX = "0123456789ABCDEF"


class HistoryError(ValueError):
    """A line that is no history; ``position``: the 0-based column of the fault, the line's length if it is no one."""

    def __init__(self, reason: str, position: int):
        super().__init__(reason + " at " + str(position))
        self.reason = reason
        self.position = position


def replay(line: str):
    """The Round that encode() wrote as `line`, in the identical state; HistoryError for any other text."""
    _check_crc(line)
    fields = line[:-9].split(" ")
    if fields[0] != VERSION:
        raise HistoryError("unknown version", 0)
    if len(fields) != 6:
        raise HistoryError("wrong number of fields", len(line) - 9)
    starts = [0]
    for field in fields:
        starts.append(starts[-1] + len(field) + 1)
    rules = _parse_rules(fields[1], starts[1])
    bankrolls = _parse_money(fields[2], starts[2])
    bets = _parse_money(fields[3], starts[3])
    cards, refill_at, void = _parse_cards(fields[4], starts[4])
    shoe = StackedShoe(cards, refill_at)
    try:
        play = Round(rules, bankrolls, bets, shoe)
    except Refused as refusal:
        raise HistoryError(refusal.reason, starts[3])
    _replay_actions(play, fields[5], starts[5])
    if shoe.left:
        raise HistoryError("more cards than were drawn", starts[5] - 1)
    if void != (play.phase == "void"):
        raise HistoryError("not void" if void else "cards are missing", starts[5] - 1)
    return play


def _replay_actions(play, text: str, start: int) -> None:
    if text == "-":
        return
    at = 0
    while at < len(text):
        end = at + 1
        while end < len(text) and text[end] in "0123456789":
            end += 1
        amount = 0
        if end > at + 1:
            amount = _parse_number(text[at + 1 : end], start + at + 1)
            if not amount or text[at] != "D":
                raise HistoryError("no amount belongs here", start + at + 1)
        try:
            play.act(play.seat, text[at], amount)
        except Refused as refusal:
            raise HistoryError(refusal.reason, start + at)
        at = end


def _parse_rules(text: str, start: int):
    try:
        return parse_rules(text)
    except RuleError as error:
        raise HistoryError(str(error), start + error.column)


def _parse_money(text: str, start: int) -> list:
    amounts = []
    at = start
    for word in text.split(","):
        amounts.append(_parse_number(word, at))
        at += len(word) + 1
    return amounts


def _parse_number(text: str, start: int) -> int:
    # CPython refuses to read thousands of digits with an error of its own.
    if not 0 < len(text) <= 15:
        raise HistoryError("not a number", start)
    for at in range(len(text)):
        if text[at] not in "0123456789":
            raise HistoryError("not a number", start + at)
    return int(text)


def _parse_cards(text: str, start: int) -> tuple:
    """``(cards, refill_at, void)``."""
    cards: list = []
    refill_at = -1
    at = 0
    end = len(text)
    void = text.endswith("!")
    if void:
        end -= 1
    if text == "-":
        at = 1
    while at < end:
        if text[at] == "*" and refill_at < 0:
            refill_at = len(cards)
            at += 1
            continue
        try:
            cards.append(parse_card(text[at : min(at + 2, end)]))
        except ValueError:
            raise HistoryError("not a card", start + at)
        at += 2
    return cards, refill_at, void


# -- the check sum: where is the damage?


def _check_crc(line: str) -> None:
    """Raises HistoryError unless the line's CRC is right; a single damaged character is located."""
    for at in range(len(line)):
        if not " " <= line[at] <= "~":
            raise HistoryError("damaged", at)
    size = len(line) - 8
    if size < 1:
        raise HistoryError("cut short", len(line))
    written = line[size:]
    wanted = crc_text(crc32(line[:size].encode()))
    wrong = [at for at in range(8) if written[at] != wanted[at]]
    if not wrong:
        return
    if len(wrong) == 1:
        raise HistoryError("damaged", size + wrong[0])
    position = len(line)
    if not [digit for digit in written if digit not in _HEX]:
        position = _locate(line[:size], int(written, 16) ^ int(wanted, 16), position)
    raise HistoryError("damaged" if position < len(line) else "damaged or cut short", position)


def _locate(body: str, syndrome: int, otherwise: int) -> int:
    """The column of the one character whose damage explains the XOR of both check sums; `otherwise` if there is none.

    A CRC is linear: the XOR of two of them depends only on the XOR of the texts. One wrong byte puts its table entry
    into an empty register, and each later byte (all equal: zero) shifts it along; those steps are undone here, from the
    end of the line to its start.
    """
    effects = [crc32(bytes([byte])) ^ crc32(b"\0") for byte in range(256)]
    by_top = [0] * 256  # all 256 top bytes differ, which is what makes a step reversible
    for byte in range(256):
        by_top[effects[byte] >> 24] = byte
    for at in range(len(body) - 1, -1, -1):
        byte = by_top[syndrome >> 24]
        if syndrome == effects[byte] and " " <= chr(ord(body[at]) ^ byte) <= "~":
            return at
        syndrome = ((syndrome ^ effects[byte]) << 8 | byte) & 0xFFFFFFFF
    return otherwise
