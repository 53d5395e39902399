"""Holecard: a blackjack table in a box (see rules, table, drivers and boards)."""

__version__ = "0.1.0"
