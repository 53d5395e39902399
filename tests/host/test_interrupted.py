"""A signal at many instants of a command's life: while it imports, opens its table, waits, draws, and closes again.

An instant is the first call of a function: they come in the same order every time, however busy the machine is.
"""

import json
import os
import signal
import subprocess
import sys
import time

import pytest
from tests.host.test_cli import CASES
from tests.host.test_cli_live import Sim

if os.name == "nt":
    pytest.skip("needs signals and pseudo-terminals", allow_module_level=True)

from tests.host.test_cli_terminal import TERMINALS, Terminal

# Arguments: the signal's number, the function at whose first call it comes (by its name, or the how manieth of all),
# the command. It tells how many functions there were.
PROGRAM = """
import os, sys
number, at = int(sys.argv[1]), sys.argv[2]
del sys.argv[1:3]
seen = set()
def look(frame, event, argument):
    if event == "call" and frame.f_code not in seen:
        seen.add(frame.f_code)
        if at in (str(len(seen)), frame.f_code.co_qualname):
            sys.setprofile(None)
            os.kill(os.getpid(), number)
from holecard_host.__main__ import main
sys.setprofile(look)
try:
    main()
finally:
    sys.setprofile(None)
    if "COUNT" in os.environ:
        open(os.environ["COUNT"], "w").write(str(len(seen)))
"""
LONG = pytest.mark.long
SHARES = [pytest.param(share / 24, marks=() if share == 13 else LONG) for share in range(1, 24, 2)]
NUMBERS = [signal.SIGINT, pytest.param(signal.SIGTERM, marks=LONG)]
KINDS = [
    ("query", "sim://cpython", "*IDN?"),
    ("query", "sim://micropython", "*IDN?"),
    ("screen", "sim://cpython", "-o", "x.png"),
    ("cases", "one.json", "--record", "x.jsonl"),
    ("play", "--rounds", "1"),
]


@pytest.fixture(autouse=True)
def _somewhere_else(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    cases = json.loads((CASES / "sifl.json").read_text("utf-8"))["cases"][:1]
    (tmp_path / "one.json").write_text(json.dumps({"cases": cases}))
    yield
    while TERMINALS:
        TERMINALS.pop().process.kill()


def words(number, at, *line):
    return [sys.executable, "-c", PROGRAM, str(int(number)), str(at), *line]


def ended_by(number) -> tuple[int, ...]:
    """Exit codes of a program that a signal has ended: Python leaves an `exec` by the signal itself."""
    return (128 + number, -number)


@pytest.mark.parametrize("share", SHARES)
@pytest.mark.parametrize("number", NUMBERS)
@pytest.mark.parametrize("line", KINDS, ids=" ".join)
def test_a_command_that_prints_ends_with_the_signals_code_and_no_word(line, number, share, tmp_path):
    count = tmp_path / "count"
    subprocess.run(words(number, "", *line), env={**os.environ, "COUNT": str(count)}, capture_output=True, check=True)
    at = round(share * int(count.read_text()))
    result = subprocess.run(
        words(number, at, *line), capture_output=True, text=True, check=False, start_new_session=True
    )
    assert (result.returncode in ended_by(number), result.stderr) == (True, "")


# Those at which a signal once was lost, or ended the program in another way; and the others.
ONCE_LOST = [
    ("play", "Reactive.__set_name__"),  # an import, in which Python wraps every exception
    ("play", "PlayApp.on_mount"),
    ("play", "PlayApp.on_resize"),
    ("watch", "WatchApp.on_mount"),
    ("watch", "WatchApp._seen"),
    ("watch", "WatchApp.on_unmount"),
    ("play", "SimStand.close"),
]
OTHERS = [
    *(("play", at) for at in ("LiveTwin.__init__", "Simulator.grant", "Stand._by_mode", "PlayApp.__init__")),
    *(("play", at) for at in ("BaseEventLoop.run_until_complete", "PlayApp.compose", "PlayApp._from_table")),
    *(("play", at) for at in ("PlayApp.on_unmount", "Feed.stop")),
    *(("watch", at) for at in ("find", "WatchApp.__init__", "WatchApp.compose")),
]
CLOSING = ("PlayApp.on_unmount", "Feed.stop", "SimStand.close", "WatchApp.on_unmount")


@pytest.mark.parametrize("number", NUMBERS)
@pytest.mark.parametrize(("command", "at"), [*ONCE_LOST, *(pytest.param(*one, marks=LONG) for one in OTHERS)])
def test_a_command_on_a_terminal_ends_so_too_and_gives_the_terminal_back(command, at, number, tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_RUNTIME_DIR", str(tmp_path))
    sim = Sim("--name", "seen") if command == "watch" else None
    try:
        assert sim is None or sim.head()
        terminal = Terminal(*words(number, at, command, *(["sim://seen"] if sim else [])))
        if at in CLOSING:
            terminal.wait_for(b"Quit")
            terminal.press(b"q")
        assert terminal.end() in ended_by(number)
        assert terminal.words() == ""
        assert terminal.seen.count(b"\x1b[?1049h") == terminal.seen.count(b"\x1b[?1049l")
    finally:
        if sim is not None:
            sim.end()


def test_ctrl_c_at_a_terminal_does_not_reach_the_firmware(tmp_path):
    terminal = Terminal(sys.executable, "-m", "holecard_host", "play", "--on", "sim://cpython")
    terminal.wait_for(b"STAND")
    children = subprocess.check_output(["ps", "-o", "sid=", "--ppid", str(terminal.process.pid)], text=True)
    sessions = [int(line) for line in children.splitlines()]
    assert len(sessions) == 1
    assert terminal.process.pid not in sessions
    started = time.monotonic()
    terminal.press(b"\x03")
    assert terminal.end() == 130
    assert time.monotonic() - started < 10
