"""Faults of the field 17 to 20 as far as they are the host's alone (docs/field-faults.md)."""

from __future__ import annotations

import os
import subprocess
import sys
import threading

import pytest
import serial
from tests.host.nobody import as_nobody, root_only

from holecard_host import ports
from holecard_host.devices import identify
from holecard_host.errors import StandFault
from holecard_host.stands import serial as serial_stand
from holecard_host.wire import Wire

pytestmark = pytest.mark.skipif(os.name == "nt", reason="Windows has no pseudo-terminals")


@pytest.fixture
def lines(monkeypatch: pytest.MonkeyPatch) -> list[bool]:
    """The levels that DTR is set to when ports are opened; a pseudo-terminal has no such line."""
    levels: list[bool] = []
    monkeypatch.setattr(serial.Serial, "_update_dtr_state", lambda port: levels.append(port._dtr_state))
    return levels


@pytest.mark.fault(18)
def test_fault_18_every_port_that_is_opened_gets_dtr(port: str, lines: list[bool]) -> None:
    ports.open_port(port, port, 0.1, 0.1).close()
    assert lines
    assert all(lines)
    lines.clear()
    Wire(port).close()
    assert lines
    assert all(lines)


@pytest.mark.fault(18)
def test_fault_18_a_device_that_stays_silent_is_told_as_that(port: str) -> None:
    with pytest.raises(StandFault, match=rf"{port}: no answer in 0\.3 s; does a table run there\?"):
        serial_stand.SerialStand(port, timeout=0.3)
    assert identify(port) == ("silent", "no answer in 1 s")


@pytest.mark.fault(17)
def test_fault_17_the_process_that_has_a_port_is_named_where_the_system_tells(port: str) -> None:
    with serial.Serial(port, exclusive=True), pytest.raises(StandFault, match="in use by") as fault:
        Wire(port)
    if os.path.exists("/proc/locks"):
        assert f"{port} is in use by process {os.getpid()} (" in str(fault.value)


@root_only
@pytest.mark.fault(17)
def test_fault_17_no_other_users_program_opens_a_real_port(port: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """A program that knows of no locks; this machine's only ports are pseudo-terminals, so one plays the real port."""
    os.chmod(port, 0o666)
    monkeypatch.setattr(ports, "is_pseudo", lambda path: False)

    def open_it() -> None:
        os.close(os.open(port, os.O_RDWR | os.O_NOCTTY))

    with as_nobody(open_it) as (_, told):
        assert told == "done"
    ports.connect(port, 0.1, 0.1)
    with as_nobody(open_it) as (_, told):
        assert "Device or resource busy" in told


@pytest.mark.fault(17)
@pytest.mark.skipif(not os.path.isdir("/proc/self/fd"), reason="this system does not tell who has a port open")
def test_fault_17_who_had_a_real_port_open_before_is_named(port: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Root may open what is exclusive, and a program without locks may have been first: then it is looked for."""
    monkeypatch.setattr(ports, "is_pseudo", lambda path: False)
    keep = "import os, sys, time; os.open(sys.argv[1], os.O_RDWR); print('open', flush=True); time.sleep(60)"
    process = subprocess.Popen([sys.executable, "-c", keep, port], stdout=subprocess.PIPE, text=True)
    try:
        assert process.stdout is not None
        process.stdout.readline()
        with pytest.raises(StandFault, match=rf"{port} is in use by process {process.pid} \(python"):
            ports.open_port(port, port, 0.1, 0.1)
    finally:
        process.kill()
        process.communicate(timeout=10)


@pytest.mark.fault(17)
def test_fault_17_a_pseudo_terminal_can_be_opened_again_after_its_user_was_killed(port: str) -> None:
    """The mark of exclusive use would stay on it as long as its table runs: root alone could open it then."""
    connected = ports.connect(port, 0.1, 0.1)
    with pytest.raises(serial.SerialException):
        ports.connect(port, 0.1, 0.1)
    connected.close()
    ports.connect(port, 0.1, 0.1).close()
    assert ports.is_pseudo(port)
    assert not ports.is_pseudo("/dev/ttyACM0")


def test_whoever_looks_in_at_a_table_of_this_programs_own_is_waited_for(port: str) -> None:
    """He knew the number of its pseudo-terminal from an earlier one."""
    looks_in = serial.Serial(port, exclusive=True)
    leaves = threading.Timer(0.3, looks_in.close)
    leaves.start()
    try:
        Wire(port, "sim://cpython", shared=False).close()
    finally:
        leaves.join()
