"""The command `holecard`: output, exit codes, one-line errors, Ctrl-C and closed pipes."""

import json
import os
import pty
import re
import select
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
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
COMMANDS = ("play", "devices", "query", "cases", "screen", "sim")


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
    "arguments", [["frobnicate"], ["query"], ["screen", "sim://cpython"], ["play", "--rounds", "0"]]
)
def test_usage_errors_exit_with_2_and_no_traceback(arguments):
    result = holecard(*arguments)
    assert result.returncode == 2
    assert "Traceback" not in result.stderr
    assert result.stdout == ""


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
    assert ending.value.code == app_module.EXIT_BUG
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
    stand.wire.answers["BAD"] = ScpiError(-113, "Undefined header;BAD")
    stand.wire.answers["SYST:ERR?"] = ['-222,"Data out of range"', '0,"No error"']
    result = invoke("query", "fake://", "BAD", "*OPC?")
    assert result.exit_code == 1
    assert result.stderr.splitlines() == ['-113,"Undefined header;BAD"', '-222,"Data out of range"']
    assert result.stdout == "1\n"


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
    for target, reason in ((tmp_path / "none" / "a.png", "No such file"), (tmp_path / "a.bmp", "must end in .png")):
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


@pytest.mark.parametrize("url", ["sim://cpython", "sim://micropython"])
def test_cases_pass_on_a_simulated_table_and_json_is_all_there_is(url):
    result = holecard("cases", str(CASES / "sifl.json"), str(CASES / "casino.json"), "--on", url, "--json")
    assert (result.returncode, result.stderr) == (0, "")
    verdicts = json.loads(result.stdout)
    assert all(set(v) == {"id", "passed", "detail"} and v["passed"] for v in verdicts)


def test_the_table_of_cases_names_each():
    result = holecard("cases", str(CASES / "sifl.json"), "--by", "buttons", env={**os.environ, "COLUMNS": "120"})
    assert result.returncode == 0
    assert "S01" in result.stdout
    assert "passed" in result.stdout


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
    }
    monkeypatch.setenv("COLUMNS", "120")
    shown = invoke("devices").stdout
    assert "2e8a:0005" in shown
    assert "Holecard,[x],1,1" in shown
    monkeypatch.setattr(command, "find", lambda ask_all, named: [])
    assert "holecard sim --name" in invoke("devices").stdout


# -- the whole, on simulated tables


def test_play_in_a_pipe_plays_a_few_rounds_and_ends_with_0():
    result = holecard("play", "--rules", "casino", "--rounds", "2")
    assert (result.returncode, result.stderr) == (0, "")
    assert "Played 2 rounds" in result.stdout
    assert ">>> press HIT" in result.stdout
    screens = result.stdout.split("--- ")
    assert max(len(screen.splitlines()) for screen in screens) >= 32


def test_play_in_a_pipe_without_unicode():
    result = holecard("play", "--rounds", "1", env={**os.environ, "PYTHONIOENCODING": "ascii"})
    assert (result.returncode, result.stderr) == (0, "")
    assert result.stdout.isascii()


def test_play_knows_two_rule_sets():
    result = holecard("play", "--rules", "vegas")
    assert result.returncode == 2
    assert "sifl, casino" in one_line(result.stderr)


@pytest.mark.parametrize("url", ["sim://pascal", "gopher://x", "/dev/ttyNONE", "", "socket://127.0.0.1:1"])
def test_a_wrong_or_dead_url_is_one_line(url):
    result = holecard("query", url, "*IDN?")
    assert result.returncode in (2, 3)
    assert one_line(result.stderr).startswith("holecard: ")


def test_query_and_screen_on_a_simulated_table(tmp_path):
    result = holecard("query", "sim://cpython", "*IDN?", "*CLS", "SYST:VERS?")
    assert (result.returncode, result.stderr) == (0, "")
    assert result.stdout.startswith("Holecard,")
    assert result.stdout.splitlines()[1] == "1999.0"
    result = holecard("query", "sim://cpython", "NONS:ENSE", "*IDN?")
    assert result.returncode == 1
    assert one_line(result.stderr).startswith("-113,")
    target = tmp_path / "panel.png"
    assert holecard("screen", "sim://cpython", "-o", str(target)).returncode == 0
    assert len(Image.open(target).convert("1").tobytes().strip(b"\0")) > 0


def test_a_closed_pipe_is_quiet():
    process = subprocess.Popen(
        [*COMMAND, "play", "--rounds", "20"], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
    process.stdout.readline()
    process.stdout.close()
    assert process.stderr.read() == ""
    assert process.wait(30) in (0, app_module.EXIT_BROKEN_PIPE)
    process.stderr.close()


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="this system has no /dev/full")
def test_output_that_cannot_be_written_is_one_line():
    with open("/dev/full", "w", encoding="utf-8") as full:
        result = subprocess.run(
            [*COMMAND, "query", "sim://cpython", "*IDN?"], stdout=full, stderr=subprocess.PIPE, text=True, check=False
        )
    assert result.returncode == 1
    assert "No space left" in one_line(result.stderr)


def test_ctrl_c_exits_with_130_and_says_nothing():
    process = subprocess.Popen(
        [*COMMAND, "play", "--rounds", "50"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )
    process.stdout.readline()
    os.killpg(process.pid, signal.SIGINT)
    _, errors = process.communicate(timeout=30)
    assert (process.returncode, errors) == (130, "")


class Sim:
    """`holecard sim` in the background."""

    def __init__(self, *arguments: str) -> None:
        self.process = subprocess.Popen(
            [*COMMAND, "sim", *arguments],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            start_new_session=True,
        )

    def head(self, seconds: float = 20) -> str:
        """What it says once it runs."""
        text = ""
        deadline = time.monotonic() + seconds
        while "Ctrl-C" not in text and time.monotonic() < deadline and self.process.poll() is None:
            if select.select([self.process.stdout], [], [], 0.1)[0]:
                text += os.read(self.process.stdout.fileno(), 65536).decode()
        return text

    def end(self, number: int = signal.SIGINT) -> tuple[int, str]:
        if self.process.poll() is None:
            os.killpg(self.process.pid, number)
        _, errors = self.process.communicate(timeout=20)
        return self.process.returncode, errors


@pytest.mark.parametrize("kind", ["cpython", "micropython"])
def test_sim_keeps_a_table_running_for_several_commands(kind):
    name = f"test-{os.getpid()}-{kind}"
    sim = Sim("--name", name, "--kind", kind, "--rules", "casino")
    try:
        head = sim.head()
        assert f"sim://{name}" in head
        assert holecard("query", f"sim://{name}", "ROUN:BET 0,25").returncode == 0
        state = json.loads(holecard("query", f"sim://{name}", "TABL:STAT?").stdout)
        assert (state["rules"], state["bets"]) == ("casino", [25])
        listed = json.loads(holecard("devices", "--json").stdout)
        assert f"sim://{name}" in [item["port"] for item in listed]
        second = holecard("sim", "--name", name)
        assert second.returncode == 3
        assert name in one_line(second.stderr)
    finally:
        code, errors = sim.end()
    assert (code, errors) == (130, "")
    assert holecard("query", f"sim://{name}", "*IDN?").returncode in (2, 3)


def test_sim_in_the_background_of_a_script_ends_by_an_interrupt():
    name = f"test-{os.getpid()}-job"
    process = subprocess.Popen(
        ["sh", "-c", f"({sys.executable} -m holecard_host sim --name {name} & echo $!; wait $!; echo ended $?)"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    pid = int(process.stdout.readline())
    while "Ctrl-C" not in process.stdout.readline():
        assert process.poll() is None
    os.kill(pid, signal.SIGINT)
    rest, errors = process.communicate(timeout=20)
    assert (rest, errors) == ("ended 130\n", "")


def test_sim_ends_on_a_termination_signal():
    sim = Sim("--name", f"test-{os.getpid()}-term")
    sim.head()
    code, errors = sim.end(signal.SIGTERM)
    assert (code, errors) == (app_module.EXIT_TERMINATED, "")


def test_play_in_a_terminal_starts_and_quits():
    master, slave = pty.openpty()
    process = subprocess.Popen(
        [*COMMAND, "play"],
        stdin=slave,
        stdout=slave,
        stderr=slave,
        env={**os.environ, "TERM": "xterm-256color"},
    )
    os.close(slave)
    seen = b""
    deadline = time.monotonic() + 30
    while b"STAND" not in seen and b"columns" not in seen and time.monotonic() < deadline:
        if select.select([master], [], [], 0.2)[0]:
            seen += os.read(master, 65536)
    os.write(master, b"q")
    try:
        while process.poll() is None and time.monotonic() < deadline:
            if select.select([master], [], [], 0.1)[0]:
                seen += os.read(master, 65536)
    except OSError:
        pass  # Linux's way to say that the other side of a pseudo-terminal is closed
    assert process.wait(10) == 0
    assert b"Traceback" not in seen
    os.close(master)
