"""Files that a user names: also pipes, with and without somebody at their other end."""

from __future__ import annotations

import os
import subprocess
import threading
import time
from pathlib import Path

import pytest
from tests.host.test_cli import CASES, COMMAND, one_line

from holecard_host import golden, infile
from holecard_host.errors import UsageFault

pytestmark = pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="this system has no named pipes")
LONG = b"0123456789" * 20_000  # more than a pipe holds


@pytest.fixture
def pipe(tmp_path: Path) -> Path:
    path = tmp_path / "pipe"
    os.mkfifo(path)
    return path


@pytest.mark.parametrize("read", [infile.read, golden.read])
def test_a_pipe_that_nobody_writes_to_is_refused(read, pipe: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(infile, "_WRITER_SECONDS", 0.1)
    with pytest.raises(UsageFault) as fault:
        read(pipe)
    assert str(fault.value) == f"{pipe}: is a pipe, and nobody writes to it"


@pytest.mark.parametrize("read", [infile.read, golden.read])
def test_a_device_is_refused(read) -> None:
    with pytest.raises(UsageFault, match="/dev/zero: is a device, not a file"):
        read(Path("/dev/zero"))


@pytest.mark.parametrize("data", [b"x", LONG])
@pytest.mark.parametrize("late", [0, 0.3])
def test_a_writer_may_come_later_and_be_slow(data: bytes, late: float, pipe: Path, monkeypatch) -> None:
    # Once somebody has it open, no time is too long.
    monkeypatch.setattr(infile, "_WRITER_SECONDS", late + 0.3)

    def write() -> None:
        time.sleep(late)
        with pipe.open("wb", buffering=0) as file:
            time.sleep(0.5)
            file.write(data[: len(data) // 2])
            time.sleep(0.1)
            file.write(data[len(data) // 2 :])

    threading.Thread(target=write, daemon=True).start()
    assert infile.read(pipe) == data


@pytest.mark.skipif(not Path("/dev/fd").exists(), reason="this system has no /dev/fd")
@pytest.mark.parametrize("slow", [0, 0.3])
def test_what_another_command_writes_can_be_read(slow: float) -> None:
    # As `holecard cases <(jq ... )` and `... | holecard cases /dev/stdin` do.
    cases = (CASES / "sifl.json").read_bytes()
    process = subprocess.Popen(
        [*COMMAND, "cases", "/dev/stdin", "--on", "sim://nobody"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    assert process.stdin is not None
    process.stdin.write(cases[:1000])
    process.stdin.flush()
    time.sleep(slow)
    _, errors = process.communicate(cases[1000:], timeout=60)
    # It has read and checked the whole file before it looks for the table.
    assert process.returncode == 3
    assert one_line(errors.decode()).startswith("holecard: no simulated table nobody runs")
