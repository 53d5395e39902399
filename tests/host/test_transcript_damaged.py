"""Transcripts that somebody has edited, damaged or never filled: one line that names the place."""

from __future__ import annotations

import io
import tracemalloc
from collections.abc import Iterable
from pathlib import Path

import pytest
from tests.host.test_cli import holecard, invoke, one_line

from holecard_host.transcript import vcd
from holecard_host.transcript.read import load


class Nowhere(io.StringIO):
    """A file that keeps nothing."""

    def write(self, text: str) -> int:
        return len(text)

    def writelines(self, lines: Iterable[str]) -> None:
        for _ in lines:
            pass


@pytest.mark.parametrize(
    ("content", "why"),
    [
        ("", "this is no transcript of version 1"),
        ("hello\n", "this is no transcript of version 1"),
        ('{"holecard_transcript":2}\n', "this is no transcript of version 1"),
        ('{"holecard_transcript":1}\n[]\n{}\n', ":2: this line is no JSON object"),
        ('{"holecard_transcript":1}\n{"dir":"in"\n{}\n', ":2: this line is no JSON"),
        ('{"holecard_transcript":1}\n{"dir":"out"}\n', ":2: this line cannot be understood"),
    ],
)
def test_what_is_no_transcript_is_one_line(tmp_path: Path, content: str, why: str) -> None:
    path = tmp_path / "bad.jsonl"
    path.write_text(content)
    for command in (["replay", str(path), "sim://cpython"], ["query", f"file://{path}", "*IDN?"]):
        result = holecard(*command)
        assert (result.returncode, result.stdout) == (2, "")
        assert why in one_line(result.stderr)


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
        '{"device":"5","dir":"pin","pin":"BET","level":1}',
        '{"device":true,"dir":"pin","pin":"BET","level":1}',
        '{"host":"5","device":5,"dir":"pin","pin":"BET","level":1}',
        '{"device":1e300,"dir":"pin","pin":"BET","level":1}',
        '{"device":5,"dir":"pin","pin":"BET","level":2}',
        '{"device":5,"dir":"pin","pin":"BET","level":true}',
        '{"device":5,"dir":"bus","address":300,"data":"00"}',
        '{"device":5,"dir":"bus","address":-1,"data":"00"}',
        '{"device":5,"dir":"tone","hertz":-5}',
        '{"device":5,"dir":"tone","hertz":1000000000}',
        '{"device":5,"dir":"glass","picture":""}',
        '{"device":5,"dir":"out","line":""}',
        '{"device":5,"dir":"out","line":"*IDN?\\n*IDN?"}',
        '{"device":5,"dir":"in","line":"\\u20ac"}',
        '{"device":5,"dir":"in","line":"\\ud800"}',
        '{"device":5,"dir":"in","line":"!EVT 1 1 {\\"a\\":' + "[" * 100_000 + '}"}',
    ],
    ids=lambda line: line[:60],
)
def test_a_line_that_is_damaged_is_named(tmp_path: Path, line: str) -> None:
    path = tmp_path / "damaged.jsonl"
    asked = '{"device":5,"dir":"out","line":"*OPC?"}'
    path.write_text(f'{{"holecard_transcript":1,"clock":"stand"}}\n{asked}\n{line}\n')
    for command in (["replay", str(path), "sim://cpython"], ["vcd", str(path), "-o", str(tmp_path / "x.vcd")]):
        result = invoke(*command)
        assert result.exit_code == 2
        assert one_line(result.stderr).startswith(f"holecard: {path}:3: this line cannot be understood: ")


@pytest.mark.parametrize(
    ("do", "given", "why"),
    [
        ("advance", '["x"]', 'advance does not take ["x"]'),
        ("advance", "[1e308]", "advance does not take [1e+308]"),
        ("press", "[99, 60, null]", "no key 99: one of BET, HIT, STAND, DOUBLE"),
    ],
)
def test_what_a_stand_does_not_take_is_named(tmp_path: Path, do: str, given: str, why: str) -> None:
    path = tmp_path / "damaged.jsonl"
    path.write_text(f'{{"holecard_transcript":1}}\n{{"device":5,"dir":"do","do":"{do}","with":{given}}}\n')
    result = invoke("replay", str(path), "sim://cpython")
    assert (result.exit_code, one_line(result.stderr)) == (2, f"holecard: {path}:2: {why}")


def test_a_note_that_nothing_ended_is_no_wave_without_an_end(tmp_path: Path) -> None:
    """As after a power cut in the middle of one, on a table that stayed dark for a year."""
    path, drawn = tmp_path / "cut.jsonl", tmp_path / "x.vcd"
    notes = [(0, 2093), (31_536_000_000_000, 0)]
    lines = [f'{{"device":{at},"dir":"tone","hertz":{hertz}}}' for at, hertz in notes]
    path.write_text("\n".join(['{"holecard_transcript":1}', *lines, ""]))
    assert invoke("vcd", str(path), "-o", str(drawn)).exit_code == 0
    assert drawn.stat().st_size < 1_000_000


@pytest.mark.parametrize("line", ['"dir":"tone","hertz":0', '"dir":"pin","pin":"X","level":1'])
def test_what_draws_nothing_is_one_line(tmp_path: Path, line: str) -> None:
    path = tmp_path / "silent.jsonl"
    path.write_text(f'{{"holecard_transcript":1}}\n{{"device":5,{line}}}\n')
    result = invoke("vcd", str(path), "-o", str(tmp_path / "x.vcd"))
    assert (result.exit_code, "record a simulated table" in one_line(result.stderr)) == (2, True)


def test_a_long_transcript_is_drawn_in_little_memory(tmp_path: Path) -> None:
    """A byte on the bus is 27 changes: held all at once they take thousands of times what the transcript has."""
    path = tmp_path / "long.jsonl"
    with path.open("w") as file:
        file.write('{"holecard_transcript":1}\n')
        for at in range(8):
            file.write(f'{{"device":{at * 20_000},"dir":"bus","address":60,"data":"40{"5a" * 128}"}}\n')
    script = load(path)
    tracemalloc.start()
    try:
        vcd.write(script, Nowhere())
        assert tracemalloc.get_traced_memory()[1] < 1_000_000
    finally:
        tracemalloc.stop()


def test_a_transcript_of_nothing_is_not_the_same_as_a_table(tmp_path: Path) -> None:
    path = tmp_path / "empty.jsonl"
    path.write_text('{"holecard_transcript":1}\n{"host":1,"dir":"seen","lamps":[]}\n')
    result = invoke("replay", str(path), "sim://cpython")
    assert result.exit_code == 2
    assert "nothing was asked or done in it" in one_line(result.stderr)
