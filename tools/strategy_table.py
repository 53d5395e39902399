"""Expected values behind the hints: what every action is worth, computed card by card.

Usage, from the root of the repository: `.venv/bin/python tools/strategy_table.py [sifl|casino]` (a few seconds).

Method: every player hand is followed through every card that may come, without replacement, and the dealer's hand
through every sequence of draws from what is left (orders that lead to the same set of cards are merged). The player
goes on optimally with exactly the cards he sees. One simplification, for splits only: the hands of a pair are valued
one by one, without the other's later cards taken out of the shoe (below 0.001 of a bet with six decks).

Values are in units of the original bet, given that the dealer turned out to have no blackjack: both houses settle a
dealer's blackjack before the player acts. A cell of the printed tables is the average over the hands of one total, as
likely as they are dealt from a full shoe. The published counterpart is the multi-deck chart "dealer hits soft 17,
double after split" (Wizard of Odds, 4 to 8 decks). `tests/rules/test_strategy.py` compares the firmware's table with
these values.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from functools import cache
from typing import NamedTuple

from holecard.rules.ruleset import PRESETS, RuleSet

Hand = tuple[int, ...]
"""Sorted card kinds: 0 ace, 1..8 two to nine, 9 ten, 10 jack, queen or king (only where the rules tell them apart)."""

VALUE = (1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 10)
_ACE, _TEN, _ROYAL = 0, 9, 10


class Cell(NamedTuple):
    """One decision of the table. kind: "hard", "soft" or "pair" (total is then the pair's card value, ace 1)."""

    kind: str
    total: int
    cards: int
    dealer: int


class Tree(NamedTuple):
    """All dealer hands that start with one up card: a graph over the sets of cards drawn, in order of their size."""

    size: int
    steps: list[tuple[int, int, list[tuple[int, int, int]]]]
    """(node, cards drawn so far, [(value index, how many of it are drawn, next node)])"""
    finals: list[tuple[int, int]]
    """(node, 0..4 for totals 17..21 or 5 for a bust)"""


def total_of(hand: Hand) -> tuple[int, bool]:
    """Best total and whether an ace counts 11 in it."""
    low = sum(VALUE[card] for card in hand)
    return (low + 10, True) if _ACE in hand and low <= 11 else (low, False)


@cache
def dealer_tree(up: int, hits_soft_17: bool, decks: int) -> Tree:
    """Every set of cards the dealer can draw to `up`, at least one (the hole card), until he stands or busts."""
    start: tuple[int, ...] = (0,) * 10
    index = {start: 0}
    steps: list[tuple[int, int, list[tuple[int, int, int]]]] = []
    finals: list[tuple[int, int]] = []
    level = [start]
    while level:
        following: list[tuple[int, ...]] = []
        for drawn in level:
            low = VALUE[up] + sum((kind + 1) * count for kind, count in enumerate(drawn))
            soft = (up == _ACE or drawn[0] > 0) and low <= 11
            best = low + 10 if soft else low
            depth = sum(drawn)
            if depth and (best > 17 or (best == 17 and not (soft and hits_soft_17))):
                finals.append((index[drawn], min(best, 22) - 17))
                continue
            out = []
            for kind in range(10):
                if drawn[kind] == decks * (4 if kind < _TEN else 16):
                    continue
                child = (*drawn[:kind], drawn[kind] + 1, *drawn[kind + 1 :])
                if child not in index:
                    index[child] = len(index)
                    following.append(child)
                out.append((kind, drawn[kind], index[child]))
            steps.append((index[drawn], depth, out))
        level = following
    return Tree(len(index), steps, finals)


class Odds:
    """Values of the player's actions under one rule set against one up card."""

    def __init__(self, rules: RuleSet, up: int) -> None:
        self.rules = rules
        self.up = up
        tens = (4, 12) if rules.royal_blackjack else (16, 0)
        self.full = [count * rules.decks for count in (4,) * 9 + tens]
        partner = _ROYAL if rules.royal_blackjack else _TEN
        # What the dealer cannot hold beside his up card once play goes on, because the round would be over.
        self.barred = partner if up == _ACE else _ACE if up == partner else None
        self.tree = dealer_tree(up, bool(rules.dealer_hits_soft_17), rules.decks)
        self._stand: dict[Hand, float] = {}
        self._best: dict[Hand, float] = {}

    def left(self, hand: Hand) -> list[int]:
        """Cards of each kind that neither the hand nor the up card shows."""
        counts = self.full.copy()
        counts[self.up] -= 1
        for card in hand:
            counts[card] -= 1
        return counts

    def dealer(self, hand: Hand) -> list[float]:
        """Probabilities of the dealer's 17, 18, 19, 20, 21 and bust while the player holds `hand`."""
        counts = self.left(hand)
        hole = counts.copy()
        if self.barred is not None:
            hole[self.barred] = 0
        holes = sum(hole)
        unseen = sum(counts)
        hole[_TEN] += hole[_ROYAL]
        counts[_TEN] += counts[_ROYAL]
        reach = [0.0] * self.tree.size
        for kind, _, child in self.tree.steps[0][2]:
            reach[child] = hole[kind] / holes
        for node, depth, out in self.tree.steps[1:]:
            share = reach[node] / (unseen - depth)
            if share:
                for kind, taken, child in out:
                    reach[child] += share * (counts[kind] - taken)
        totals = [0.0] * 6
        for node, which in self.tree.finals:
            totals[which] += reach[node]
        return totals

    def next_cards(self, hand: Hand) -> Iterator[tuple[int, float]]:
        """(card, probability) of the next card, given that the hole card makes no blackjack."""
        counts = self.left(hand)
        unseen = sum(counts)
        allowed = unseen if self.barred is None else unseen - counts[self.barred]
        for card, count in enumerate(counts):
            if count > 0:
                # The hole card takes one of the allowed ones away, so a barred kind is a little likelier to come.
                here = count if card == self.barred else count * (allowed - 1) / allowed
                yield card, here / (unseen - 1)

    def stand(self, hand: Hand) -> float:
        """Value of standing; a bust hand is lost."""
        if hand not in self._stand:
            total, _ = total_of(hand)
            if total > 21:
                return -1.0
            chances = self.dealer(hand)
            wins = chances[5] + sum(chances[: max(total - 17, 0)])
            losses = sum(chances[max(total - 16, 0) : 5])
            self._stand[hand] = wins - losses
        return self._stand[hand]

    def full_hand(self, hand: Hand) -> bool:
        """The rules let this hand take no further card."""
        total, _ = total_of(hand)
        limit = self.rules.max_cards
        return total > 21 or (total == 21 and bool(self.rules.stands_on_21)) or bool(limit and len(hand) >= limit)

    def hit(self, hand: Hand) -> float:
        """Value of one more card and the best play after it."""
        return sum(chance * self.best(add(hand, card)) for card, chance in self.next_cards(hand))

    def double(self, hand: Hand) -> float:
        """Value of exactly one card for twice the bet."""
        return 2 * sum(chance * self.stand(add(hand, card)) for card, chance in self.next_cards(hand))

    def best(self, hand: Hand) -> float:
        """Value of a hand under the best play by hit or stand alone."""
        if hand not in self._best:
            value = self.stand(hand)
            if not self.full_hand(hand):
                value = max(value, self.hit(hand))
            self._best[hand] = value
        return self._best[hand]

    def split(self, card: int) -> float:
        """Value of splitting a pair of `card` and of splitting again while that pays, up to the most hands allowed."""
        counts = self.left((card, card))
        unseen = sum(counts)
        aces = card == _ACE
        values = []
        for other, count in enumerate(counts):
            hand = add((card,), other)
            value = self.stand(hand) if aces else self.best(hand)
            if not aces and self.rules.double_after_split and not self.full_hand(hand):
                value = max(value, self.double(hand))
            values.append((count / unseen, other, value))
        again = counts[card] / unseen
        single = sum(chance * value for chance, other, value in values if other != card)
        kept = next(value for _, other, value in values if other == card)
        most = 2 if aces else self.rules.max_hands

        @cache
        def pending(hands: int, waiting: int) -> float:
            """`waiting` of the `hands` hands still need their second card."""
            if not waiting:
                return 0.0
            rest = pending(hands, waiting - 1)
            pair = kept + rest
            if hands < most:
                pair = max(pair, pending(hands + 1, waiting + 1))
            return single + (1 - again) * rest + again * pair

        return pending(2, 2)

    def actions(self, hand: Hand) -> dict[str, float]:
        """Value of every action H, S, D, P the rules know for this hand, funds not considered."""
        values = {"S": self.stand(hand), "H": self.hit(hand)}
        if len(hand) == 2:
            values["D"] = self.double(hand)
            if self.rules.max_hands > 1 and hand[0] == hand[1]:
                values["P"] = self.split(hand[0])
        return values

    def weight(self, hand: Hand) -> float:
        """How likely `hand` is beside the up card, up to a common factor."""
        counts = self.left(())
        ways = 1.0
        last, run = -1, 0
        for place, card in enumerate(hand, 1):
            run = run + 1 if card == last else 1
            last = card
            ways *= max(counts[card], 0) * place / run
            counts[card] -= 1
        return ways


def add(hand: Hand, card: int) -> Hand:
    """The hand with one card more."""
    return tuple(sorted((*hand, card)))


def hands_of(count: int, royal: bool, start: int = 0) -> Iterator[Hand]:
    """Every sorted hand of `count` cards, whatever its total."""
    if not count:
        yield ()
        return
    for card in range(start, 11 if royal else 10):
        for rest in hands_of(count - 1, royal, card):
            yield (card, *rest)


def cells(rules: RuleSet) -> dict[Cell, dict[str, float]]:
    """The average value of every action for every decision of the table.

    Two-card hands, and with a card limit also every longer hand short of it. Hands that the rules finish by themselves
    (blackjack, a bust, 21 where it stands) are no decisions. A pair that can be split is a cell of its own.
    """
    royal = bool(rules.royal_blackjack)
    blackjack = (_ACE, _ROYAL if royal else _TEN)
    found: dict[Cell, dict[str, float]] = {}
    for up in range(11 if royal else 10):
        odds = Odds(rules, up)
        sums: dict[Cell, dict[str, float]] = {}
        weights: dict[Cell, float] = {}
        for count in range(2, rules.max_cards or 3):
            for hand in hands_of(count, royal):
                weight = odds.weight(hand)
                if not weight or hand == blackjack or odds.full_hand(hand):
                    continue
                cell = cell_of(rules, hand, up)
                row = sums.setdefault(cell, {})
                for action, value in odds.actions(hand).items():
                    row[action] = row.get(action, 0.0) + weight * value
                weights[cell] = weights.get(cell, 0.0) + weight
        for cell, row in sums.items():
            found[cell] = {action: value / weights[cell] for action, value in row.items()}
    return found


def cell_of(rules: RuleSet, hand: Hand, up: int) -> Cell:
    """The table's cell for a hand."""
    total, soft = total_of(hand)
    if rules.max_hands > 1 and len(hand) == 2 and hand[0] == hand[1]:
        return Cell("pair", VALUE[hand[0]], 2, up)
    return Cell("soft" if soft else "hard", total, len(hand), up)


def hit_below_17(rules: RuleSet) -> float:
    """Exact value per unit bet of the player who hits below 17, soft or not, and does nothing else; with blackjacks."""
    royal = bool(rules.royal_blackjack)
    blackjack = (_ACE, _ROYAL if royal else _TEN)
    num, den = rules.blackjack_pays
    whole = weight_sum = 0.0
    for up in range(11 if royal else 10):
        odds = Odds(rules, up)
        known: dict[Hand, float] = {}

        def play(hand: Hand, odds: Odds = odds, known: dict[Hand, float] = known) -> float:
            if hand not in known:
                if total_of(hand)[0] >= 17 or odds.full_hand(hand):
                    known[hand] = odds.stand(hand)
                else:
                    known[hand] = sum(chance * play(add(hand, card)) for card, chance in odds.next_cards(hand))
            return known[hand]

        for hand in hands_of(2, royal):
            weight = odds.full[up] * odds.weight(hand)
            if not weight:
                continue
            counts = odds.left(hand)
            caught = 0.0 if odds.barred is None else counts[odds.barred] / sum(counts)
            natural = hand == blackjack
            free = num / den if natural else play(hand)
            whole += weight * ((1 - caught) * free - (0.0 if natural else caught))
            weight_sum += weight
    return whole / weight_sum


def letter(values: dict[str, float]) -> str:
    """The best action as the firmware's table writes it: H, S, P, D (else hit) or d (else stand)."""
    best = max(values, key=lambda action: values[action])
    return "d" if best == "D" and values["S"] > values["H"] else best


def main(names: list[str]) -> None:
    """Print the best action of every decision, its margin over the second best in thousandths, and the check value."""
    for name in names or list(PRESETS):
        rules = PRESETS[name]
        table = cells(rules)
        columns = [*range(1, 11 if rules.royal_blackjack else 10), _ACE]
        print(f"{name}: columns are the dealer's {' '.join('A23456789TR'[up] for up in columns)}")
        for kind, count, total in sorted({(cell.kind, cell.cards, cell.total) for cell in table}):
            letters, margins = "", []
            for up in columns:
                values = table.get(Cell(kind, total, count, up))
                letters += letter(values) if values else "-"
                first, second = sorted(values.values(), reverse=True)[:2] if values else (0.0, 0.0)
                margins.append(f"{1000 * (first - second):5.0f}")
            print(f"{kind} {total:2} in {count} cards  {letters}  {' '.join(margins)}")
        print(f"hit below 17: {100 * hit_below_17(rules):+.4f}% per unit bet\n")


if __name__ == "__main__":
    main(sys.argv[1:])
