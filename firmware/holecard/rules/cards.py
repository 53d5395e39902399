"""Cards as small integers, and what a hand of them is worth.

A card is ``suit * 13 + rank``: rank 0 is the ace, 1..8 are 2..9, 9 is the ten, 10, 11, 12 are jack, queen, king;
suits in the order spades, hearts, diamonds, clubs. As text: ``As``, ``Th``, ``2d``, ``Kc``; a card that may not be
shown is ``HIDDEN``, as text ``??``.
"""

RANKS = "A23456789TJQK"
SUITS = "shdc"
HIDDEN = -1
# MicroPython looks up every single letter taken from a text among all the names it knows, which takes 0.2 ms on the
# chip; a byte costs nothing.
_RANK_LETTERS = RANKS.encode()
_SUIT_LETTERS = SUITS.encode()

# Pips of each card, the ace as 1. A tuple, not bytes: CPython reads it faster, and every card passes through here.
VALUE = (1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 10, 10, 10) * 4


def card_text(card: int) -> str:
    """``As`` .. ``Kc`` for a card, ``??`` for HIDDEN."""
    if card == HIDDEN:
        return "??"
    return cards_text((card,))


def cards_text(cards) -> str:
    """The texts of several cards, none of them HIDDEN, one after the other."""
    text = bytearray()
    for card in cards:
        text.append(_RANK_LETTERS[card % 13])
        text.append(_SUIT_LETTERS[card // 13])
    return text.decode()


def parse_card(text: str) -> int:
    """The card that ``card_text`` writes as `text` (never HIDDEN); ValueError for anything else."""
    if len(text) == 2:
        rank = RANKS.find(text[0])
        suit = SUITS.find(text[1])
        if rank >= 0 and suit >= 0:
            return suit * 13 + rank
    raise ValueError("not a card: " + text)


def hand_total(cards) -> tuple:
    """``(total, soft)``: an ace counts 11 unless that busts the hand; soft = one does. HIDDEN cards count nothing."""
    total = 0
    ace = False
    for card in cards:
        if card != HIDDEN:
            total += VALUE[card]
            ace = ace or VALUE[card] == 1
    if ace and total <= 11:
        return total + 10, True
    return total, False


def is_royal(card: int) -> bool:
    """Jack, queen or king: a face card, which a ten is not."""
    return card % 13 >= 10


def parse_rank(text: str) -> int:
    """0..12 for ``A``, ``2`` .. ``10`` (or ``T``), ``J``, ``Q``, ``K`` in any case; ValueError for anything else."""
    mark = text.upper()
    if mark == "10":
        mark = "T"
    if len(mark) != 1 or mark not in RANKS:
        raise ValueError("not a rank: " + text)
    return RANKS.index(mark)


def stack_ranks(ranks) -> list:
    """Cards for a stacked shoe from rank texts; a card repeats only once the four suits of its rank are used up."""
    seen = [0] * 13
    cards = []
    for text in ranks:
        rank = parse_rank(text)
        cards.append((rank + seen[rank]) % 4 * 13 + rank)
        seen[rank] += 1
    return cards
