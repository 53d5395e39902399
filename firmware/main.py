"""Runs at power-on of the Pico."""

from holecard.app import run
from holecard.boards.pico import Board

run(Board())
