"""What "hit below 17" is worth: the core's long-run average against the exact expected values."""

from __future__ import annotations

from concurrent.futures import ProcessPoolExecutor
from math import sqrt
from multiprocessing import get_context
from typing import NamedTuple

from holecard.rules.ruleset import CASINO, SIFL, RuleSet

from .engines import new_session, play_round
from .rows import Row

SIGMAS = 3.0
"""How far the average may lie from the exact value, in standard errors."""

_SEED = 17


class Game(NamedTuple):
    """A rule set and the exact value of "hit below 17" under it, in percent of the bet.

    `hit_below_17` of tools/strategy_table.py computes it card by card, without any simulation.
    """

    rules: RuleSet
    exact: float


# The exact value for six decks is that of the first round of a shoe, hence a shuffle before every round.
GAMES = {
    "casino": Game(CASINO.replace(cut_percent=0), -6.1855),
    "sifl": Game(SIFL, -6.2187),
}


class Average(NamedTuple):
    """Mean result of a round and its standard error, in bets."""

    mean: float
    error: float


def play(rules: RuleSet, rounds: int, seed: int) -> Average:
    """The average of so many rounds; the same for the same seed."""
    session = new_session(rules, seed)
    bet = rules.min_bet
    bets = [bet]
    total = squares = 0
    for _ in range(rounds):
        game = play_round(session, bets)
        net = game.bankrolls[0] - game.start[0]
        total += net
        squares += net * net
    mean = total / rounds
    return Average(mean / bet, sqrt((squares / rounds - mean * mean) / rounds) / bet)


def measure(rounds: int) -> list[Row]:
    """Both games, one process each: average, standard error, and the deviation in standard errors against SIGMAS."""
    with ProcessPoolExecutor(len(GAMES), get_context("spawn")) as pool:
        runs = {name: pool.submit(play, game.rules, rounds, _SEED) for name, game in GAMES.items()}
        averages = {name: run.result() for name, run in runs.items()}
    rows = []
    for name, average in averages.items():
        exact = GAMES[name].exact
        sigmas = (100 * average.mean - exact) / (100 * average.error)
        ok = abs(sigmas) <= SIGMAS
        rows += [
            Row(f"{name}: hit below 17", round(100 * average.mean, 4), "% of the bet", exact, ok),
            Row(f"{name}: standard error", round(100 * average.error, 4), "% of the bet"),
            Row(f"{name}: deviation", round(sigmas, 2), "standard errors", SIGMAS, ok),
            Row(f"{name}: rounds", rounds, "rounds"),
        ]
    return rows
