"""The settings file: every field, every kind of nonsense, on both interpreters."""

from __future__ import annotations

import json

import pytest
from tests.hardware.support import Probe

from holecard.boards import settings


def parse(**fields: object) -> settings.Settings:
    return settings.parse(json.dumps(fields).encode())


@pytest.mark.parametrize("data", [None, b"", b"{}"])
def test_nothing_is_everything_as_usual(data: bytes | None) -> None:
    found = settings.parse(data)
    assert (found.panel, found.offset, found.address) == ("ssd1306", 0, 0x3C)
    assert (found.sound, found.mode, found.tap, found.wave, found.problem) == (True, "bench", False, False, "")


def test_every_field_is_taken() -> None:
    found = parse(panel="sh1106", offset=4, address="0x3D", sound=False, mode="arcade", tap=True, wave=True)
    assert (found.panel, found.offset, found.address) == ("sh1106", 4, 0x3D)
    assert (found.sound, found.mode, found.tap, found.wave, found.problem) == (False, "arcade", True, True, "")


def test_an_sh1106_has_the_usual_offset_unless_it_is_given() -> None:
    assert parse(panel="sh1106").offset == 2
    assert parse(panel="sh1106", offset=0).offset == 0


@pytest.mark.parametrize(
    ("data", "why"),
    [
        (b"{", "settings: not JSON"),
        (b"\xff\xfe", "settings: not JSON"),
        (b"[1]", "settings: not a JSON object"),
        (b"{" + b" " * 600 + b"}", "settings: over 512 bytes"),
        (b'{"panle": 1}', "settings: panle: no such field"),
        (b'{"panel": "ssd1309"}', "settings: panel: ssd1306 or sh1106"),
        (b'{"panel": "sh1106", "offset": 3}', "settings: offset: 0, 2 or 4"),
        (b'{"panel": "sh1106", "offset": false}', "settings: offset: 0, 2 or 4"),
        (b'{"offset": 2}', "settings: panel offset: only an sh1106 has one"),
        (b'{"address": "0x78"}', "settings: address: panel address 0x78 is the 8-bit form: use 0x3C"),
        (b'{"address": 80}', "settings: address: panel address must be 0x3C or 0x3D"),
        (b'{"address": null}', 'settings: address: "0x3C" or "0x3D"'),
        (b'{"address": 1e999}', 'settings: address: "0x3C" or "0x3D"'),
        (b'{"address": 60.9}', 'settings: address: "0x3C" or "0x3D"'),
        (b'{"sound": 1}', "settings: sound: true or false"),
        ('{"größe": 1}'.encode(), "settings: gr??e: no such field"),
        (b'{"\\ud800": 1}', "settings: ?: no such field"),
        (b'{"tap": "yes"}', "settings: tap: true or false"),
        (b'{"mode": "Arcade"}', "settings: mode: bench or arcade"),
    ],
)
def test_nonsense_is_named_and_changes_nothing(data: bytes, why: str) -> None:
    found = settings.parse(data)
    assert found.problem == why
    plain = settings.Settings()
    assert {**vars(found), "problem": "", "panel": "ssd1306", "offset": 0, "whole": False} == vars(plain)


ANYTHING = (None, True, False, 0, 2, 4, 60, 61, -1, 0.0, 1.0, 2.0, 60.0, "", "2", "true", "0x3C", [], [2], {}, {"a": 2})


@pytest.mark.parametrize("panel", ["ssd1306", "sh1106"])
@pytest.mark.parametrize("name", [name for name in vars(settings.Settings()) if name not in ("problem", "whole")])
def test_whatever_a_field_is_it_leaves_what_the_table_can_work_with(name: str, panel: str) -> None:
    """Found by reading: an offset of 2.0 is equal to 2, and the driver, which shifts bits, fell over it."""
    plain = vars(settings.Settings())
    for value in ANYTHING:
        found = parse(**{"panel": panel, name: value})
        assert {field: type(one) for field, one in vars(found).items()} == {
            field: type(one) for field, one in plain.items()
        }, value
        wanted = 0x3C if (name, value) == ("address", "0x3C") else value
        assert found.problem or getattr(found, name) == wanted, value


def test_the_table_starts_with_a_panel_offset_that_is_no_whole_number(interpreter: str) -> None:
    probe = Probe(interpreter, files={settings.NAME: b'{"panel": "sh1106", "offset": 2.0}'})
    assert probe.ask("board.screen") == "('sh1106', 2, 60)"
    assert probe.ask("board.problem") == "settings: offset: 0, 2 or 4"
    probe.simulator.kill()


def test_what_only_micropython_takes_for_json_stops_no_table(interpreter: str) -> None:
    """Its reader lets names be numbers, and forgets to ask for a value."""
    probe = Probe(interpreter, files={settings.NAME: b'{1: 2, "mode"}'})
    assert probe.ask("board.screen") == "('ssd1306', 0, 60)"
    assert probe.ask("board.problem").startswith("settings: ")
    probe.simulator.kill()


def test_one_bad_field_leaves_the_others() -> None:
    found = parse(sound="loud", mode="arcade", wave=1)
    assert (found.mode, found.sound, found.wave) == ("arcade", True, False)
    assert found.problem == "settings: sound: true or false"


def test_the_board_takes_them(interpreter: str) -> None:
    files = {settings.NAME: b'{"panel": "sh1106", "address": "0x3D", "mode": "arcade", "volume": 9}'}
    probe = Probe(interpreter, files=files)
    assert probe.ask("board.screen") == "('sh1106', 2, 61)"
    assert probe.ask("board.mode") == "arcade"
    assert probe.ask("board.problem") == "settings: volume: no such field"
    probe.simulator.kill()
