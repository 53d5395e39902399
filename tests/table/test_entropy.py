"""The health tests: their limits follow from the formulas, bad sources fail, a good one passes, a failure stays."""

import os
from fractions import Fraction
from itertools import cycle, islice
from math import ceil, comb

import pytest
from tests.table.test_drbg import needs_micropython, on_micropython

from holecard.table import entropy
from holecard.table.drbg import Drbg
from holecard.table.entropy import SAMPLES, Entropy, EntropyFault, Health

ALPHA = Fraction(1, 1 << 30)
# How often a good source is tried; HOLECARD_LONG_ENTROPY=10000 for the long version.
TRIES = int(os.environ.get("HOLECARD_LONG_ENTROPY", "300"))


def first_failure(samples, bits: int = 4) -> tuple[str, int]:
    """The reason of the first failure, and after how many samples; ("", their number) if there is none."""
    health = Health(bits)
    count = 0
    for count, sample in enumerate(samples, 1):
        health.feed(bytes([sample]))
        if health.failure:
            return health.failure, count
    return "", count


def critical_binomial(window: int, bits: int) -> int:
    """The smallest k with P(X <= k) >= 1 - alpha, X binomial with the chance 2^-bits; exact."""
    others = (1 << bits) - 1
    beyond = 0
    for k in range(window, -1, -1):
        weight = comb(window, k) * others ** (window - k)
        if Fraction(beyond + weight, (1 << bits) ** window) > ALPHA:
            return k
        beyond += weight
    raise AssertionError


def test_in_pieces_or_at_once():
    data = good(4, 700) + bytes(9)
    for size in (1, 7, 64, 709):
        health = Health()
        for at in range(0, 709, size):
            assert health.failure == ""
            health.feed(data[at : at + size])
        assert (health.failure, health.left) == ("is stuck", SAMPLES - 709)


@pytest.mark.parametrize("bits", range(1, 9))
def test_the_limits_are_those_of_sp_800_90b(bits):
    health = Health(bits)
    assert health.run_limit == 1 + ceil(30 / bits)
    assert health.share_limit == 1 + critical_binomial(512, bits)
    # 1,024 places for the mark to come again: 2^-(bits * length) each.
    assert SAMPLES * Fraction(1, 1 << bits * len(health.mark)) <= ALPHA


def good(seed: int, count: int) -> bytes:
    drbg = Drbg(seed.to_bytes(32, "big"))
    return b"".join(drbg.generate(min(64, count - at)) for at in range(0, count, 64))


def test_promise_10_a_stuck_source():
    assert first_failure(bytes(100)) == ("is stuck", 9)
    assert first_failure(good(1, 5000) + b"\xff" * 100) == ("is stuck", 5009)


@pytest.mark.parametrize("values", [1, 2, 3, 4])
def test_promise_10_a_source_with_few_values(values):
    source = bytes(17 * (byte % values) for byte in good(2, SAMPLES))
    reason, count = first_failure(source)
    assert reason in ("is stuck", "knows few values", "repeats itself")
    assert count <= SAMPLES


@pytest.mark.parametrize("bits", range(1, 9))
def test_promise_10_one_value_too_often(bits):
    share = Health(bits).share_limit
    window = [0 if at % 512 < share else 1 + at % 255 for at in range(0, 512 * 127, 127)]
    reason, count = first_failure(window * 2, bits)
    assert reason == "knows few values"
    assert count <= SAMPLES


@pytest.mark.parametrize("length", [1, 2, 3, 10, 32, 64, 255, 256, 500, 1000])
def test_promise_10_a_source_that_repeats_a_block(length):
    reason, count = first_failure(islice(cycle(good(3, length)), 3 * SAMPLES))
    assert reason
    assert count <= SAMPLES + 20


def test_promise_10_a_shift_register_without_its_oscillator():
    """How the Pico's source looks when its oscillator stands still: all bytes but one, equally often."""
    state, values = 1, []
    for _ in range(SAMPLES):
        for _ in range(8):
            state = state << 1 & 0xFF ^ (0x1D if state & 0x80 else 0)
        values.append(state)
    assert first_failure(values)[0] == "repeats itself"


def test_promise_10_a_good_source_passes():
    for seed in range(TRIES):
        assert first_failure(good(seed, SAMPLES + 1000))[0] == ""


def test_promise_10_the_start_up_test_comes_first_and_a_failure_stays():
    given = []

    def source(count: int) -> bytes:
        data = bytes(count) if broken else os.urandom(count)
        given.append(data)
        return data

    broken = False
    watched = Entropy(source)
    assert not watched.start(1000)
    assert watched.start(1000)
    assert sum(map(len, given)) == SAMPLES
    assert watched.draw(32) == given[-1]
    broken = True
    with pytest.raises(EntropyFault, match="is stuck"):
        watched.draw(32)
    broken = False
    asked = len(given)
    for _ in range(3):
        with pytest.raises(EntropyFault, match="is stuck"):
            watched.draw(32)
    assert len(given) == asked, "a failed source is not even asked"


def test_promise_10_nothing_is_drawn_before_the_start_up_test():
    watched = Entropy(os.urandom)
    watched.draw(32)
    assert watched.health.left == 0
    with pytest.raises(EntropyFault, match="is stuck"):
        Entropy(bytes).draw(32)


def test_bits_are_checked():
    for bits in (0, 9):
        with pytest.raises(ValueError, match="bits"):
            Health(bits)
    assert entropy.SAMPLES >= 1024


@needs_micropython
def test_a_sample_allocates_nothing():
    program = """
import gc
from holecard.table.entropy import Health
health = Health()
def allocated(data):
    gc.collect()
    before = gc.mem_alloc()
    health.feed(data)
    return gc.mem_alloc() - before
data = bytes([at * 151 & 255 ^ at >> 5 for at in range(3000)])
few = data[:30]
allocated(few)
print(allocated(data) - allocated(few))
"""
    assert on_micropython(program) == ["0"]
