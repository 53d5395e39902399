"""Levels of a closing and an opening contact, as an oscilloscope shows cheap arcade switches: (low?, microseconds)."""

BOUNCES = [
    [(1, 300), (0, 200), (1, 100), (0, 700), (1, 900), (0, 100), (1, 40_000), (0, 200), (1, 100), (0, 3_000), (1, 600)],
    [(1, 80), (0, 80)] * 12 + [(1, 30_000)] + [(0, 500), (1, 500)] * 6,
    [(1, 2_500), (0, 300), (1, 30_000), (0, 15_000), (1, 1_500)],
]
