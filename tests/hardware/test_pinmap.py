"""The pin map: one source, nothing that contradicts it, nothing written from it that has drifted."""

from __future__ import annotations

import copy
import json
import re
from pathlib import Path
from typing import Any

import pytest
from tools import pinmap

from holecard.boards import pico_pins


@pytest.fixture
def data() -> dict[str, Any]:
    return copy.deepcopy(pinmap.load())


def change(data: dict[str, Any], signal: str, fields: dict[str, object]) -> None:
    next(wire for wire in data["wire"] if wire["signal"] == signal).update(fields)


def test_nothing_has_drifted() -> None:
    assert pinmap.main(["--check"]) == 0, "run make pinmap"


def test_the_firmware_has_the_numbers_of_the_map(data: dict[str, Any]) -> None:
    namespace: dict[str, Any] = {}
    exec(pinmap.pins_module(data), namespace)
    assert namespace["KEYS"] == pico_pins.KEYS
    assert (namespace["SDA"], namespace["SCL"]) == (pico_pins.SDA, pico_pins.SCL)


@pytest.mark.parametrize(
    ("signal", "fields", "why"),
    [
        ("KEYS.HIT", {"gpio": 10, "pin": 14}, "KEYS.HIT: GP10 is taken by KEYS.BET"),
        ("KEYS.HIT", {"pin": 16}, "KEYS.HIT: GP11 is pin 15, not 16"),
        ("PIEZO", {"gpio": 23}, "PIEZO: the Pico has no GP23"),
        ("SDA", {"gpio": 2, "pin": 4}, "SDA, SCL: GP2 and GP5 are not the pins of I2C0"),
        ("KEYS.HIT", {"signal": "KEYS.PUSH"}, "KEYS: needs BET HIT STAND DOUBLE"),
        ("KEYS.HIT", {"pin": "15"}, "KEYS.HIT: needs pin = a number"),
        ("KEYS.HIT", {"gpio": None}, "KEYS.HIT: needs gpio = a number"),
        ("KEYS.HIT", {"signal": None}, "the entry for button HIT, contact: needs"),
        ("KEYS.HIT", {"colour": 3}, "KEYS.HIT: needs colour = a text"),
    ],
)
def test_a_map_that_contradicts_the_pico_is_refused(
    data: dict[str, Any], signal: str, fields: dict[str, object], why: str
) -> None:
    change(data, signal, fields)
    with pytest.raises(pinmap.PinFault, match=re.escape(why)):
        pinmap.check(data)


def test_a_map_that_cannot_be_read_is_told_with_its_line(tmp_path: Path) -> None:
    file = tmp_path / "pinmap.toml"
    file.write_text("[bus]\nnumber = = 0\n", encoding="utf-8")
    with pytest.raises(pinmap.PinFault, match=r"hardware/pinmap\.toml cannot be read: .* \(at line 2, column 10\)"):
        pinmap.load(file)


def test_a_ground_that_is_none_is_refused(data: dict[str, Any]) -> None:
    data["power"][1]["pin"] = 9
    with pytest.raises(pinmap.PinFault, match=r"GND\.1: GND\.1 is pin 3, not 9"):
        pinmap.check(data)


def test_a_change_of_the_map_changes_everything_that_follows(data: dict[str, Any]) -> None:
    change(data, "PIEZO", {"gpio": 26, "pin": 31})
    stale = [path.name for path, text in pinmap.outputs(data).items() if path.read_text(encoding="utf-8") != text]
    assert stale == ["pico_pins.py", "diagram.json", "wiring.md"]


def test_every_wire_of_the_simulated_project_ends_at_a_part(data: dict[str, Any]) -> None:
    diagram = json.loads(pinmap.outputs(data)[pinmap.ROOT / "hardware" / "wokwi" / "diagram.json"])
    parts = {part["id"] for part in diagram["parts"]}
    assert len(parts) == len(diagram["parts"])
    for start, end, _colour, _path in diagram["connections"]:
        for place in (start, end):
            part, _, pin = place.partition(":")
            assert part in parts, place
            assert part != "pico" or pin in pinmap.EDGE, place
    wired = {end.partition(":")[2] for wire in diagram["connections"] for end in wire[:2] if end.startswith("pico:")}
    assert {f"GP{wire['gpio']}" for wire in data["wire"] if not wire.get("reserved")} <= wired
    kinds = [part["type"] for part in diagram["parts"]]
    counts = [kinds.count(kind) for kind in ("wokwi-pushbutton", "wokwi-led", "wokwi-resistor", "board-ssd1306")]
    assert counts == [4, 4, 5, 1]


def test_the_wiring_page_needs_its_marks() -> None:
    with pytest.raises(pinmap.PinFault, match="needs the marks"):
        pinmap.with_table("# Wiring\n", "")
