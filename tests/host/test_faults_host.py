"""Faults of the field 17 to 20 as far as they are the host's alone (docs/field-faults.md)."""

from __future__ import annotations

import os
import tty
from collections.abc import Iterator

import pytest
import serial

from holecard_host import ports
from holecard_host.devices import identify
from holecard_host.errors import StandFault
from holecard_host.stands import serial as serial_stand
from holecard_host.wire import Wire

pytestmark = pytest.mark.skipif(os.name == "nt", reason="Windows has no pseudo-terminals")


@pytest.fixture
def silent() -> Iterator[str]:
    """The path of a port at whose other end nobody answers."""
    master, slave = os.openpty()
    tty.setraw(slave)
    yield os.ttyname(slave)
    os.close(slave)
    os.close(master)


@pytest.fixture
def lines(monkeypatch: pytest.MonkeyPatch) -> list[bool]:
    """The levels that DTR is set to when ports are opened; a pseudo-terminal has no such line."""
    levels: list[bool] = []
    monkeypatch.setattr(serial.Serial, "_update_dtr_state", lambda port: levels.append(port._dtr_state))
    return levels


@pytest.mark.fault(18)
def test_fault_18_every_port_that_is_opened_gets_dtr(silent: str, lines: list[bool]) -> None:
    ports.open_port(silent, silent, 0.1, 0.1).close()
    assert lines
    assert all(lines)
    lines.clear()
    Wire(silent).close()
    assert lines
    assert all(lines)


@pytest.mark.fault(18)
def test_fault_18_a_device_that_stays_silent_is_told_as_that(silent: str) -> None:
    with pytest.raises(StandFault, match=rf"{silent}: no answer in 0\.3 s; does a table run there\?"):
        serial_stand.SerialStand(silent, timeout=0.3)
    assert identify(silent) == ("silent", "no answer in 1 s")


@pytest.mark.fault(17)
def test_fault_17_the_process_that_has_a_port_is_named_where_the_system_tells(silent: str) -> None:
    with serial.Serial(silent, exclusive=True), pytest.raises(StandFault, match="in use by") as fault:
        Wire(silent)
    if os.path.exists("/proc/locks"):
        assert f"{silent} is in use by process {os.getpid()} (" in str(fault.value)
