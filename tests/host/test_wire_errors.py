"""What a user meets at a port that is no table, or not for him, or fails: one line and exit code 3."""

from __future__ import annotations

import itertools
import json
import os
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.host.test_cli import holecard, one_line

from holecard_host.stands import open_stand
from holecard_host.transcript.read import load
from holecard_host.transcript.record import recording
from holecard_host.twin.holder import Holder

pytestmark = pytest.mark.skipif(os.name == "nt", reason="Windows has no pseudo-terminals")

# A program at the far end of a pseudo-terminal: `answer` is what it says to every line, "" nothing.
_DEVICE = (
    "import os, sys, tty\n"
    "master, slave = os.openpty(); tty.setraw(slave); print(os.ttyname(slave), flush=True)\n"
    "answer = sys.argv[1].encode()\n"
    "while line := os.read(master, 1000):\n"
    "    if answer == b'die': sys.exit()\n"
    "    if answer and line.strip(): os.write(master, answer + b'\\r\\n')\n"
)


@pytest.fixture
def device(request: pytest.FixtureRequest) -> Iterator[str]:
    process = subprocess.Popen([sys.executable, "-c", _DEVICE, request.param], stdout=subprocess.PIPE, text=True)
    assert process.stdout is not None
    yield process.stdout.readline().strip()
    process.kill()
    process.communicate()


def commands(url: str, folder: Path) -> list[list[str]]:
    transcript = folder / "one.jsonl"
    transcript.write_text('{"holecard_transcript":1}\n{"host":1,"dir":"out","line":"*IDN?"}\n')
    return [["query", url, "*IDN?"], ["replay", str(transcript), url], ["watch", url, "--for", "20"]]


@pytest.mark.long
@pytest.mark.parametrize("device", ["", "ACME 3000", "die"], indirect=True)
def test_a_silent_a_wrong_and_a_dying_device(device: str, tmp_path: Path, request: pytest.FixtureRequest) -> None:
    kind = request.node.callspec.params["device"]
    told = {"": "no answer in 5 s; does a table run there?", "die": "the port vanished"}.get(
        kind, "not as a Holecard table"
    )
    for command in commands(device, tmp_path)[: 1 if kind == "die" else 3]:
        result = holecard(*command)
        assert (result.returncode, result.stdout) == (3, ""), command
        assert told in one_line(result.stderr), command


def test_no_such_port(tmp_path: Path) -> None:
    for command in commands("/dev/ttyNONE", tmp_path):
        result = holecard(*command)
        assert (result.returncode, result.stdout) == (3, "")
        assert one_line(result.stderr) == "holecard: /dev/ttyNONE: there is no such port"


@pytest.fixture
def holder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Holder]:
    monkeypatch.setenv("XDG_RUNTIME_DIR", str(tmp_path))
    with Holder("wire") as holder:
        yield holder


def test_a_busy_port_names_its_user(holder: Holder, tmp_path: Path) -> None:
    with open_stand("sim://wire") as stand:
        for command in commands(holder.entry.port, tmp_path)[:2]:
            result = holecard(*command)
            assert (result.returncode, result.stdout) == (3, "")
            assert f"is in use by process {os.getpid()} (" in one_line(result.stderr)
        assert stand.wire.ask("*OPC?") == "1"


def test_a_table_that_restarts_under_a_request(holder: Holder, tmp_path: Path) -> None:
    """It answers again, and the wire finds the beginning of a line; the record tells of the restart."""
    path = tmp_path / "restart.jsonl"
    with recording(path), open_stand("sim://wire") as stand:
        stand.wire.ask("SYST:VERS?")
        stand.cut()
        with pytest.raises(Exception, match="switched off"):
            stand.wire.ask("SYST:VERS?")
        stand.restore()
        stand.wire.sync()
        assert stand.wire.ask("SYST:VERS?") == "1999.0"
    assert [deed.do for deed in load(path).deeds if deed.do] == ["cut", "restore"]


def test_a_named_tables_pins_are_recorded_too(holder: Holder, tmp_path: Path) -> None:
    path = tmp_path / "pins.jsonl"
    with recording(path), open_stand("sim://wire") as stand:
        stand.wire.ask("SYST:VERS?")
        stand.press("BET")
        stand.wire.ask("*OPC?")
        deadline = time.monotonic() + 10
        while '"pin":"BET","level":1' not in path.read_text().partition('"pin":"BET","level":0')[2]:
            assert time.monotonic() < deadline, path.read_text()
            time.sleep(0.02)
    script = load(path)
    assert {"pin", "bus", "glass"} <= {record["dir"] for record in script.records}
    assert "press" in {deed.do for deed in script.deeds}
    levels = [
        (record["device"], record["level"]) for record in script.records
        if record["dir"] == "pin" and record["pin"] == "BET"
    ]  # fmt: skip
    (down, low), (up, high) = levels[-2:]
    assert (low, high) == (0, 1)
    assert up - down == 60_000


def test_a_real_ports_times_come_from_the_hosts_clock(holder: Holder, tmp_path: Path) -> None:
    path = tmp_path / "host.jsonl"
    with recording(path), open_stand(holder.entry.port) as stand:
        for _ in range(5):
            stand.wire.ask("SYST:TIME?")
    head, *lines = [json.loads(line) for line in path.read_text().splitlines()]
    assert head["clock"] == "host"
    bound = next(line["bound"] for line in lines if line["dir"] == "clock")
    for out, answer in itertools.pairwise(lines):
        if out["dir"] == "out" and out["line"].startswith("SYST:TIME?") and not out.get("aside"):
            told = int(answer["line"].partition(";")[0])
            # A simulated table reads the wall clock at the beginning of a slice of 50 ms.
            assert out["device"] - bound - 60_000 <= told <= answer["device"] + bound + 60_000
