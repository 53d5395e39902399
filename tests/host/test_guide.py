"""`holecard doctor --step`: each step finds what was wired wrongly, and calls nothing good that nobody saw."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from tests.hardware.support import needs_luma
from tests.host.fake import FakeStand
from typer.testing import CliRunner

from holecard.boards import pico_pins, raspberry_pi_pins
from holecard_host import guide
from holecard_host.cli import doctor
from holecard_host.cli.app import app
from holecard_host.errors import UsageFault
from holecard_host.picture import Picture
from holecard_host.stands import Stand, open_stand
from holecard_host.wire import Event


@pytest.fixture
def table() -> Iterator[Stand]:
    with open_stand("sim://cpython") as stand:
        yield stand


def states(found: list[Any]) -> list[str]:
    return [finding.state for finding in found]


@pytest.mark.parametrize(("step", "count"), [("panel", 3), ("buttons", 4), ("lamps", 4), ("sound", 1)])
def test_a_good_table_passes_each_step(table: Stand, step: str, count: int) -> None:
    found = guide.examine(step, table, None)
    assert states(found) == ["good"] * count, found


def test_every_lamp_can_be_told_from_every_other(table: Stand) -> None:
    found = guide.examine("lamps", table, None)
    shown = [finding.text for finding in found]
    lit = {key: tuple(key in text for text in shown) for key in ("BET", "HIT", "STAND", "DOUBLE")}
    assert len(set(lit.values())) == 4, lit


def test_the_table_has_its_rules_again_afterwards(table: Stand) -> None:
    table.wire.command("BENC:RUL casino")
    for step in ("lamps", "sound"):
        guide.examine(step, table, None)
        assert table.wire.ask_record("TABL:STAT?")["rules"] == "casino"
        assert table.wire.ask_record("TABL:STAT?")["phase"] == "betting"


def test_a_panel_without_a_wire_is_found() -> None:
    with open_stand("sim://cpython") as stand:
        stand.faults.plug_panel(False)
        stand.advance(3000)
        stand.press("HIT")
        assert states(guide.examine("panel", stand, None)) == ["bad"]


def test_a_panel_on_bad_wires_is_found() -> None:
    with open_stand("sim://cpython") as stand:
        advance = stand.advance

        def noisy(ms: float) -> None:
            stand.faults.fail_transfers("nak", count=1)
            stand.press("BET")
            advance(ms)

        stand.advance = noisy  # type: ignore[method-assign]
        found = guide.examine("panel", stand, None)
    assert (found[1].what, found[1].state) == ("bus", "warning")
    assert "1 transfers failed" in found[1].text


@pytest.mark.parametrize(
    ("wrong", "state", "text"),
    [
        ({0: 1, 1: 0}, "bad", "the table felt HIT instead: its wire belongs to GP10"),
        ({0: None}, "bad", "nothing felt: check the wire to GP10"),
    ],
)
def test_exchanged_and_missing_buttons_are_found(wrong: dict[int, int | None], state: str, text: str) -> None:
    with open_stand("sim://cpython") as stand:
        press = stand.press
        keys = ("BET", "HIT", "STAND", "DOUBLE")

        def crossed(key: Any, ms: int = 60, bounce_seed: int | None = None) -> None:
            other = wrong.get(keys.index(key), keys.index(key))
            if other is not None:
                press(other, ms)

        stand.press = crossed  # type: ignore[method-assign]
        found = guide.examine("buttons", stand, None)
    assert (found[0].state, found[0].text.startswith(text)) == (state, True), found
    assert states(found)[2:] == ["good", "good"]


def test_exchanged_lamps_are_found() -> None:
    with open_stand("sim://cpython") as stand:
        lamps = stand.lamps
        swap = {2: 4, 4: 2}
        stand.lamps = lambda: sum(swap.get(bit, bit) for bit in (1, 2, 4, 8) if lamps() & bit)  # type: ignore[method-assign]
        found = guide.examine("lamps", stand, None)
    assert states(found) == ["good", "good", "good", "bad"]
    assert found[3].text == "STAND instead of HIT: check GP19 and GP20"


@needs_luma
@pytest.mark.parametrize(
    ("step", "texts"),
    [
        ("buttons", [f"felt once, at GPIO{gpio}" for gpio in raspberry_pi_pins.KEYS]),
        ("sound", [f"nothing heard: check GPIO{raspberry_pi_pins.PIEZO}, "]),
    ],
)
def test_a_raspberry_pi_s_pins_are_named_as_its_own(step: str, texts: list[str]) -> None:
    with open_stand("sim://pi", files={"settings.json": b'{"sound": false}'}) as stand:
        found = guide.examine(step, stand, None)
    assert [finding.text.startswith(text) for finding, text in zip(found, texts, strict=True)] == [True] * len(texts)


@needs_luma
def test_a_raspberry_pi_s_lamps_are_named_as_its_own() -> None:
    with open_stand("sim://pi") as stand:
        stand.lamps = lambda: 0  # type: ignore[method-assign]
        found = guide.examine("lamps", stand, None)
    bet, hit, stand_, _ = (f"GPIO{gpio}" for gpio in raspberry_pi_pins.LAMPS)
    assert found[0].text.endswith(f"check {bet} and {hit} and {stand_}")


def test_a_silent_table_is_found() -> None:
    with open_stand("sim://cpython", files={"settings.json": b'{"sound": false}'}) as stand:
        found = guide.examine("sound", stand, None)
    assert states(found) == ["bad"]
    assert f"GP{pico_pins.PIEZO}" in found[0].text


# A real table: no pins, no glass to look at; a person does it, or nobody.


def real(**answers: Any) -> FakeStand:
    stand = FakeStand("commands", "framebuffer", "wire")
    stand.wire.answers |= {
        "*IDN?": "Holecard,Table-pico,e660,0.1.0",
        "*TST?": "0",
        "SYST:MODE?": "bench",
        "DIAG:PAN?": '{"kind":"ssd1306","address":"0x3C","failures":0}',
        "DISP:DATA?": Picture.blank().data.hex(),
        "TABL:STAT?": '{"rules":"sifl"}',
        "DIAG:LAMP?": "6",
    } | answers
    return stand


def test_what_nobody_looked_at_is_not_called_good() -> None:
    for step, unknown in (("panel", 1), ("buttons", 4), ("lamps", 4), ("sound", 1)):
        found = guide.examine(step, real(), None)  # type: ignore[arg-type]
        assert states(found).count("unknown") == unknown, found
        assert "bad" not in states(found)


@pytest.mark.parametrize(
    ("step", "answer", "expected"),
    [
        ("panel", "y", "good"),
        ("panel", "n", "bad"),
        ("lamps", "hs", "good"),
        ("lamps", "h s", "good"),
        ("lamps", "none", "bad"),
        ("sound", "y", "good"),
        ("sound", "", "bad"),
    ],
)
def test_a_person_is_asked(step: str, answer: str, expected: str) -> None:
    found = guide.examine(step, real(), guide.Person(lambda words: None, lambda question: answer))  # type: ignore[arg-type]
    assert found[-1].state == expected


def pressing(stand: FakeStand, felt: list[list[str]]) -> Callable[[str], None]:
    """A person who presses when told to; `felt` are the keys that the table then reports, press by press."""

    def say(words: str) -> None:
        stand.wire.pending = [Event(1, 0, {"event": "key", "key": key, "does": ""}) for key in felt.pop(0)]

    return say


def test_a_person_presses_the_buttons() -> None:
    stand = real()
    say = pressing(stand, [["BET"], ["STAND"], ["STAND", "STAND"], []])
    found = guide.examine("buttons", stand, guide.Person(say, lambda question: ""))  # type: ignore[arg-type]
    assert states(found) == ["good", "bad", "warning", "bad"]
    assert stand.wire.sent[-1] == "SYST:COMM:EVEN OFF"


def test_a_stuck_button_ends_the_step() -> None:
    found = guide.examine("buttons", real(**{"*TST?": "8"}), None)  # type: ignore[arg-type]
    assert states(found) == ["bad"]


def test_an_arcade_table_is_asked_to_take_its_strap_off() -> None:
    with pytest.raises(UsageFault, match="take the strap off"):
        guide.examine("lamps", real(**{"SYST:MODE?": "arcade"}), None)  # type: ignore[arg-type]


def test_the_command(tmp_path: Path) -> None:
    result = CliRunner().invoke(app, ["doctor", "sim://cpython", "--step", "lamps", "--json"])
    assert result.exit_code == 0, result.output
    assert [entry["state"] for entry in json.loads(result.stdout)] == ["good"] * 4
    assert CliRunner().invoke(app, ["doctor", "sim://cpython", "--step", "nose"]).exit_code == 2
    assert [step.value for step in doctor.Step] == list(guide.STEPS)


def test_the_end_of_the_input_is_an_interruption(monkeypatch: pytest.MonkeyPatch) -> None:
    def end(prompt: str) -> str:
        raise EOFError

    monkeypatch.setattr("builtins.input", end)
    with pytest.raises(KeyboardInterrupt):
        doctor._ask("Well?")
