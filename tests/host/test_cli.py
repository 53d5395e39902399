"""The command `holecard`: output, exit codes, one-line errors, Ctrl-C and closed pipes."""

import json
import re
import subprocess
import sys
from pathlib import Path

import pytest
import typer
from PIL import Image
from tests.host.fake import FakeStand
from typer.testing import CliRunner

from holecard import __version__
from holecard_host import devices
from holecard_host.cases.model import load
from holecard_host.cli import app as app_module
from holecard_host.cli import cases, play, query, screen
from holecard_host.cli.app import app
from holecard_host.cli.query import expects_answer
from holecard_host.errors import FirmwareCrash, ScpiError, StandFault, UsageFault
from holecard_host.picture import SIZE, Picture

CASES = Path(__file__).parents[1] / "cases"
COMMAND = [sys.executable, "-m", "holecard_host"]
group = typer.main.get_command(app)
COMMANDS = tuple(group.list_commands(None))


def holecard(*arguments: str, seconds: float = 60, **options) -> subprocess.CompletedProcess:
    return subprocess.run(
        [*COMMAND, *arguments], capture_output=True, text=True, timeout=seconds, check=False, **options
    )


def invoke(*arguments: str):
    return CliRunner().invoke(app, list(arguments))


@pytest.fixture
def stand(monkeypatch):
    fake = FakeStand()
    for module in (query, cases, play, screen):
        monkeypatch.setattr(module, "open_stand", lambda url, **options: fake)
    return fake


def one_line(text: str) -> str:
    lines = text.splitlines()
    assert len(lines) == 1, text
    assert "Traceback" not in text
    return lines[0]


# -- the command itself


def test_version():
    result = invoke("--version")
    assert (result.exit_code, result.stdout) == (0, f"holecard {__version__}\n")


@pytest.mark.parametrize("arguments", [[], ["--help"], ["-h"]])
def test_help_names_every_command(arguments):
    result = invoke(*arguments)
    assert result.exit_code == 0
    for command in COMMANDS:
        assert re.search(rf"\b{command}\b", result.stdout)


@pytest.mark.parametrize("command", COMMANDS)
def test_each_command_has_help(command):
    assert invoke(command, "--help").exit_code == 0


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["frobnicate"], ("no such command 'frobnicate'", " --help`")),
        (["frob\x1b[31m\nnicate"], ("no such command", " --help`")),
        (["--frobnicate"], ("no such option: --frobnicate", " --help`")),
        (["query"], ("missing argument 'URL'", " query --help`")),
        (["screen", "sim://cpython"], ("missing option '-o' / '--output'", " screen --help`")),
        (["play", "--rounds", "0"], ("invalid value for '--rounds'", " play --help`")),
        (["play", "--rounds", "x"], ("invalid value for '--rounds'", " play --help`")),
        (["play", "--rounds"], ("option '--rounds' requires an argument", " play --help`")),
        (["play", "--ruels", "sifl"], ("no such option: --ruels", " play --help`")),
        (["audit", "sim://cpython", "x"], ("unexpected extra argument", " audit --help`")),
    ],
)
def test_wrong_use_is_one_line_that_names_the_help(arguments, words):
    result = holecard(*arguments)
    assert (result.returncode, result.stdout) == (2, "")
    line = one_line(result.stderr)
    assert line.startswith("holecard: ")
    for word in words:
        assert word in line
    assert line.isprintable()
    inside = invoke(*arguments)
    assert (inside.exit_code, inside.stdout) == (2, "")
    assert one_line(inside.stderr).partition("; see")[0] == line.partition("; see")[0]


@pytest.mark.parametrize(
    ("error", "code"),
    [
        (UsageFault("no such URL"), 2),
        (StandFault("the port\nvanished"), 3),
        (FirmwareCrash("it crashed", "Traceback: x"), 4),
    ],
)
def test_each_fault_is_a_line_and_an_exit_code(monkeypatch, error, code):
    def lost(url, **options):
        raise error

    monkeypatch.setattr(query, "open_stand", lost)
    result = invoke("query", "sim://x", "*IDN?")
    assert result.exit_code == code
    assert result.stderr.splitlines()[-1] == "holecard: " + str(error).replace("\n", " ")
    crash = [line for line in result.stderr.splitlines() if line.startswith("table| ")]
    assert crash == (["table| Traceback: x"] if code == 4 else [])


def test_a_bug_is_one_line_unless_asked_for_more(monkeypatch, capsys):
    def broken():
        raise ZeroDivisionError("oh\nno")

    monkeypatch.setattr(app_module, "app", broken)
    with pytest.raises(SystemExit) as ending:
        app_module.main()
    assert ending.value.code == 70
    assert "ZeroDivisionError: oh no" in one_line(capsys.readouterr().err)
    monkeypatch.setenv("HOLECARD_DEBUG", "1")
    with pytest.raises(ZeroDivisionError):
        app_module.main()


# -- query


def test_query_prints_answers_and_sends_commands(stand):
    stand.wire.answers["*IDN?"] = "Holecard,Table-sim,1,0.1.0"
    result = invoke("query", "fake://", "*CLS", "*IDN?")
    assert (result.exit_code, result.stdout, result.stderr) == (0, "Holecard,Table-sim,1,0.1.0\n", "")
    assert stand.wire.sent == ["*CLS", "*IDN?"]


def test_query_tells_every_scpi_error_and_goes_on(stand):
    others = [(-222, "Data out of range")]
    stand.wire.answers["BAD"] = ScpiError(-113, "Undefined header;BAD", others=others, answer="42")
    result = invoke("query", "fake://", "BAD", "*OPC?")
    assert result.exit_code == 1
    assert result.stderr.splitlines() == ['-113,"Undefined header;BAD"', '-222,"Data out of range"']
    assert result.stdout == "42\n1\n"


@pytest.mark.parametrize(
    ("line", "wanted"), [("*IDN?", True), ("*CLS", False), ('BENC:SEED "a?"', False), ("A 'b\"?';B?", True)]
)
def test_a_question_mark_in_quotes_is_no_query(line, wanted):
    assert expects_answer(line) is wanted


# -- screen


def test_screen_writes_a_png(stand, tmp_path):
    stand.picture = Picture(b"\x55" * SIZE)
    target = tmp_path / "panel.png"
    result = invoke("screen", "fake://", "-o", str(target), "--scale", "2")
    assert (result.exit_code, result.output) == (0, "")
    assert Image.open(target).size == (268, 140)


def test_screen_tells_why_it_cannot_write(stand, tmp_path):
    (tmp_path / "file").touch()
    for target, reason in ((tmp_path / "file" / "a.png", "Not a directory"), (tmp_path / "a.bmp", "must end in .png")):
        result = invoke("screen", "fake://", "-o", str(target))
        assert result.exit_code == 2
        assert reason in one_line(result.stderr)


# -- cases


def test_cases_of_a_lost_stand_are_reported_as_not_run(stand, tmp_path):
    stand.wire.answers["BENC:RUL sifl"] = StandFault("the port vanished")
    result = invoke("cases", str(CASES / "sifl.json"), "--json")
    assert result.exit_code == 3
    verdicts = json.loads(result.stdout)
    assert [v["id"] for v in verdicts] == [case.id for case in load(CASES / "sifl.json")]
    assert {(v["passed"], v["detail"]) for v in verdicts} == {(False, "not run: the port vanished")}
    assert one_line(result.stderr) == "holecard: the port vanished"


def test_cases_that_fail_exit_with_1(stand):
    result = invoke("cases", str(CASES / "sifl.json"), "--json")
    assert result.exit_code == 1
    assert not any(v["passed"] for v in json.loads(result.stdout))
    result = invoke("cases", str(CASES / "sifl.json"))
    assert result.exit_code == 1
    assert "S01" in result.stdout
    assert "failed" in result.stdout


def test_a_malformed_file_exits_with_2_before_any_table_is_asked(stand, tmp_path):
    bad = tmp_path / "bad.json"
    bad.write_text('{"cases": [{"id": "B1"}]}', encoding="utf-8")
    result = invoke("cases", str(CASES / "sifl.json"), str(bad))
    assert result.exit_code == 2
    assert one_line(result.stderr) == f"holecard: {bad}: case B1: title: is missing"
    assert stand.wire.sent == []


def test_cases_knows_two_ways(stand):
    result = invoke("cases", str(CASES / "sifl.json"), "--by", "thought")
    assert result.exit_code == 2
    assert "name, buttons" in one_line(result.stderr)


# -- devices


def test_devices_as_json_and_as_a_table(monkeypatch):
    found = [devices.Found("/dev/ttyACM0", "Board", 0x2E8A, 5, "table", "Holecard,[x],1,1")]
    from holecard_host.cli import devices as command  # noqa: PLC0415

    monkeypatch.setattr(command, "find", lambda ask_all, named: found)
    (record,) = json.loads(invoke("devices", "--json").stdout)
    assert record == {
        "port": "/dev/ttyACM0",
        "description": "Board",
        "vid": 0x2E8A,
        "pid": 5,
        "status": "table",
        "answer": "Holecard,[x],1,1",
        "lock": None,
    }
    answer = "Holecard,Table-pico,e6614c311b7e6f35,0.1.0"
    found.append(devices.Found("/dev/cu.usbmodem\x1b1101", "simulated (micropython)", None, None, "busy", answer))
    found.append(devices.Found("/dev/ttyS0", "", None, None, "not asked", ""))
    for columns in ("80", "20", "120"):
        monkeypatch.setenv("COLUMNS", columns)
        # Whole answers, and nothing broken that fits on a terminal.
        assert invoke("devices").stdout.splitlines()[:5] == [
            "/dev/ttyACM0           2e8a:0005  table      Board",
            "    Holecard,[x],1,1",
            "/dev/cu.usbmodem\N{REPLACEMENT CHARACTER}1101             busy       simulated (micropython)",
            f"    {answer}",
            "/dev/ttyS0                        not asked",
        ]
    monkeypatch.setattr(command, "find", lambda ask_all, named: [])
    assert "holecard sim --name" in invoke("devices").stdout
