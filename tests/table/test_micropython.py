"""The same session on both interpreters, and an idle loop that leaves the heap alone."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

HERE = Path(__file__).parent
FIRMWARE = HERE.parent.parent / "firmware"
MICROPYTHON = shutil.which("micropython", path=str(Path(sys.executable).parent)) or shutil.which("micropython")

needs_micropython = pytest.mark.skipif(
    MICROPYTHON is None, reason="MicroPython's unix port has no wheel for this platform"
)


def run(interpreter: list[str], what: str) -> str:
    script = [*interpreter, str(HERE / "session_script.py"), str(FIRMWARE), str(HERE), what]
    done = subprocess.run(script, capture_output=True, text=True, timeout=120, check=False)
    assert done.returncode == 0, done.stdout[-2000:] + done.stderr[-2000:]
    return done.stdout


@needs_micropython
def test_a_session_gives_the_same_transcript() -> None:
    ours = run([sys.executable], "session")
    assert ours.count("\n> ") == 17
    assert '"phase":"doubling"' in ours or '"page":"recall"' in ours
    # Objects are twice as long as on the Pico: this is the like of its 240 KiB.
    assert run([str(MICROPYTHON), "-X", "heapsize=640k"], "session") == ours


@needs_micropython
def test_a_thousand_idle_steps_allocate_nothing() -> None:
    assert run([str(MICROPYTHON), "-X", "heapsize=512k"], "idle") == "0\n"


@needs_micropython
def test_tables_opened_again_and_again_fit_on_a_small_heap() -> None:
    """Two eight-deck shoes at once, or pieces of old ones left about, would not."""
    assert run([str(MICROPYTHON), "-X", "heapsize=512k"], "tables") == "7 6\n"
