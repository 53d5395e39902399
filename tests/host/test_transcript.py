"""Transcripts: what is recorded is what was said; it can be repeated, answered from, and drawn."""

from __future__ import annotations

import json
import os
import re
import shutil
import signal
import subprocess
from pathlib import Path

import pytest
from tests.host.processes import heard, rest
from tests.host.test_cli import CASES, COMMAND, holecard, one_line

from holecard_host.errors import StandFault, UsageFault
from holecard_host.stands import open_stand
from holecard_host.transcript.masks import Masks, queries_of
from holecard_host.transcript.read import load
from holecard_host.transcript.record import recording
from holecard_host.transcript.replay import replay

PLAY = ("BENC:RUL casino", 'BENC:SHOE "10,9,7,8,5"', "SYST:COMM:EVEN ON", "ROUN:BET 0,25", "ROUN:DEAL", "*OPC?")


def record(path: Path, *lines: str, url: str = "sim://cpython") -> None:
    """Record a few lines and a press."""
    with recording(path), open_stand(url) as stand:
        for line in lines:
            if line.endswith("?"):
                stand.wire.ask(line)
            else:
                stand.wire.command(line)
        stand.press("STAND", 60, 7)
        stand.wire.ask("*OPC?")
        stand.wire.ask("TABL:STAT?;:SYST:TIME?")
        stand.wire.take_events()


def rows(path: Path) -> list[dict[str, object]]:
    return [json.loads(line) for line in path.read_text("ascii").splitlines()[1:]]


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("transcript") / "played.jsonl"
    record(path, *PLAY)
    return path


def test_a_line_has_both_times_and_a_direction(played: Path) -> None:
    head, lines = json.loads(played.read_text("ascii").splitlines()[0]), rows(played)
    assert (head["holecard_transcript"], head["url"], head["clock"]) == (1, "sim://cpython", "stand")
    assert all(isinstance(line["host"], int) and isinstance(line["device"], int) for line in lines)
    assert {line["dir"] for line in lines} == {"out", "in", "do", "pin", "bus", "glass", "tone", "clock"}
    asked = [line["line"] for line in lines if line["dir"] == "out" and not line.get("aside")]
    first = asked.index(f"{PLAY[0]};:SYST:ERR?")
    assert asked[first : first + len(PLAY)] == [f"{line};:SYST:ERR?" for line in PLAY]
    wire = [line["device"] for line in lines if line["dir"] in ("out", "do")]
    assert wire == sorted(wire)
    assert next(line for line in lines if line["dir"] == "do")["with"] == [2, 60, 7]


def test_the_time_of_an_event_is_the_devices_own(played: Path) -> None:
    events = [line for line in rows(played) if str(line.get("line", "")).startswith("!EVT")]
    assert events
    for event in events:
        assert int(event["device"]) % (1 << 30) == int(str(event["line"]).split()[2])


def test_the_mapping_is_as_exact_as_it_says(played: Path) -> None:
    """An answer with the clock in it left the table between the two lines' times, give or take the bound."""
    lines = rows(played)
    bound = next(line["bound"] for line in lines if line["dir"] == "clock")
    assert 0 < int(bound) < 2000
    out = next(line for line in lines if "SYST:TIME?" in str(line.get("line")) and not line.get("aside"))
    answer = lines[lines.index(out) + 1]
    told = int(str(answer["line"]).rsplit(';0,"', 1)[0].rsplit(";", 1)[1])
    assert int(out["device"]) - int(bound) <= told + (int(out["device"]) >> 30 << 30)
    assert told + (int(out["device"]) >> 30 << 30) <= int(answer["device"]) + int(bound)


@pytest.mark.parametrize("url", ["sim://cpython", "sim://micropython"])
def test_the_same_table_says_the_same(played: Path, url: str) -> None:
    script = load(played)
    with open_stand(url) as stand:
        outcome = replay(script, stand, Masks.of())
    assert outcome.difference is None
    assert outcome.requests == sum(not deed.do for deed in script.deeds) >= len(PLAY) + 2
    assert outcome.deeds == 1
    assert outcome.events > 8


def test_the_first_difference_is_shown(played: Path, tmp_path: Path) -> None:
    changed = tmp_path / "changed.jsonl"
    text = played.read_text()
    have = re.findall(r'\\"bankrolls\\":\[(\d+)\]', text)[-1]
    # In the answer, not in the event that tells of it before.
    lines = [
        line.replace(rf"\"bankrolls\":[{have}]", r"\"bankrolls\":[77]") if r'"line":"{\"phase' in line else line
        for line in text.splitlines(keepends=True)
    ]
    changed.write_text("".join(lines))
    number = next(n for n, line in enumerate(changed.read_text().splitlines(), 1) if "TABL:STAT" in line)
    result = holecard("replay", str(changed), "sim://cpython")
    assert (result.returncode, result.stderr) == (1, "")
    first, wanted, got, mark = result.stdout.splitlines()
    assert first == f"line {number}: another answer to TABL:STAT?;:SYST:TIME?;:SYST:ERR?"
    assert "[77]" in wanted
    assert f"[{have}]" in got
    assert got[mark.index("^")] == have[0]
    assert holecard("replay", str(changed), "sim://cpython", "--ignore", "bankrolls").returncode == 0
    assert holecard("replay", str(changed), "sim://cpython", "--mask", r'"bankrolls": *\[\d+\]').returncode == 0
    found = json.loads(holecard("replay", str(changed), "sim://cpython", "--json").stdout)
    assert (found["same"], found["difference"]["number"]) == (False, number)


def test_an_event_that_is_another_one_is_a_difference(played: Path, tmp_path: Path) -> None:
    changed = tmp_path / "changed.jsonl"
    changed.write_text(played.read_text().replace('\\"card\\":\\"9', '\\"card\\":\\"8'))
    with open_stand("sim://cpython") as stand:
        difference = replay(load(changed), stand, Masks.of()).difference
    assert difference is not None
    assert difference.what == "event"
    assert difference.expected.partition('"card": "')[2][0] == "8"


def test_an_event_that_does_not_come_is_a_difference(played: Path, tmp_path: Path) -> None:
    quiet = tmp_path / "quiet.jsonl"
    quiet.write_text(played.read_text().replace("SYST:COMM:EVEN ON", "SYST:COMM:EVEN OFF"))
    with open_stand("sim://cpython") as stand:
        difference = replay(load(quiet), stand, Masks.of()).difference
    assert difference is not None
    assert (difference.what, difference.got) == ("event", "")


def test_pauses_are_kept_on_a_table_that_follows_the_wall_clock(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "timed.jsonl"
    lines = [
        {"holecard_transcript": 1, "url": "/dev/ttyACM0", "clock": "host"},
        {"host": 0, "device": 100, "dir": "out", "line": "SYST:VERS?;:SYST:ERR?"},
        {"host": 5, "device": 1100, "dir": "in", "line": '1999.0;0,"No error"'},
        {"host": 9, "device": 251_100, "dir": "out", "line": "SYST:VERS?;:SYST:ERR?"},
        {"host": 9, "device": 252_100, "dir": "in", "line": '1999.0;0,"No error"'},
    ]
    path.write_text("".join(json.dumps(line) + "\n" for line in lines))
    waited: list[float] = []
    with open_stand("sim://cpython") as stand:
        monkeypatch.setattr(stand, "advance", waited.append)
        assert replay(load(path), stand, Masks.of()).difference is None
        assert waited == [250.0]
        replay(load(path), stand, Masks.of(), timed=False)
        assert waited == [250.0]


# -- masks


@pytest.mark.parametrize(
    ("request_line", "one", "other"),
    [
        ("*IDN?", "Holecard,Table-pico,e660,0.1.0", "Holecard,Table-pi,11,0.2.0"),
        ("SYSTem:TIME?;:SYST:ERR?", '17;0,"No error"', '18;0,"No error"'),
        ("syst:mode?;time?", "bench;17", "bench;18"),
        ("SYST:MEM?", '{"heap_free":1,"heap":5}', '{"heap_free":2,"heap":6}'),
        ("SYST:EVEN?", '{"seq":1,"us":5,"event":"bet"}', '{"seq":2,"us":6,"event":"bet"}'),
    ],
)  # fmt: skip
def test_times_and_serial_numbers_may_differ(request_line: str, one: str, other: str) -> None:
    masks = Masks.of()
    assert masks.answer(request_line, one) == masks.answer(request_line, other)


@pytest.mark.parametrize(
    ("request_line", "one", "other"),
    [
        ("*IDN?", "Holecard,a,b,c", "Toaster,a,b,c"),
        ("SYST:VERS?", "1999.0", "1999.1"),
        ("SYST:TIME?;VERS?", "17;1999.0", "17;1999.1"),
        ("SYST:EVEN?", '{"seq":1,"us":5,"event":"bet"}', '{"seq":1,"us":5,"event":"deal"}'),
        ("SYST:ERR?", '-221,"Settings conflict;no bet"', '-221,"Settings conflict;broke"'),
    ],
)
def test_nothing_else_may(request_line: str, one: str, other: str) -> None:
    masks = Masks.of()
    assert masks.answer(request_line, one) != masks.answer(request_line, other)


def test_queries_are_known_by_their_short_form() -> None:
    line = 'SYSTem:MEMory?;time?;*IDN?;:OPERator:NONCe?;BENC:SHOE "A;B?";:DIAG:LAMPs?'
    assert queries_of(line) == ["SYST:MEM?", "SYST:TIME?", "*IDN?", "OPER:NONC?", "DIAG:LAMP?"]


def test_a_mask_that_is_no_expression_is_one_line(played: Path) -> None:
    result = holecard("replay", str(played), "sim://cpython", "--mask", "(")
    assert result.returncode == 2
    assert "this is no regular expression" in one_line(result.stderr)


# -- a file instead of a table


def test_cases_pass_without_any_table(tmp_path: Path) -> None:
    path = tmp_path / "cases.jsonl"
    arguments = ("cases", str(CASES / "sifl.json"), "--by", "buttons", "--no-animation", "--json")
    first = holecard(*arguments, "--record", str(path))
    again = holecard(*arguments, "--on", f"file://{path}")
    assert (first.returncode, again.returncode, again.stderr) == (0, 0, "")
    assert first.stdout == again.stdout


def test_a_file_shows_screen_and_lamps_as_they_were(tmp_path: Path) -> None:
    path = tmp_path / "seen.jsonl"
    with recording(path), open_stand("sim://cpython") as stand:
        stand.wire.command("ROUN:BET 0,25")
        stand.wire.ask("*OPC?")
        seen = stand.panel(), stand.lamps()
    with open_stand(f"file://{path}") as stand:
        assert stand.panel() != seen[0]
        stand.wire.command("ROUN:BET 0,25")
        stand.wire.ask("*OPC?")
        assert (stand.panel(), stand.lamps()) == seen


def test_another_program_than_the_recorded_one_is_told_where(played: Path) -> None:
    with open_stand(f"file://{played}") as stand:
        stand.wire.command(PLAY[0])
        with pytest.raises(StandFault, match=rf"played\.jsonl:\d+ says {PLAY[1][:9]}.*, not \*TST\?"):
            stand.wire.ask("*TST?")
    with open_stand(f"file://{played}") as stand, pytest.raises(StandFault, match="says BENC:RUL casino"):
        stand.press("HIT")


def test_a_last_line_that_was_cut_is_left_out(played: Path, tmp_path: Path) -> None:
    cut = tmp_path / "cut.jsonl"
    text = played.read_text()
    assert '"dir":"in"' in text.splitlines()[-1]
    cut.write_text(text[:-20])
    whole, short = (sum(len(deed.raw) for deed in load(path).deeds) for path in (played, cut))
    assert short == whole - 1


# -- what goes wrong while recording


def test_a_full_disk_ends_the_record_and_not_the_run() -> None:
    if not os.path.exists("/dev/full"):
        pytest.skip("this system has no /dev/full")
    result = holecard("query", "sim://cpython", "*IDN?", "SYST:VERS?", "--record", "/dev/full")
    assert result.returncode == 74
    assert result.stdout.splitlines()[1] == "1999.0"
    assert one_line(result.stderr) == "holecard: /dev/full: No space left on device; the transcript ends after line 0"


def test_a_record_that_cannot_be_made_is_one_line(tmp_path: Path) -> None:
    result = holecard("query", "sim://cpython", "*IDN?", "--record", str(tmp_path / "no" / "file"))
    assert (result.returncode, result.stdout) == (2, "")
    assert "cannot be written: No such file or directory" in one_line(result.stderr)


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGKILL])
def test_what_was_said_before_an_interrupt_is_there(tmp_path: Path, number: int) -> None:
    path = tmp_path / "cut.jsonl"
    process = subprocess.Popen(
        [*COMMAND, "play", "--rounds", "50", "--record", str(path)], stdout=subprocess.PIPE, text=True
    )
    for _ in range(2):  # it tells of a press before it presses: the second says that the first is done
        heard(process, ">>> press")
    process.send_signal(number)
    rest(process)
    assert process.returncode == (130 if number == signal.SIGINT else -number)
    assert any(deed.do == "press" for deed in load(path).deeds)


def test_a_table_that_restarts_in_the_middle_goes_on_in_the_record(tmp_path: Path) -> None:
    path = tmp_path / "cut.jsonl"
    with recording(path), open_stand("sim://cpython") as stand:
        stand.wire.ask("SYST:VERS?")
        stand.advance(3_000)
        stand.cut()
        stand.restore()
        stand.wire.sync()
        stand.advance(11_000)
        stand.wire.ask("SYST:VERS?")
        stand.wire.ask("SYST:VERS?")
    assert [line["restarts"] for line in rows(path) if line["dir"] == "clock"] == [0, 1]
    with open_stand("sim://micropython") as stand:
        outcome = replay(load(path), stand, Masks.of())
    assert (outcome.difference, outcome.deeds) == (None, 4)


# -- waveforms


@pytest.fixture(scope="module")
def drawn(played: Path) -> Path:
    target = played.with_suffix(".vcd")
    result = holecard("vcd", str(played), "-o", str(target))
    assert (result.returncode, result.stderr) == (0, "")
    return target


def test_another_programs_parser_reads_the_waveforms(played: Path, drawn: Path) -> None:
    vcdvcd = pytest.importorskip("vcdvcd")
    waves = vcdvcd.VCDVCD(str(drawn))
    stand = waves["table.keys.STAND"].tv
    assert stand[0] == (0, "1")
    # Pressed, with bounces at both ends, for the 60 ms that were asked for.
    pressed = [instant for instant, value in stand if value == "0"]
    assert len(pressed) > 2
    assert stand[-1][1] == "1"
    assert 600_000 <= stand[-1][0] - pressed[0] <= 660_000
    lamps = [line for line in rows(played) if line["dir"] == "pin" and line["pin"] == "LAMP_HIT"]
    assert len(waves["table.lamps.LAMP_HIT"].tv) >= len(lamps) > 2


@pytest.mark.skipif(shutil.which("sigrok-cli") is None, reason="sigrok-cli is not installed")
def test_an_i2c_decoder_reads_what_was_sent_to_the_panel(played: Path, drawn: Path) -> None:
    decoded = subprocess.run(
        ["sigrok-cli", "-i", str(drawn), "-I", "vcd", "-P", "i2c:scl=SCL:sda=SDA", "-A", "i2c=data-write"],
        capture_output=True,
        text=True,
        check=True,
    )
    seen = "".join(line.rsplit(" ", 1)[1].lower() for line in decoded.stdout.splitlines())
    sent = sorted((line for line in rows(played) if line["dir"] == "bus"), key=lambda line: int(str(line["device"])))
    assert seen == "".join(str(line["data"]) for line in sent)


@pytest.mark.skipif(shutil.which("vcd2fst") is None, reason="GTKWave is not installed")
def test_gtkwave_reads_the_waveforms(drawn: Path, tmp_path: Path) -> None:
    target = tmp_path / "waves.fst"
    result = subprocess.run(["vcd2fst", str(drawn), str(target)], capture_output=True, text=True, check=False)
    assert (result.returncode, result.stderr) == (0, "")
    assert target.stat().st_size > 1000


def test_a_transcript_without_pins_cannot_be_drawn(tmp_path: Path) -> None:
    path = tmp_path / "plain.jsonl"
    path.write_text('{"holecard_transcript":1}\n')
    result = holecard("vcd", str(path), "-o", str(tmp_path / "x.vcd"))
    assert result.returncode == 2
    assert "record a simulated table" in one_line(result.stderr)


def test_a_url_without_a_file_is_one_line() -> None:
    with pytest.raises(UsageFault, match="the transcript's name is missing"):
        open_stand("file://")


def test_nothing_is_recorded_of_a_second_table(tmp_path: Path) -> None:
    path = tmp_path / "first.jsonl"
    with recording(path), open_stand("sim://cpython") as first, open_stand("sim://cpython") as second:
        first.wire.ask("SYST:VERS?")
        second.wire.ask("SYST:ERR:TOT?")
    lines = [deed.line for deed in load(path).deeds]
    assert lines[-1] == "SYST:VERS?;:SYST:ERR?"
    assert "SYST:ERR:TOT?;:SYST:ERR?" not in lines


def test_a_table_in_arcade_mode_is_one_from_its_file_too(tmp_path: Path) -> None:
    path = tmp_path / "arcade.jsonl"
    lines = [
        {"holecard_transcript": 1, "url": "/dev/ttyACM0", "clock": "host"},
        {"host": 1, "dir": "out", "line": "*CLS;*IDN?;:SYST:ERR?"},
        {"host": 2, "dir": "in", "line": 'Holecard,Table-pico,1,0.1.0;0,"No error"'},
        {"host": 3, "dir": "out", "line": "SYST:MODE?;:SYST:ERR?"},
        {"host": 4, "dir": "in", "line": 'arcade;0,"No error"'},
        {"host": 5, "dir": "out", "line": "SYST:VERS?;:SYST:ERR?"},
        {"host": 6, "dir": "in", "line": '1999.0;0,"No error"'},
    ]
    path.write_text("".join(json.dumps(line) + "\n" for line in lines))
    with open_stand(f"file://{path}") as stand:
        assert stand.wire.ask("SYST:VERS?") == "1999.0"
        assert stand.capabilities == {"wire", "clock", "framebuffer"}
        with pytest.raises(StandFault, match="the transcript ends before"):
            stand.wire.ask("SYST:VERS?")
