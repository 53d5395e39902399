"""A stream of chance for measurements: unbiased, reproducible and cheap on CPython."""

from __future__ import annotations

import random
from collections.abc import Callable


class FastStream:
    """What a shoe asks of its stream: `below(n)`, an integer from 0 to n - 1, each exactly equally likely (n >= 1)."""

    below: Callable[[int], int]

    def __init__(self, seed: int) -> None:
        bits = random.Random(seed).getrandbits

        # A closure saves the look-up of an attribute for every card.
        def below(n: int) -> int:
            width = n.bit_length()
            pick = bits(width)
            while pick >= n:
                pick = bits(width)
            return pick

        self.below = below
