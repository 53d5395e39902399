"""The program's digest on whole tables: what a board says of its files, and what the table makes of it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from tests.hardware.faults import EMULATED, on_simulated, on_simulated_picos
from tests.hardware.support import Probe

import holecard
from holecard.boards import pico_pins
from holecard_host import firmware_files
from holecard_host.stands import Stand, open_stand
from holecard_host.twin.simulator import Simulator

PACKAGE = Path(holecard.__file__).parent
# The simulated Pico runs the package as it lies here, and has no main.py.
HERE = {f"lib/holecard/{path.relative_to(PACKAGE).as_posix()}": path.read_bytes() for path in PACKAGE.rglob("*.py")}
ARCADE = {"settings.json": b'{"mode": "arcade"}'}


def told(stand: Stand, ms: float = 4_000) -> dict[str, Any]:
    """What it says after so long a time in which nobody touched it."""
    stand.advance(ms)
    # A lock is an error too, and would be the answer.
    stand.wire.command("*CLS")
    return dict(stand.wire.ask_record("SYST:DIG?"))


def test_the_board_hands_out_its_program_in_small_pieces(probe: Probe) -> None:
    """A part of the contract of boards: see holecard.boards."""
    names = eval(probe.ask("[p for p in board.program() if isinstance(p, str)]"))
    assert names == sorted((path.removeprefix("lib/") for path in HERE), key=lambda name: name.split("/"))
    assert eval(probe.ask("max([len(p) for p in board.program() if not isinstance(p, str)])")) == 512
    whole = eval(probe.ask("sum([len(p) for p in board.program() if not isinstance(p, str)])"))
    assert whole == sum(map(len, HERE.values()))


@on_simulated
def test_promise_31_a_table_run_from_its_sources_tells_their_digest(url: str) -> None:
    with open_stand(url) as stand:
        assert stand.wire.ask_record("SYST:DIG?")["state"] == "computing"
        found = told(stand)
        assert (found["state"], found["match"], found["files"]) == ("computed", None, len(HERE))
        assert found["digest"] == firmware_files.digest(HERE)


# A Pi's program is what pip has installed, whose digests nothing on its disk names.
@on_simulated_picos
@pytest.mark.parametrize("changed", [False, True], ids=["as installed", "changed"])
def test_promise_31_it_is_compared_with_what_was_installed(url: str, changed: bool) -> None:
    files = {**ARCADE, firmware_files.DIGEST: firmware_files.digest(HERE).encode()}
    if changed:
        files["lib/holecard/app.py"] = HERE["lib/holecard/app.py"] + b"\n"
    with open_stand(url, files=files) as stand:
        assert told(stand)["match"] is not changed
        assert stand.wire.ask_record("TABL:STAT?")["phase"] == ("locked" if changed else "betting")
        # It is found again at every start: nothing of it is kept.
        stand.cut()
        stand.restore()
        assert told(stand)["match"] is not changed


def test_promise_31_a_press_meanwhile_is_answered_as_quickly(interpreter: str) -> None:
    """While it is computed, from a quarter of a second after the start on, a key waits for one piece at most."""
    waits = []
    for after_us in (300_000, 3_000_000):
        simulator = Simulator(interpreter, trace=True)
        simulator.start()
        simulator.grant(10_000_000, idle=True)
        simulator.grant(simulator.now + after_us)
        began, seen = simulator.now, len(simulator.trace or [])
        simulator.schedule(began, pico_pins.KEYS[0], True)
        simulator.grant(began + 100_000)
        shown = [int(record.split(" ")[1]) for record in (simulator.trace or [])[seen:] if record.startswith("i ")]
        waits.append(shown[0] - began)
        simulator.kill()
    assert waits[0] <= waits[1] + 2_000


@pytest.mark.parametrize("url", [EMULATED])
def test_promise_31_what_is_installed_on_a_pico_is_what_it_finds(url: str) -> None:
    with open_stand(url) as stand:
        found = told(stand)
        assert (found["state"], found["match"]) == ("computed", True)
        assert found["digest"] == firmware_files.digest(firmware_files.compiled())
