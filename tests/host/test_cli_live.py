"""The command `holecard` as a process: simulated tables, exit codes, Ctrl-C, closed pipes, a terminal."""

import json
import os
import pty
import select
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from PIL import Image
from tests.host.test_cli import CASES, COMMAND, holecard, one_line

from holecard_host.cli import app as app_module


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
