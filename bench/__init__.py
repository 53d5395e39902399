"""Measurements of the rules core: `python -m bench` writes build/bench.json and a table on the terminal."""
