"""Basic strategy: the best action for the hand in play, and why, in a learner's words.

Sources. The casino table is the published chart for 4 to 8 decks, dealer hits soft 17, double after split, peek, no
surrender (Wizard of Odds, "4-Deck to 8-Deck Blackjack Strategy"); its variant for a dealer who stands on soft 17
differs in three cells. No chart was published for Sifl & Olly's game. Both tables agree with the values that
`tools/strategy_table.py` computes card by card; `tests/rules/test_strategy.py` compares them cell by cell. The tables
stay the best simple advice, though not the optimum, for a house whose other fields were changed.
"""

from .cards import HIDDEN, VALUE, is_royal

# One row: kind (h hard, s soft, p pair by its card's value), total, from how many cards on, then one letter per
# dealer card. H hit, S stand, D double or else hit, d double or else stand, P split, - go by the total.
# A later row for the same hand wins. Hard totals below 7 play like 7, above 17 like 17, soft ones above 20 like 20.
#          "23456789TA"
_CASINO = (
    "h07 2 HHHHHHHHHH",
    "h08 2 HHHHHHHHHH",
    "h09 2 HDDDDHHHHH",
    "h10 2 DDDDDDDDHH",
    "h11 2 DDDDDDDDDD",
    "h12 2 HHSSSHHHHH",
    "h13 2 SSSSSHHHHH",
    "h14 2 SSSSSHHHHH",
    "h15 2 SSSSSHHHHH",
    "h16 2 SSSSSHHHHH",
    "h17 2 SSSSSSSSSS",
    "s12 2 HHHHDHHHHH",
    "s13 2 HHHDDHHHHH",
    "s14 2 HHHDDHHHHH",
    "s15 2 HHDDDHHHHH",
    "s16 2 HHDDDHHHHH",
    "s17 2 HDDDDHHHHH",
    "s18 2 dddddSSHHH",
    "s19 2 SSSSdSSSSS",
    "s20 2 SSSSSSSSSS",
    "p01 2 PPPPPPPPPP",
    "p02 2 PPPPPP----",
    "p03 2 PPPPPP----",
    "p04 2 ---PP-----",
    "p06 2 PPPPP-----",
    "p07 2 PPPPPP----",
    "p08 2 PPPPPPPPPP",
    "p09 2 PPPPP-PP--",
)
_CASINO_STANDS_ON_SOFT_17 = _CASINO + (
    "h11 2 DDDDDDDDDH",
    "s18 2 SddddSSHHH",
    "s19 2 SSSSSSSSSS",
)
# R is a jack, queen or king: it cannot hide a blackjack, but a ten can hide a plain 21. With fewer cards left to
# the limit, and more small ones gone from the only deck, standing gains.
#          "23456789TRA"
_SIFL = (
    "h07 2 HHHHHHHHHHH",
    "h08 2 HHHDDHHHHHH",
    "h09 2 DDDDDHHHHHH",
    "h10 2 DDDDDDDDHHH",
    "h11 2 DDDDDDDDHDH",
    "h12 2 HHSSSHHHHHH",
    "h12 4 HSSSSHHHHHH",
    "h13 2 SSSSSHHHHHH",
    "h14 2 SSSSSHHHHHH",
    "h15 2 SSSSSHHHHHH",
    "h16 2 SSSSSHHHHHH",
    "h16 3 SSSSSHHHSSH",
    "h17 2 SSSSSSSSSSS",
    "s12 2 HHHDDHHHHHH",
    "s13 2 HHDDDHHHHHH",
    "s14 2 HHDDDHHHHHH",
    "s15 2 HHDDDHHHHHH",
    "s16 2 HHDDDHHHHHH",
    "s17 2 DDDDDHHHHHH",
    "s18 2 SddddSSHHHH",
    "s18 3 SSSSSSSHHHS",
    "s18 4 SSSSSSSHSSS",
    "s19 2 SSSSSSSSSSS",
    "s20 2 SSSSSSSSSSS",
)


def hint(rules, visible):
    """Advice for the active hand of a `Visible`: (action code, reason of at most 60 ASCII characters).

    The code is one of `visible.legal`, or "" when there is nothing to decide. Insurance is always declined. Where
    the best action is not legal, or the money reaches only for a part of a double, the next best is advised.
    """
    legal = visible.legal
    if "N" in legal:
        return "N", "Decline: fewer than one hole card in three is a ten."
    if not legal:
        return "", "There is nothing to decide now."
    hand = visible.seats[visible.seat].hands[visible.hand]
    up = HIDDEN
    for card in visible.dealer:
        if card != HIDDEN:
            up = card
    column = _column(rules, up)
    count = len(hand.cards)
    if "P" in legal and _letter(rules, "p", VALUE[hand.cards[0]], count, column) == "P":
        return "P", _why_split(VALUE[hand.cards[0]], VALUE[up])
    total = hand.total
    letter = _letter(rules, "s" if hand.soft else "h", total, count, column)
    if letter in "Dd":
        # A part of the double can be worth less than the freedom to hit again.
        if "D" in legal and visible.double_max >= hand.bet:
            return "D", _why_double(total, VALUE[up])
        letter = "H" if letter == "D" else "S"
        if count == 2 and letter == "H":
            return "H", "Hit: you would double, but cannot in full."
        if count == 2:
            return "S", "Stand: you would double, but cannot in full."
    if letter == "H":
        last = rules.max_cards and count + 1 >= rules.max_cards
        return "H", _why_hit(total, hand.soft, VALUE[up], last)
    return "S", _why_stand(total, hand.soft, VALUE[up])


def _column(rules, up):
    """Index of the dealer's card in a row."""
    value = VALUE[up]
    if value == 1:
        return 10 if rules.royal_blackjack else 9
    if value == 10 and rules.royal_blackjack and is_royal(up):
        return 9
    return value - 2


def _rows(rules):
    if rules.royal_blackjack:
        return _SIFL
    return _CASINO if rules.dealer_hits_soft_17 else _CASINO_STANDS_ON_SOFT_17


def _letter(rules, kind, total, count, column):
    """The letter of the table, "-" if it has no such row."""
    if kind == "h":
        total = min(max(total, 7), 17)
    elif kind == "s":
        total = min(total, 20)
    if not rules.max_cards:
        count = 2
    key = "%s%02d" % (kind, total)
    letter = "-"
    for row in _rows(rules):
        if row[:3] == key and int(row[4]) <= count:
            letter = row[6 + column]
    return letter


def _why_split(value, up):
    if value == 1:
        return "Split: 11 is the best start a hand can have."
    if value == 8:
        return "Split: 16 is the worst total, 8 is a fair start."
    if 2 <= up <= 6:
        return "Split: two hands against a dealer who may well bust."
    return "Split: each card alone starts a better hand."


def _why_double(total, up):
    if 2 <= up <= 6:
        return "Double: the dealer may well bust, so bet more now."
    if total == 11:
        return "Double: every ten makes 21, and tens come most often."
    return "Double: one more card is likely to make a strong hand."


def _why_hit(total, soft, up, last):
    if last:
        return "Hit: your last card, and it helps more than it hurts."
    if soft:
        return "Hit: an ace can count 1, so one more card cannot bust."
    if total <= 11:
        return "Hit: no card can bust you."
    if 2 <= up <= 6:
        return "Hit: only tens bust 12, and the dealer is not that weak."
    return "Hit: the dealer will likely beat this, so try for more."


def _why_stand(total, soft, up):
    if total == 21:
        return "Stand: nothing beats 21."
    if soft or total >= 19:
        return "Stand: this total is good enough against that card."
    if total >= 17:
        return "Stand: one more card would bust you too often."
    if 2 <= up <= 6:
        return "Stand: the dealer may well bust; do not bust first."
    return "Stand: small cards are gone, the next one likely busts."
