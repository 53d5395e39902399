"""Every command, as the command line lists them: used wrongly, interrupted, and with outputs that cannot be written."""

import contextlib
import os
import re
import signal
import socket
import subprocess
import sys
import threading
import time
from importlib import import_module
from pathlib import Path
from typing import get_type_hints

import pytest
from tests.host.processes import heard, rest
from tests.host.test_cli import CASES, COMMAND, COMMANDS, group, invoke, one_line

from holecard_host import infile
from holecard_host.twin.holder import Holder

TROUBLE = (1, 2, 3)  # exit codes of a user's, a table's and a port's trouble
MISSING, FOLDER, GARBAGE, PIPE = "MISSING", "FOLDER", "GARBAGE", "PIPE"  # stand for paths that a test makes
TRANSCRIPT, SCRIPT = "TRANSCRIPT", "SCRIPT"
# What each parameter gets when another one is to be tried; a path that is written to never comes that far.
GOOD = {
    "url": "sim://cpython",
    "urls": "sim://cpython",
    "port": "/dev/ttyNONE",
    "commands": "*IDN?",
    "files": {"cases": str(CASES / "sifl.json"), "run": SCRIPT},
    "file": str(CASES / "sifl.json"),
    "output": {"screen": "out.png", "image": "out.uf2", "vcd": "out.vcd"},
    "transcript": TRANSCRIPT,
    "name": "wrong",
    "log": "evening.log",
}
ENDLESS = "/dev/zero"
URLS = ("", "gopher://x", "sim://", "sim://nobody", "/dev/ttyNONE", "socket://localhost", FOLDER, MISSING, "ä")
URLS += (f"file://{ENDLESS}", f"file://{PIPE}")
NO_FILE = (MISSING, FOLDER, GARBAGE, ENDLESS, PIPE)
# What each parameter cannot be.
WRONG = {
    **dict.fromkeys(("url", "urls", "on", "port"), URLS),
    **dict.fromkeys(("files", "file", "settings", "micropython", "key_file"), NO_FILE),
    **dict.fromkeys(("rules", "kind", "by", "seed", "seen", "do"), ("", "nonsense", "ä")),
    **dict.fromkeys(("rounds", "scale"), ("-1", "1.5", "x")),
    "output": (FOLDER, f"{GARBAGE}/x.png", f"{GARBAGE}/x.uf2"),
    **dict.fromkeys(("record", "junit_xml"), (FOLDER, f"{GARBAGE}/x")),
    **dict.fromkeys(("report_dir", "failure_dir"), (GARBAGE, f"{GARBAGE}/x")),
    **dict.fromkeys(("limits", "transcript"), NO_FILE),
    **dict.fromkeys(("only", "step"), ("nonsense", "ä")),
    **dict.fromkeys(("repeat", "seconds"), ("-1", "x")),
    "mask": ("(",),
    "ignore": (),
    "keep": (GARBAGE, "/proc/x", os.path.dirname(__file__)),
    "name": ("", "a b", "cpython", "x" * 40),
    "log": (FOLDER, GARBAGE, f"{GARBAGE}/x", PIPE),
    "commands": ("ä", "x" * 300),
    "key_id": ("", "too long for an id"),
}


def parameters(command: str) -> list:
    found = group.get_command(None, command).params
    return [one for one in found if one.name != "help" and not getattr(one, "is_flag", False)]


def attempts() -> list[tuple[str, ...]]:
    """Each command with each of its parameters wrong in each way, and the others good."""
    result = []
    for command in COMMANDS:
        for wrong in parameters(command):
            # All of them open a table in the same way: one command tries every URL.
            few = wrong.name in ("url", "on") and command != "query"
            for value in WRONG[wrong.name][: 4 if few else None]:
                line = [command]
                for one in parameters(command):
                    good = GOOD.get(one.name, "")
                    given = value if one is wrong else good[command] if isinstance(good, dict) else good
                    if one is wrong or one.required:
                        line += [given] if one.param_type_name == "argument" else [one.opts[-1], given]
                result.append(tuple(line))
    return result


@pytest.fixture(scope="module")
def transcript(tmp_path_factory) -> bytes:
    path = tmp_path_factory.mktemp("transcript") / "one.jsonl"
    assert invoke("query", "sim://cpython", "*IDN?", "--record", str(path)).exit_code == 0
    return path.read_bytes()


@pytest.mark.parametrize("line", attempts(), ids=" ".join)
def test_a_wrong_argument_is_told_and_nothing_else_happens(line, transcript, tmp_path, monkeypatch):
    def never(*_):
        raise AssertionError("it went on")

    monkeypatch.setattr(Holder, "wait", never)
    monkeypatch.setattr(infile, "_WRITER_SECONDS", 0.1)
    monkeypatch.setenv("XDG_RUNTIME_DIR", str(tmp_path))
    work = tmp_path / "work"
    work.mkdir()
    monkeypatch.chdir(work)
    (work / FOLDER).mkdir()
    if hasattr(os, "mkfifo"):  # else it is one more that is missing
        os.mkfifo(work / PIPE)
    (work / GARBAGE).write_bytes(b"\xff\x00{")
    (work / SCRIPT).write_text("steps:\n  - press: HIT\n")
    (work / TRANSCRIPT).write_bytes(transcript)
    before = sorted(work.rglob("*"))
    if line[0] == "operator" and line[1] == "new-key":
        pytest.skip("takes a file that is not there")
    result = invoke(*line)
    assert result.exception is None or isinstance(result.exception, SystemExit), result.exception
    assert result.exit_code in TROUBLE
    assert "Traceback" not in result.stderr
    errors = [text for text in result.stderr.splitlines() if not re.match(r"-\d+,", text)]
    assert len(errors) <= 1
    assert result.stderr
    assert sorted(work.rglob("*")) == before


# -- Ctrl-C in the middle


class Silent:
    """A server that takes every connection, tells that it has one, and says nothing."""

    def __init__(self) -> None:
        self._server = socket.create_server(("127.0.0.1", 0))
        self._clients: list[socket.socket] = []
        self.reached = threading.Event()
        self.port = self._server.getsockname()[1]
        self.url = f"socket://127.0.0.1:{self.port}"
        threading.Thread(target=self._serve, daemon=True).start()

    def _serve(self) -> None:
        while True:
            try:
                self._clients.append(self._server.accept()[0])
            except OSError:
                return
            self.reached.set()

    def close(self) -> None:
        for one in (self._server, *self._clients):
            one.close()


@pytest.fixture
def silent():
    server = Silent()
    yield server
    server.close()


URL, FIFO = "URL", "FIFO"
# A use of each command that lasts until it is interrupted: at a table that never answers, or reading what never comes.
LASTING = {
    "play": ["--on", URL],
    "devices": [],
    "query": [URL, "*IDN?"],
    "cases": [str(CASES / "sifl.json"), "--on", URL],
    "run": [SCRIPT, URL],
    "accept": [URL],
    "screen": [URL, "-o", "x.png"],
    "watch": [URL],
    "replay": [TRANSCRIPT, URL],
    "vcd": [FIFO, "-o", "x.vcd"],
    "sim": ["--name", "lasting"],
    "power": [URL, "off"],
    "doctor": [URL],
    "flash": [URL, "--source"],
    "image": ["-o", "x.uf2", "--micropython", FIFO],
    "prove": [URL, "evening.log"],
    "verify": [str(CASES / "sifl.json")],
    "audit": [URL],
    "operator": [URL],
}


# verify reads files only, and none lasts long enough.
SLOW_VERIFY = """
import sys, time
from holecard_host import verify
verify.verify = lambda path: print("Ctrl-C now", flush=True) or time.sleep(30)
from holecard_host.cli.app import main; main()
"""


def test_every_command_is_interrupted_here():
    assert set(LASTING) == set(COMMANDS)


def opened(fifo: Path, process: subprocess.Popen) -> int:
    """The writing end of a FIFO that a process has opened for reading."""
    while process.poll() is None:
        with contextlib.suppress(OSError):
            return os.open(fifo, os.O_WRONLY | os.O_NONBLOCK)
        time.sleep(0.02)
    raise AssertionError(rest(process))


@pytest.mark.skipif(os.name == "nt", reason="needs signals and FIFOs")
@pytest.mark.parametrize("command", COMMANDS)
def test_ctrl_c_in_the_middle_is_quiet_and_130(command, silent, transcript, tmp_path):
    fifo = tmp_path / "fifo"
    os.mkfifo(fifo)
    # For `devices`: a table of that name seems to run, and its port never answers.
    (tmp_path / SCRIPT).write_text("steps:\n  - press: HIT\n")
    (tmp_path / TRANSCRIPT).write_bytes(transcript)
    folder = tmp_path / "holecard"
    folder.mkdir(mode=0o700)
    entry = {"name": "mute", "pid": 1, "interpreter": "cpython", "realtime": True, "port": silent.url, "token": ""}
    entry |= {"control": f"tcp:{silent.port}", "tap": ""}
    if command == "devices":
        (folder / "mute.json").write_text(str(entry).replace("'", '"').replace("True", "true"))
    line = [{URL: silent.url, FIFO: str(fifo)}.get(word, word) for word in LASTING[command]]
    start = [sys.executable, "-c", SLOW_VERIFY] if command == "verify" else COMMAND
    process = subprocess.Popen(
        [*start, command, *line],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        cwd=tmp_path,
        env={**os.environ, "XDG_RUNTIME_DIR": str(tmp_path)},
        start_new_session=True,
    )
    writer = None
    try:
        if command in ("sim", "verify"):
            heard(process, "Ctrl-C")
        elif FIFO in LASTING[command]:
            writer = opened(fifo, process)
        else:
            assert silent.reached.wait(20)
        process.send_signal(signal.SIGINT)
        output, errors = rest(process)
    finally:
        process.kill()
        if writer is not None:
            os.close(writer)
    # What is interrupted while it is still importing, ends by the signal itself: the same to a shell.
    assert (process.returncode in (130, -signal.SIGINT), errors) == (True, "")
    assert "Traceback" not in output
    assert not list(tmp_path.glob("x.*"))


# -- outputs that cannot be written

# Every parameter that is a path is one that is read, or one that is written.
READ = {"files", "file", "settings", "micropython", "key_file", "limits", "transcript", "mask"}
WRITTEN = {"output": ".png", "record": "", "junit_xml": "", "failure_dir": "", "report_dir": "", "log": "", "keep": ""}
HINTS = {name: get_type_hints(getattr(import_module(f"holecard_host.cli.{name}"), name)) for name in COMMANDS}
WRITES = [
    (command, name)
    for command, hints in HINTS.items()
    for name, hint in hints.items()
    if "Path" in str(hint) and name not in READ
]


@pytest.mark.parametrize(("command", "name"), WRITES)
def test_what_cannot_be_written_is_told_before_a_table_is_touched(command, name, silent, transcript, tmp_path):
    assert name in WRITTEN
    (tmp_path / GARBAGE).write_bytes(b"")
    (tmp_path / SCRIPT).write_text("steps:\n  - press: HIT\n")
    (tmp_path / TRANSCRIPT).write_bytes(transcript)
    file = str(tmp_path / GARBAGE / f"x{'.uf2' if command == 'image' else WRITTEN[name]}")
    words = {URL: silent.url, FIFO: TRANSCRIPT, "evening.log": file}
    line = [words.get(word, word) for word in LASTING[command]]
    line = [str(tmp_path / word) if word in (SCRIPT, TRANSCRIPT) else word for word in line]
    (parameter,) = (one for one in parameters(command) if one.name == name)
    if parameter.param_type_name == "option":
        line += [parameter.opts[-1], file]
    result = invoke(command, *line)
    assert result.exit_code == 2
    assert one_line(result.stderr).startswith(f"holecard: {file}: cannot be ")
    assert not silent.reached.is_set()


# What is read stands for a file, or for a transcript as a stand; the last option is what is written.
FILE, STAND = "FILE", "STAND"
OVER = (
    ("accept", "sim://cpython", "--limits", FILE, "--record"),
    ("accept", STAND, "--record"),
    ("cases", FILE, "--record"),
    ("cases", "none.json", "--on", STAND, "--record"),
    ("image", "--micropython", FILE, "--output"),
    ("play", "--on", STAND, "--record"),
    ("query", STAND, "*IDN?", "--record"),
    ("replay", FILE, "sim://cpython", "--record"),
    ("replay", "none.jsonl", STAND, "--record"),
    ("run", FILE, "sim://cpython", "--record"),
    ("run", FILE, "sim://cpython", "--junit"),
    ("run", SCRIPT, STAND, "--record"),
    ("screen", STAND, "--output"),
    ("vcd", FILE, "--output"),
)


@pytest.mark.parametrize("link", [False, True])
@pytest.mark.parametrize("line", OVER, ids=" ".join)
def test_no_file_is_written_over_one_that_the_same_command_reads(line, link, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / SCRIPT).write_text("steps:\n  - press: HIT\n")
    suffix = {"image": ".uf2", "screen": ".png"}.get(line[0], "")
    file, target = f"x{suffix}", f"{'y' if link else 'x'}{suffix}"
    text = "steps:\n  - press: HIT\n" if line[0] == "run" else ""
    Path(file).write_text(text)
    if link:
        Path(target).symlink_to(file)
    result = invoke(*({FILE: file, STAND: f"file://{file}"}.get(word, word) for word in line), target)
    assert result.exit_code == 2
    assert one_line(result.stderr) == f"holecard: {target}: is read by this command; name another file to write"
    assert Path(file).read_text() == text


def test_no_file_is_written_twice_by_the_same_command(tmp_path):
    script, target = tmp_path / SCRIPT, tmp_path / "x"
    script.write_text("steps:\n  - press: HIT\n")
    result = invoke("run", str(script), "sim://cpython", "--record", str(target), "--junit", str(target))
    assert (result.exit_code, target.exists()) == (2, False)
    assert (
        one_line(result.stderr) == f"holecard: {target}: is written twice by this command; name another file to write"
    )


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="this system has no /dev/full")
@pytest.mark.parametrize(("command", "suffix"), [("screen", "png"), ("image", "uf2")])
def test_a_file_on_a_full_disk_is_one_line_and_74(command, suffix, tmp_path, monkeypatch):
    from tests.host.test_uf2 import system  # noqa: PLC0415

    pytest.importorskip("littlefs", reason="littlefs-python is not installed")
    target = tmp_path / f"x.{suffix}"
    target.symlink_to("/dev/full")
    given = tmp_path / "micropython.uf2"
    given.write_bytes(system())
    line = {"screen": ["sim://cpython"], "image": ["--source", "--micropython", str(given)]}[command]
    result = invoke(command, *line, "-o", str(target))
    assert result.exit_code == 74
    assert one_line(result.stderr) == f"holecard: {target}: No space left on device"


def test_a_file_that_cannot_be_written_whole_leaves_the_one_before(tmp_path, monkeypatch):
    from holecard_host import outfile  # noqa: PLC0415
    from holecard_host.errors import OutputFault  # noqa: PLC0415

    target = tmp_path / "x.png"
    target.write_bytes(b"good")
    target.chmod(0o640)
    outfile.write(target, b"better")
    assert (target.read_bytes(), target.stat().st_mode & 0o777) == (b"better", 0o640)

    def fail(*_):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(outfile.Path, "replace", fail)
    with pytest.raises(OutputFault, match=r"x\.png: No space left"):
        outfile.write(target, b"half")
    assert [(path.name, path.read_bytes()) for path in tmp_path.iterdir()] == [("x.png", b"better")]
