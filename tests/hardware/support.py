"""Small firmware for the simulated hardware, and a way to ask it things."""

from __future__ import annotations

import importlib.util
import tempfile
from pathlib import Path

import pytest

from holecard_host.errors import StandFault
from holecard_host.twin.process import micropython_path
from holecard_host.twin.simulator import Simulator

FIRMWARE = Path(__file__).parent / "firmware"
ECHO = FIRMWARE / "echo.py"


def _have_micropython() -> bool:
    try:
        micropython_path()
    except StandFault:
        return False
    return True


needs_micropython = pytest.mark.skipif(not _have_micropython(), reason="MicroPython's unix port is not installed")
INTERPRETERS = ["cpython", pytest.param("micropython", marks=needs_micropython)]
needs_luma = pytest.mark.skipif(
    importlib.util.find_spec("luma") is None, reason="luma.oled is not installed: holecard[pi]"
)
PI = pytest.param("pi", marks=needs_luma)
# The Pico on both interpreters, and the Pi.
MACHINES = [*INTERPRETERS, PI]


class Probe:
    """Evaluates expressions on the simulated device."""

    def __init__(self, interpreter: str, **options: object) -> None:
        entry = FIRMWARE / "probe.py"
        if interpreter == "pi":
            # The same, but for the board.
            self._folder = tempfile.TemporaryDirectory()
            text = entry.read_text(encoding="utf-8").replace("holecard.boards.pico ", "holecard.boards.raspberry_pi ")
            entry = Path(self._folder.name, "probe.py")
            entry.write_text(text, encoding="utf-8")
        self.simulator = Simulator(interpreter, entry=entry, **options)  # type: ignore[arg-type]
        self.pins = self.simulator.pins
        self.start()

    def start(self) -> None:
        """Switch it on and let it come up."""
        self.simulator.start()
        self.simulator.grant(self.simulator.now + 1_000_000, idle=True)

    def ask(self, expression: str, more: bytes = b"", lines: int = 1) -> str:
        """The last of so many answers as text; `more` is sent right behind the expression."""
        limit = self.simulator.now + 10_000_000
        answer = self.simulator.grant(limit, rx=expression.encode() + b"\n" + more, lines=lines)
        assert answer.why == "lines", answer
        return self.simulator.take_output().decode().splitlines()[-1]

    def run(self, us: int) -> None:
        """Let time pass."""
        self.simulator.grant(self.simulator.now + us)
