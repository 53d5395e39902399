"""What the command prints where it cannot be printed: narrow encodings, full disks, closed pipes."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from tests.host.test_cli import CASES, COMMAND, COMMANDS, holecard, one_line

# Every way to print: before a command, by click, by rich, by print; a line and more than a buffer.
PRINTING = [
    ["--version"],
    ["--help"],
    [],
    *([command, "--help"] for command in COMMANDS),
    ["query", "sim://cpython", "*IDN?"],
    ["query", "sim://cpython", "DISP:DATA?", "DISP:DATA?", "DISP:DATA?", "DISP:DATA?", "DISP:DATA?"],
    ["cases", str(CASES / "sifl.json"), "--no-animation"],
    ["cases", str(CASES / "sifl.json"), "--no-animation", "--json"],
    ["devices"],
    ["devices", "--json"],
    ["play", "--rounds", "1"],
    ["sim", "--name", "printing"],
]


@pytest.fixture
def runtime(tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_RUNTIME_DIR", str(tmp_path))


def label(arguments):
    return " ".join(argument for argument in arguments if "/" not in argument) or "nothing"


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="this system has no /dev/full")
@pytest.mark.parametrize("arguments", PRINTING, ids=label)
def test_a_full_disk_is_one_line_and_74(arguments, runtime):
    with open("/dev/full", "w", encoding="utf-8") as full:
        result = subprocess.run(
            [*COMMAND, *arguments], stdout=full, stderr=subprocess.PIPE, text=True, check=False, timeout=60
        )
    assert (result.returncode, one_line(result.stderr)) == (74, "holecard: stdout: No space left on device")


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="this system has no /dev/full")
@pytest.mark.parametrize("arguments", [["query", "sim://cpython", "BAD"], ["query", "sim://pi", "*IDN?"], ["nonsense"]])
def test_errors_that_cannot_be_told_still_end_the_command(arguments):
    with open("/dev/full", "w", encoding="utf-8") as full:
        result = subprocess.run([*COMMAND, *arguments], stdout=full, stderr=full, check=False, timeout=60)
    assert result.returncode not in (0, 70)


@pytest.mark.parametrize("arguments", PRINTING, ids=label)
def test_a_closed_pipe_is_quiet_and_141(arguments, runtime):
    reader, writer = os.pipe()
    os.close(reader)
    try:
        result = subprocess.run(
            [*COMMAND, *arguments], stdout=writer, stderr=subprocess.PIPE, text=True, check=False, timeout=60
        )
    finally:
        os.close(writer)
    assert (result.returncode, result.stderr) == (141, "")


@pytest.mark.parametrize(
    "arguments", [*PRINTING[:-1], ["doctor", "sim://cpython", "--step", "panel"], ["audit", "sim://cpython"]], ids=label
)
def test_with_nothing_open_a_command_does_what_it_does(arguments, runtime):
    closed = "import os, sys; os.closerange(0, 3); os.execv(sys.argv[1], sys.argv[1:])"
    result = subprocess.run([sys.executable, "-c", closed, *COMMAND, *arguments], check=False, timeout=60)
    assert result.returncode == 0


def test_a_pipe_that_is_closed_later_is_quiet_too():
    process = subprocess.Popen(
        [*COMMAND, "play", "--rounds", "20"], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
    process.stdout.readline()
    process.stdout.close()
    assert process.stderr.read() == ""
    assert process.wait(30) == 141
    process.stderr.close()


ODD = "ä\u2028\x1b[31m\u0007"


@pytest.fixture
def odd_case(tmp_path):
    case = json.loads((CASES / "sifl.json").read_text("utf-8"))["cases"][0]
    path = tmp_path / "odd.json"
    # Fails, so that everything there is to say is printed.
    case |= {"id": ODD, "title": f"{ODD}[bold]", "expect": {"net": 123}}
    path.write_text(json.dumps({"cases": [case]}), encoding="utf-8")
    return path


@pytest.mark.parametrize("encoding", ["ascii", "latin-1", "cp1252", "utf-8", "ascii:strict"])
def test_cases_are_printed_in_every_encoding(odd_case, encoding):
    env = {**os.environ, "PYTHONIOENCODING": encoding}
    result = subprocess.run(
        [*COMMAND, "cases", str(odd_case), "--no-animation"], capture_output=True, env=env, check=False, timeout=60
    )
    assert (result.returncode, result.stderr) == (1, b"")
    assert b"net: expected 123" in result.stdout
    assert b"\x1b[31m" not in result.stdout
    shown = result.stdout.decode(encoding.partition(":")[0])
    assert "1 failed" in shown
    assert "\u2028" not in shown
    assert ("ä" if encoding[0] != "a" else "\\xe4") in shown


@pytest.mark.parametrize(
    "arguments", [["cases", ODD[0] + ".json"], ["query", "ä://x", "*IDN?"], ["play", "--rules", "ä"]]
)
def test_errors_are_told_in_every_encoding(arguments):
    result = holecard(*arguments, env={**os.environ, "PYTHONIOENCODING": "ascii:strict"})
    assert result.returncode == 2
    assert "\\xe4" in one_line(result.stderr)


@pytest.mark.parametrize("arguments", [[], ["--version"], ["query", "--help"], ["devices"]])
def test_whatever_is_printed_has_an_encoding(arguments):
    result = holecard(*arguments, env={**os.environ, "PYTHONIOENCODING": "ascii:strict"})
    assert (result.returncode, result.stderr) == (0, "")
