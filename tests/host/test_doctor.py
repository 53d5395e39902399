"""`holecard doctor`: what it says of good and bad tables, over the wire and at the prompt."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.host.fake import FakeWire
from typer.testing import CliRunner

from holecard import __version__
from holecard.boards import pico_pins
from holecard.table import table
from holecard_host import checkup
from holecard_host.cli.app import app
from holecard_host.stands import open_stand
from holecard_host.twin.holder import Holder

HEADERS = ["*IDN?", "*TST?"]


def wire(mask: int = 0, headers: list[str] | None = None, **answers: str) -> FakeWire:
    fake = FakeWire()
    fake.answers.update(
        {
            "SYST:HELP:HEAD?": json.dumps(headers or HEADERS),
            "*IDN?": f"Holecard,Table-pico,e660,{__version__}",
            "SYST:MODE?": "bench",
            "*TST?": str(mask),
            "SYST:EVEN:DROP?": "0",
        }
    )
    fake.answers.update(answers)
    return fake


def states(found: list[checkup.Finding]) -> dict[str, str]:
    return {finding.what: finding.state for finding in found}


def text(found: list[checkup.Finding], what: str) -> str:
    return next(finding.text for finding in found if finding.what == what)


def test_a_good_table() -> None:
    found = checkup.over_the_wire(wire())
    assert {state for what, state in states(found).items() if what not in ("errors", "heap", "flash")} == {"good"}


@pytest.mark.parametrize(("bit", "what"), [(entry[0], entry[1]) for entry in checkup.SELF_TEST])
def test_every_bit_of_the_self_test_is_explained(bit: int, what: str) -> None:
    found = checkup.over_the_wire(wire(bit))
    assert [name for name, state in states(found).items() if state == "bad"] == [what]
    assert len(text(found, what)) > 30


def test_no_bit_of_the_self_test_is_missing() -> None:
    assert {entry[0] for entry in checkup.SELF_TEST} == {
        getattr(table, name) for name in dir(table) if name.startswith("TEST_")
    }


def test_another_version_and_lost_events_are_warnings() -> None:
    found = checkup.over_the_wire(wire(**{"*IDN?": "Holecard,Table-pico,e660,0.0.1", "SYST:EVEN:DROP?": "3"}))
    assert states(found)["firmware"] == states(found)["events"] == "warning"
    assert "holecard flash" in text(found, "firmware")


def test_what_a_newer_firmware_tells_is_told() -> None:
    headers = ["DIAGnostic:PANel?", "SYSTem:MEMory?", "SYSTem:ERRor:TOTal?", "SYSTem:SETTings?"]
    answers = {
        "DIAGnostic:PANel?": '{"kind":"sh1106","address":"0x3D","failures":2}',
        "SYSTem:MEMory?": '{"heap_free":100000,"heap":245888,"flash_free":40960,"flash":1441792}',
        "SYST:ERR:TOT?": "4",
        "SYSTem:SETTings?": '{"problem":"settings: sound: true or false"}',
    }
    found = checkup.over_the_wire(wire(headers=headers, **answers))
    assert text(found, "panel") == "sh1106 at 0x3D, 2 failures since start"
    assert states(found)["heap"], states(found)["flash"] == ("good", "warning")
    assert (states(found)["errors"], states(found)["settings"]) == ("warning", "bad")


def test_the_command_on_a_simulated_table(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_RUNTIME_DIR", str(tmp_path))
    with Holder("sick", realtime=False):
        assert CliRunner().invoke(app, ["doctor", "sim://sick"]).exit_code == 0
        with open_stand("sim://sick") as stand:
            stand.faults.plug_panel(False)
            stand.advance(3000)
            stand.press("HIT")
        result = CliRunner().invoke(app, ["doctor", "sim://sick", "--json"])
    assert result.exit_code == 1
    bad = [entry for entry in json.loads(result.stdout) if entry["state"] == "bad"]
    assert [entry["what"] for entry in bad] == ["panel"]


if sys.platform != "win32":
    from tests.host.raw_repl import RawRepl

    @pytest.fixture
    def board(tmp_path: Path) -> Iterator[RawRepl]:
        pytest.importorskip("mpremote", reason="mpremote is not installed")
        board = RawRepl(tmp_path)
        yield board
        board.close()

    def test_a_board_without_a_table_is_examined_at_its_prompt(board: RawRepl) -> None:
        board.put("settings.json", b'{"sound": 3}')
        board.low = {pico_pins.KEYS[2]}
        board.panels = {0x3D}
        board.free = 20_000
        result = CliRunner().invoke(app, ["doctor", board.port, "--json"])
        assert result.exit_code == 1, result.output
        found = {entry["what"]: (entry["state"], entry["text"]) for entry in json.loads(result.stdout)}
        assert found["panel"] == ("good", "answers at 0x3D")
        assert found["keys"] == ("bad", "STAND down: held, or the wire touches ground")
        assert found["settings"] == ("bad", "settings: sound: true or false")
        assert found["flash"][0] == "warning"
        assert found["board"] == ("good", "MicroPython 1.26.1 on Raspberry Pi Pico with RP2040")

    def test_a_board_with_nothing_wired_to_it(board: RawRepl) -> None:
        board.panels = set()
        result = CliRunner().invoke(app, ["doctor", board.port])
        assert result.exit_code == 1
        assert "no panel answers" in result.stdout
