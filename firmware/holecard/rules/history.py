"""A round as one line of text; `replay` reads it back.

    HC1 casino/decks=8 2000,200 20,10 7s9hKcAd*3s.. NNHSD14 90AB12CD

The fields: version; preset with every deviation from it; bankrolls before the bets; bets; the cards in the order drawn,
``*`` before the first one from a refilled shoe, ``!`` at the end if the shoe ran dry and the round is void; the
actions; the CRC-32 of everything before it. Money in half-dollars; ``-`` = none. Whose turn it is follows from the
rules, so actions name no seat. An open round has a line too: it replays to the same open round, on an empty shoe.
"""

from binascii import crc32

from .cards import cards_text
from .ruleset import rules_text

VERSION = "HC1"


def encode(play) -> str:
    """The history of a Round, finished, void or open; it holds the hole card, so an open round's is not for players."""
    refill_at = play.refill_at
    cards = cards_text(play.drawn)
    if refill_at >= 0:
        cards = cards[: 2 * refill_at] + "*" + cards[2 * refill_at :]
    if play.phase == "void":
        cards += "!"
    fields = [
        VERSION,
        rules_text(play.rules),
        ",".join([str(money) for money in play.start]),
        ",".join([str(money) for money in play.bets]),
        cards or "-",
        "".join(play.log) or "-",
    ]
    body = " ".join(fields) + " "
    return body + crc_text(crc32(body.encode()))


def crc_text(crc: int) -> str:
    return "%08X" % crc
