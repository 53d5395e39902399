"""The table as an instrument of PyVISA, through its own backend, as it is: over a pseudo-terminal and over TCP."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from holecard_host.twin import live
from holecard_host.twin.holder import Holder
from holecard_host.twin.live import LiveTwin
from holecard_host.twin.port import TcpPort

pyvisa = pytest.importorskip("pyvisa")
pytest.importorskip("pyvisa_py")
pytestmark = pytest.mark.skipif(os.name == "nt", reason="Windows has no pseudo-terminals")

GUIDE = Path(__file__).parents[2] / "docs" / "pyvisa.md"


@pytest.fixture
def serial_resource(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    monkeypatch.setenv("XDG_RUNTIME_DIR", str(tmp_path))
    with Holder("visa") as holder:
        yield f"ASRL{holder.entry.port}::INSTR"


@pytest.fixture
def socket_resource(monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    monkeypatch.setattr(live, "open_port", TcpPort)
    twin = LiveTwin("cpython")
    yield f"TCPIP::127.0.0.1::{twin.port.url.rpartition(':')[2]}::SOCKET"
    twin.close()


@pytest.fixture(params=["serial_resource", "socket_resource"])
def table(request: pytest.FixtureRequest) -> Iterator[Any]:
    manager = pyvisa.ResourceManager("@py")
    table = manager.open_resource(request.getfixturevalue(request.param))
    table.write_termination = table.read_termination = "\n"
    table.timeout = 10_000
    yield table
    table.close()
    manager.close()


def test_the_common_commands(table: Any) -> None:
    table.write("*CLS")
    assert re.fullmatch(r"Holecard,Table-pico,[0-9a-f]{16},\d+\.\d+\.\d+", table.query("*IDN?"))
    assert table.query("*OPC?") == "1"
    table.write("*ESE 48")
    assert table.query("*ESE?") == "48"
    table.write("*SRE 32")
    assert table.query("*SRE?") == "32"
    table.write("*OPC")
    assert int(table.query("*ESR?")) & 1
    assert table.query("*ESR?") == "0", "reading clears it"
    assert table.query("SYST:VERS?") == "1999.0"
    assert table.query_ascii_values("*STB?", converter="d") == [0]


def test_the_error_queue(table: Any) -> None:
    table.write("*CLS;*ESE 48")
    for line in ("NONSense", "ROUN:BET 0,1000000000", "ROUN:ACT 0,HIT"):
        table.write(line)
    assert int(table.query("*STB?")) & (4 + 32) == 36
    numbers = [int(table.query("SYST:ERR?").partition(",")[0]) for _ in range(4)]
    assert numbers == [-113, -222, -221, 0]
    assert int(table.query("*ESR?")) & 48 == 48
    assert int(table.query("*STB?")) & 4 == 0
    table.write("NONSense")
    table.write("*CLS")
    assert table.query("SYST:ERR?") == '0,"No error"'


def test_a_query_that_is_not_answered_times_out_and_the_next_one_is_served(table: Any) -> None:
    table.timeout = 300
    with pytest.raises(pyvisa.errors.VisaIOError):
        table.query("*CLS")
    table.timeout = 10_000
    assert table.query("*OPC?") == "1"


def test_the_program_of_the_guide_prints_what_it_says(serial_resource: str, tmp_path: Path) -> None:
    text = GUIDE.read_text("utf-8")
    program = tmp_path / "round.py"
    program.write_text(re.search(r"```python\n(.*?)```", text, re.DOTALL)[1])
    promised = [line.strip() for line in text.partition("It prints")[2].partition("\n\n")[2].splitlines()[:5]]
    result = subprocess.run(
        [sys.executable, str(program), serial_resource], capture_output=True, text=True, timeout=60, check=False
    )
    assert (result.returncode, result.stderr) == (0, "")
    printed = result.stdout.splitlines()
    assert printed[0].startswith("Holecard,Table-pico,")
    assert printed[1:] == promised[1:]


def test_list_resources_finds_what_the_system_lists(serial_resource: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """A pseudo-terminal is in no list of the system's; what is in it, PyVISA offers under the name that it opens."""
    from serial.tools import list_ports_common  # noqa: PLC0415

    path = serial_resource.removeprefix("ASRL").removesuffix("::INSTR")
    port = list_ports_common.ListPortInfo(path, skip_link_detection=True)
    monkeypatch.setattr("pyvisa_py.serial.comports", lambda: [port])
    manager = pyvisa.ResourceManager("@py")
    assert serial_resource in manager.list_resources()
    manager.close()
