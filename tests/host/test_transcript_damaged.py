"""Transcripts that somebody has edited, damaged or never filled: one line that names the place."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.host.test_cli import invoke, one_line


@pytest.mark.parametrize(
    "line",
    [
        '{"device":"x","dir":"out","line":"*IDN?"}',
        '{"device":null,"dir":"out","line":"*IDN?"}',
        '{"device":NaN,"dir":"pin","pin":"LAMP_BET","level":1}',
        '{"device":1e999,"dir":"pin","pin":"LAMP_BET","level":1}',
        '{"device":5,"dir":"out","line":3}',
        '{"device":5,"dir":"in"}',
        '{"device":5,"dir":"pin","pin":"LAMP_BET","level":"x"}',
        '{"device":5,"dir":"pin","pin":3,"level":1}',
        '{"device":5,"dir":"bus","address":"x","data":"00"}',
        '{"device":5,"dir":"bus","address":60,"data":"zz"}',
        '{"device":5,"dir":"tone","hertz":"x"}',
        '{"device":5,"dir":"glass","picture":"zz"}',
        '{"device":5,"dir":"do","do":"press","with":3}',
    ],
)
def test_a_line_that_is_damaged_is_named(tmp_path: Path, line: str) -> None:
    path = tmp_path / "damaged.jsonl"
    path.write_text(f'{{"holecard_transcript":1,"clock":"stand"}}\n{line}\n')
    for command in (["replay", str(path), "sim://cpython"], ["vcd", str(path), "-o", str(tmp_path / "x.vcd")]):
        result = invoke(*command)
        assert result.exit_code == 2
        assert one_line(result.stderr).startswith(f"holecard: {path}:2: this line cannot be understood: ")


def test_what_a_stand_does_not_take_is_named(tmp_path: Path) -> None:
    path = tmp_path / "damaged.jsonl"
    path.write_text('{"holecard_transcript":1}\n{"device":5,"dir":"do","do":"advance","with":["x"]}\n')
    result = invoke("replay", str(path), "sim://cpython")
    assert (result.exit_code, one_line(result.stderr)) == (2, f'holecard: {path}:2: advance does not take ["x"]')


def test_a_transcript_of_nothing_is_not_the_same_as_a_table(tmp_path: Path) -> None:
    path = tmp_path / "empty.jsonl"
    path.write_text('{"holecard_transcript":1}\n{"host":1,"dir":"seen","lamps":[]}\n')
    result = invoke("replay", str(path), "sim://cpython")
    assert result.exit_code == 2
    assert "nothing was asked or done in it" in one_line(result.stderr)
