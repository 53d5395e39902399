"""The hints: against values computed card by card, always legal, short, and the same on MicroPython."""

from __future__ import annotations

import random
import subprocess
import sys
from functools import cache
from pathlib import Path
from types import SimpleNamespace

import pytest
from tools.strategy_table import Cell, cell_of, cells, hands_of, letter, total_of

from holecard.rules.cards import HIDDEN
from holecard.rules.round import Round
from holecard.rules.ruleset import CASINO, SIFL, RuleSet
from holecard.rules.shoe import Shoe
from holecard.rules.strategy import hint

CASINO_S17 = CASINO.replace(dealer_hits_soft_17=False)
HOUSES = {"sifl": SIFL, "casino": CASINO, "casino, dealer stands on soft 17": CASINO_S17}

NEGLIGIBLE = 0.002
"""Of a bet: the simpler row is kept where it costs less than this."""

KNOWN_DIFFERENCES = {
    "sifl": {Cell("soft", 19, 2, 5)},
    "casino": set(),
    "casino, dealer stands on soft 17": set(),
}


# Where the chart for a dealer who hits soft 17 differs from the better known one, and famous close calls.
PUBLISHED = {
    Cell("hard", 11, 2, 0): "D",
    Cell("hard", 12, 2, 2): "H",
    Cell("hard", 12, 2, 3): "S",
    Cell("hard", 16, 2, 9): "H",
    Cell("soft", 18, 2, 1): "d",
    Cell("soft", 19, 2, 5): "d",
    Cell("soft", 18, 2, 8): "H",
    Cell("pair", 8, 2, 0): "P",
    Cell("pair", 9, 2, 6): "S",
    Cell("pair", 4, 2, 4): "P",
}


@cache
def computed(house: str) -> dict[Cell, dict[str, float]]:
    return cells(HOUSES[house])


def shown(rules: RuleSet, hand: tuple[int, ...], up: int, legal: str) -> SimpleNamespace:
    """What `hint` reads of a Visible, for a hand of card kinds (the tool's: 10 is a royal) and a bet of $10."""
    total, soft = total_of(hand)
    view = SimpleNamespace(cards=hand, bet=20, total=total, soft=soft)
    dealer = (HIDDEN, up) if rules.hole_first else (up, HIDDEN)
    seat = SimpleNamespace(hands=(view,))
    return SimpleNamespace(legal=legal, seat=0, hand=0, seats=(seat,), dealer=dealer, double_max=20)


def examples(rules: RuleSet) -> dict[Cell, list[tuple[int, ...]]]:
    """Every hand of every cell."""
    found: dict[Cell, list[tuple[int, ...]]] = {}
    for count in range(2, rules.max_cards or 3):
        for hand in hands_of(count, bool(rules.royal_blackjack)):
            for up in range(11):
                found.setdefault(cell_of(rules, hand, up), []).append(hand)
    return found


# What takes half a minute each is tried with --long.
@pytest.mark.parametrize(
    "house",
    [
        "sifl",
        pytest.param("casino", marks=pytest.mark.long),
        pytest.param("casino, dealer stands on soft 17", marks=pytest.mark.long),
    ],
)
def test_the_table_agrees_with_the_computed_values(house: str) -> None:
    """With money for everything, and with none for doubling and splitting; one test, so that it is computed once."""
    assert differences(house, "full") == KNOWN_DIFFERENCES[house]
    assert differences(house, "empty") == set()
    if house == "casino":
        assert {cell: letter(computed(house)[cell]) for cell in PUBLISHED} == PUBLISHED


def differences(house: str, purse: str) -> set[Cell]:
    """The cells in which another action would be better, by little; AssertionError where it would be by more."""
    rules = HOUSES[house]
    found = set()
    all_hands = examples(rules)
    for cell, values in computed(house).items():
        possible = {action: value for action, value in values.items() if purse == "full" or action in "HS"}
        best = max(possible.values())
        for hand in all_hands[cell]:
            code, _ = hint(rules, shown(rules, hand, cell.dealer, "".join(possible)))
            assert best - possible[code] < NEGLIGIBLE, (cell, hand, code, possible)
            if possible[code] < best:
                found.add(cell)
    return found


def test_a_part_of_a_double_is_not_advised() -> None:
    table = shown(CASINO, (4, 5), 5, "HSD")
    assert hint(CASINO, table)[0] == "D"
    table.double_max = 10
    assert hint(CASINO, table) == ("H", "Hit: you would double, but cannot in full.")
    soft = shown(CASINO, (0, 6), 5, "HS")
    assert hint(CASINO, soft) == ("S", "Stand: you would double, but cannot in full.")


def test_the_last_card_is_called_so() -> None:
    assert hint(SIFL, shown(SIFL, (1, 1, 1, 6), 8, "HS")) == (
        "H",
        "Hit: your last card, and it helps more than it hurts.",
    )
    assert "last" not in hint(SIFL, shown(SIFL, (1, 1, 7), 8, "HS"))[1]


def test_an_unsplittable_pair_of_aces_is_soft_12() -> None:
    assert hint(CASINO, shown(CASINO, (0, 0), 8, "HSP"))[0] == "P"
    assert hint(CASINO, shown(CASINO, (0, 0), 8, "HS"))[0] == "H"


@pytest.mark.parametrize(("rules", "seats"), [(SIFL, 1), (CASINO, 1), (CASINO, 5)])
def test_hints_are_legal_and_readable_in_whole_rounds(rules: RuleSet, seats: int) -> None:
    """Following every hint (or now and then something else) ends each round; reasons fit three lines of the screen."""
    chance = random.Random(11)
    shoe = Shoe(rules, SimpleNamespace(below=chance.randrange))
    seen = set()
    for _ in range(600):
        bet = 2 * chance.randrange(5, 50)
        # Between just the bet and enough for everything, so that the money often reaches for a part only.
        bankrolls = [bet + chance.choice((0, bet // 2, bet, 3 * bet, 8 * bet)) for _ in range(seats)]
        shoe.begin_round()
        game = Round(rules, bankrolls, [bet] * seats, shoe)
        while game.phase in ("insurance", "playing"):
            visible = game.visible()
            code, reason = hint(rules, visible)
            assert code and code in visible.legal
            assert 0 < len(reason) <= 60
            assert reason.isascii()
            if code == "D":
                assert visible.double_max == visible.seats[visible.seat].hands[visible.hand].bet
            seen.add(code)
            done = code if chance.random() < 0.8 else chance.choice(visible.legal)
            game.act(game.seat, done, visible.double_max if done == "D" else 0)
        assert hint(rules, game.visible())[0] == ""
    assert seen == set("HSD" if rules is SIFL else "HSDPN")


def test_micropython_gives_the_same_hints(tmp_path: Path) -> None:
    """One line of codes over hands and up cards, computed by both."""
    micropython = Path(sys.executable).with_name("micropython")
    if not micropython.exists():
        pytest.skip("no MicroPython for this machine")
    script = tmp_path / "hints.py"
    script.write_text(
        "from holecard.rules.ruleset import PRESETS\n"
        "from holecard.rules.strategy import hint\n"
        "from holecard.rules.cards import hand_total\n"
        "class Box:\n    pass\n"
        "for name in ('sifl', 'casino'):\n"
        "    line = ''\n"
        "    for up in range(13):\n"
        "        for a in range(13):\n"
        "            for b in range(13):\n"
        "                hand, seat, table = Box(), Box(), Box()\n"
        "                hand.cards, hand.bet = (a, b), 20\n"
        "                hand.total, hand.soft = hand_total(hand.cards)\n"
        "                seat.hands = (hand,)\n"
        "                table.seats, table.seat, table.hand, table.double_max = (seat,), 0, 0, 20\n"
        "                table.legal, table.dealer = 'HSD' + ('P' if a == b and name == 'casino' else ''), (up, -1)\n"
        "                line += hint(PRESETS[name], table)[0]\n"
        "    print(name, line)\n"
    )
    firmware = Path(__file__).parents[2] / "firmware"
    outputs = [
        subprocess.run(
            command, env={variable: str(firmware)}, capture_output=True, text=True, timeout=60, check=True
        ).stdout
        for command, variable in (
            ([str(micropython), "-X", "heapsize=192k", str(script)], "MICROPYPATH"),
            ([sys.executable, str(script)], "PYTHONPATH"),
        )
    ]
    assert len(outputs[0]) > 2 * 13**3
    assert outputs[0] == outputs[1]
