"""The same game on three engines: six decks, one seat, dealer hits soft 17, player hits below 17, no insurance.

Every engine is driven through its public interface, one call per decision, and shuffles in its own way. What the others
do differently by themselves: `blackjack-api` has no peek, always plays the dealer's hand, and deals its decks to the
last card; `blackjack21` shuffles a whole deck at once, past 75% as ours does.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from importlib import import_module
from types import ModuleType

from holecard.rules.round import Round
from holecard.rules.ruleset import CASINO, RuleSet
from holecard.rules.session import Session
from holecard.rules.shoe import Shoe

from .stream import FastStream

Play = Callable[[int], None]
"""Plays so many rounds."""

_BANKROLL = 1_000_000_000
"""Half-dollars: no run is ever short of money."""


class MissingEngine(Exception):
    """An engine to compare with is not installed; the argument is its name on PyPI."""


def new_session(rules: RuleSet, seed: int) -> Session:
    """One seat that never runs out of money, at a table with its own reproducible shoe."""
    return Session(rules, Shoe(rules, FastStream(seed)), [_BANKROLL])


def play_round(session: Session, bets: list[int]) -> Round:
    """One round of "hit below 17" from bet to settlement, as the table's game runs it."""
    game = session.deal(bets)
    if game.phase == "insurance":
        game.act(0, "N")
    while game.phase == "playing":
        game.act(0, "H" if game.total() < 17 else "S")
    session.settle()
    return game


def holecard(seed: int) -> Play:
    """Our core, casino rules."""
    session = new_session(CASINO, seed)
    bets = [CASINO.min_bet]

    def play(rounds: int) -> None:
        for _ in range(rounds):
            play_round(session, bets)

    return play


def holecard_with_views(seed: int) -> Play:
    """Our core, when everything that the player may see is copied out before every decision and at the end."""
    session = new_session(CASINO, seed)
    bets = [CASINO.min_bet]

    def play(rounds: int) -> None:
        for _ in range(rounds):
            game = session.deal(bets)
            view = game.visible()
            while view.legal:
                if "N" in view.legal:
                    game.act(view.seat, "N")
                else:
                    game.act(view.seat, "H" if view.seats[0].hands[0].total < 17 else "S")
                view = game.visible()
            session.settle()

    return play


def _installed(module: str, distribution: str) -> ModuleType:
    try:
        return import_module(module)
    except ImportError:
        raise MissingEngine(distribution) from None


def blackjack_api(seed: int) -> Play:
    """The engine `blackjack-api`; its five-card rule is switched off."""
    engine = _installed("blackjack_api.blackjack", "blackjack-api")
    random.seed(seed)
    game = engine.BlackJack(num_decks=6, hit_soft_17=True, charlie=False)
    game.stand()  # the constructor has dealt a round already

    def play(rounds: int) -> None:
        for _ in range(rounds):
            game.start_round()
            game.start_hand()
            hand = game.player[0]
            while game.hand_running:
                if hand.count() < 17:
                    game.hit()
                else:
                    game.stand()

    return play


def blackjack21(seed: int) -> Play:
    """The engine `blackjack21`."""
    engine = _installed("blackjack21", "blackjack21")
    random.seed(seed)
    deck = engine.Deck(engine.DEFAULT_SUITS, count=6)
    shuffle_in_time = engine.shoe_reset_hook(deck, 0.75)
    table = engine.Table([("player", 10)], deck, hit_soft_17=True, on_round_reset=shuffle_in_time)
    playing = engine.GameState.PLAYERS_TURN

    def play(rounds: int) -> None:
        for _ in range(rounds):
            table.start_game()
            while table.state is playing:
                if table.current_hand.total < 17:
                    table.hit()
                else:
                    table.stand()

    return play


OURS = {"holecard": holecard, "holecard, all views": holecard_with_views}
OTHERS = {"blackjack-api": blackjack_api, "blackjack21": blackjack21}
