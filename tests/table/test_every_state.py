"""Every command and every mask of the keys in every state, with the same result on CPython and on MicroPython."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest
from tests.table.test_micropython import FIRMWARE, MICROPYTHON, needs_micropython

HERE = Path(__file__).parent
SOME = ["some", pytest.param("every", marks=pytest.mark.long)]


def became(interpreter: list[str], how_many: str) -> list[str]:
    """What the script says of each; it fails by itself where money is lost or an arcade table obeys."""
    script = [*interpreter, str(HERE / "states_script.py"), str(FIRMWARE), str(HERE), how_many]
    done = subprocess.run(script, capture_output=True, text=True, timeout=600, check=False)
    assert done.returncode == 0, done.stdout[-300:] + done.stderr[-1500:]
    return done.stdout.splitlines()


@needs_micropython
@pytest.mark.promise(19, 28)
@pytest.mark.parametrize("how_many", SOME)
def test_every_command_and_every_key_in_every_state(how_many: str) -> None:
    ours = became([sys.executable], how_many)
    # A word ends each name of a state where the number of a mask or a header begins.
    states = {re.split(r" (?=\d|[*A-Z]{2})", line, maxsplit=1)[0] for line in ours}
    assert len(states) == 32 and len(ours) > 500
    assert {line.split()[1] for line in ours} >= {"dealing", "locked", "menu", "waiting", "low"}
    # Objects are twice as long as on the Pico.
    assert became([str(MICROPYTHON), "-X", "heapsize=700k"], how_many) == ours
