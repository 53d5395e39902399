"""HMAC_DRBG and the numbers drawn from it: NIST's vectors, the limits, and the same bytes on both interpreters."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from tests.table import core_chance

from holecard.table.cardstream import CardStream
from holecard.table.drbg import Drbg, ReseedNeeded

HERE = Path(__file__).parent
FIRMWARE = HERE.parent.parent / "firmware"
VECTORS = HERE / "vectors" / "hmac_drbg_sha256.rsp"
MICROPYTHON = shutil.which("micropython", path=str(Path(sys.executable).parent)) or shutil.which("micropython")

needs_micropython = pytest.mark.skipif(
    MICROPYTHON is None, reason="MicroPython's unix port has no wheel for this platform"
)


def on_micropython(program: str, *arguments: str) -> list[str]:
    done = subprocess.run(
        [str(MICROPYTHON), "-X", "heapsize=480k", "-c", program, *arguments],
        env=dict(os.environ, MICROPYPATH=os.pathsep.join([str(FIRMWARE), str(HERE)])),
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert done.returncode == 0, done.stdout[-2000:] + done.stderr
    return done.stdout.splitlines()


def test_promise_02_nist_vectors():
    """Without and with a reseed, a personalization and additional input."""
    vectors = core_chance.vectors(VECTORS)
    assert len(vectors) == 14
    for vector in vectors:
        got, wanted = core_chance.answer(vector)
        assert got == wanted


@needs_micropython
def test_promise_02_the_same_on_micropython():
    program = f"import core_chance\nfor line in core_chance.lines({str(VECTORS)!r}): print(line)"
    lines = on_micropython(program)
    assert lines == core_chance.lines(VECTORS)
    assert [line for line in lines if line.startswith("BAD")] == []


def test_promise_02_nothing_uses_random():
    for path in FIRMWARE.rglob("*.py"):
        words = path.read_text(encoding="utf-8").replace(",", " ").split("\n")
        imports = [line.split() for line in words if line.strip().startswith(("import ", "from "))]
        assert not [line for line in imports if "random" in line], path


def test_a_request_in_pieces_is_another_request():
    whole, pieces = Drbg(bytes(32)), Drbg(bytes(32))
    assert pieces.generate(32) == (first := whole.generate(64))[:32]
    assert pieces.generate(32) != first[32:], "the state moves on between requests"


def test_the_limits_of_the_publication():
    drbg = Drbg(bytes(32))
    assert len(drbg.generate(1 << 16)) == 1 << 16
    assert drbg.generate(0) == b""
    for count in (-1, (1 << 16) + 1):
        with pytest.raises(ValueError, match="bytes"):
            drbg.generate(count)
    for do in (Drbg, drbg.reseed):
        with pytest.raises(ValueError, match="fewer than 32"):
            do(bytes(31))
    drbg.requests = 1 << 48
    drbg.generate(1)
    with pytest.raises(ReseedNeeded):
        drbg.generate(1)
    drbg.reseed(bytes(32))
    assert drbg.requests == 1
    drbg.generate(1)


class Bytes:
    """In place of a generator: these bytes, then nothing."""

    def __init__(self, data: bytes) -> None:
        self.data = data

    def generate(self, count: int, additional: bytes = b"") -> bytes:
        head, self.data = self.data[:count], self.data[count:]
        assert head, "the bytes are used up"
        return head + bytes(count - len(head))


@pytest.mark.parametrize("n", [1, 2, 3, 51, 52, 100, 128, 129, 200, 255, 256])
def test_promise_06_every_byte_counts_once_or_not_at_all(n):
    """Each number comes from equally many of the 256 bytes; the rest are drawn again."""
    counts = [0] * n
    for byte in range(256):
        stream = CardStream(Bytes(bytes([byte, 0]) + bytes(62)))
        value = stream.below(n)
        if byte < 256 // n * n:
            counts[value] += 1
        else:
            assert value == 0, "the next byte"
    assert counts == [256 // n] * n


@pytest.mark.parametrize("n", [257, 312, 416, 40000])
def test_promise_06_the_same_with_two_bytes(n):
    stream = CardStream(Bytes(b"".join(value.to_bytes(2, "big") for value in range(1 << 16)) + bytes(2)))
    counts = [0] * n
    for _ in range((1 << 16) // n * n):
        counts[stream.below(n)] += 1
    assert counts == [(1 << 16) // n] * n
    assert stream.below(n) == 0, "all that was left has been passed over"


def test_below_refuses_what_it_cannot_do():
    stream = CardStream(Drbg(bytes(32)))
    assert stream.below(1) == 0
    assert 0 <= stream.below(1 << 24) < 1 << 24
    for n in (0, -1, (1 << 24) + 1):
        with pytest.raises(ValueError, match="n must be"):
            stream.below(n)
