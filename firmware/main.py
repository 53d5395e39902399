"""Runs at power-on of the Pico."""

from holecard.start import start

start()
