"""The list of devices: what is asked, what is not, and ports that stay silent, are busy or have no ids."""

import os
import threading
import time
import tty
from types import SimpleNamespace

import pytest
import serial

from holecard_host import devices
from holecard_host.devices import Found, Named, find, identify

PICO = (0x2E8A, 0x0005)
IDENTITY = "Holecard,Table-pico,e6614c311b7e6f35,0.1.0"


class Pty:
    """A pseudo-terminal whose far end answers `*IDN?` with `answer`, or stays silent."""

    def __init__(self, answer: bytes | None = None) -> None:
        self.master, self.slave = os.openpty()
        tty.setraw(self.slave)
        self.path = os.ttyname(self.slave)
        self.heard = b""
        self._answer = answer
        self._thread = threading.Thread(target=self._serve, daemon=True)
        self._thread.start()

    def _serve(self) -> None:
        while True:
            try:
                self.heard += os.read(self.master, 100)
            except OSError:
                return
            if self._answer is not None and self.heard.endswith(b"*IDN?\n"):
                os.write(self.master, self._answer)

    def close(self) -> None:
        os.close(self.slave)
        # The thread's read ends with the slave; it must not go on with a number that the next test gets.
        self._thread.join(2)
        os.close(self.master)


@pytest.fixture
def pty():
    opened = []

    def make(answer=None):
        opened.append(Pty(answer))
        return opened[-1]

    yield make
    for one in opened:
        one.close()


def ports(monkeypatch, *listed):
    rows = [SimpleNamespace(device=device, vid=vid, pid=pid, description=text) for device, vid, pid, text in listed]
    monkeypatch.setattr(devices.list_ports, "comports", lambda: rows)


def test_a_table_with_a_known_id_is_asked_and_shown(monkeypatch, pty):
    table = pty(IDENTITY.encode() + b"\r\n")
    ports(monkeypatch, (table.path, *PICO, "Board in FS mode"))
    assert find() == [Found(table.path, "Board in FS mode", *PICO, "table", IDENTITY)]


def test_an_unknown_id_is_asked_only_on_request(monkeypatch, pty):
    table = pty(IDENTITY.encode() + b"\n")
    ports(monkeypatch, (table.path, 0x0403, 0x6001, "FT232R"))
    assert find()[0].status == "not asked"
    assert table.heard == b""
    assert find(ask_all=True)[0].answer == IDENTITY


@pytest.mark.fault(20)
def test_fault_20_ports_without_ids_are_listed_and_not_asked(monkeypatch, pty):
    silent = pty()
    ports(monkeypatch, (silent.path, None, None, "n/a"), ("/dev/ttyS9", None, None, None))
    found = find()
    assert [(item.vid, item.status, item.description) for item in found] == [(None, "not asked", "")] * 2
    assert silent.heard == b""


def test_silent_ports_take_one_time_limit_together(monkeypatch, pty):
    silent = [pty() for _ in range(4)]
    ports(monkeypatch, *((one.path, *PICO, "") for one in silent))
    started = time.monotonic()
    found = find()
    assert time.monotonic() - started < 2 * devices.ANSWER_SECONDS
    assert [item.status for item in found] == ["silent"] * 4


def test_a_port_that_never_opens_does_not_hang_the_list(monkeypatch):
    never = threading.Event()
    monkeypatch.setattr(devices, "OPEN_SECONDS", 0.1)
    monkeypatch.setattr(devices, "ANSWER_SECONDS", 0.1)

    def block(*_, **__):
        never.wait()
        raise serial.SerialException("too late")

    monkeypatch.setattr(devices.serial, "Serial", block)
    ports(monkeypatch, ("/dev/ttyACM7", *PICO, ""))
    started = time.monotonic()
    (found,) = find()
    assert time.monotonic() - started < 2
    assert (found.status, found.answer) == ("silent", "the port did not open in time")
    never.set()


def test_a_port_that_chatters_without_end_does_not_hang(monkeypatch, pty):
    chatter = pty()
    done = threading.Event()

    def talk():
        while not done.is_set():
            os.write(chatter.master, b"log line\n")
            time.sleep(0.01)

    thread = threading.Thread(target=talk)
    thread.start()
    try:
        assert identify(chatter.path) == ("other", "log line")
    finally:
        done.set()
        thread.join()


def test_events_before_the_answer_do_not_hide_it(pty):
    assert identify(pty(b'!EVT 1 5 {"event":"key"}\n' + IDENTITY.encode() + b"\n").path) == ("table", IDENTITY)


def test_a_micropython_prompt_is_recognised(pty):
    status, answer = identify(pty(b"\r\n>>> *IDN?\r\nSyntaxError: invalid syntax\r\n>>> ").path)
    assert status == "other"
    assert "MicroPython prompt" in answer


def test_a_strange_answer_is_made_printable(pty):
    assert identify(pty(b"\x1b[31mACME \xff\n").path)[1].startswith(".[31mACME")


@pytest.mark.parametrize(
    ("error", "status"),
    [
        (serial.SerialException(16, "could not open port /dev/x: [Errno 16] Device or resource busy"), "busy"),
        (serial.SerialException(11, "Could not exclusively lock port /dev/x"), "busy"),
        (serial.SerialException(13, "could not open port: Permission denied"), "no permission"),
        (
            serial.SerialException("could not open port 'COM3': PermissionError(13, 'Access is denied.')"),
            "no permission",
        ),
        (serial.SerialException(2, "No such file or directory"), "gone"),
        (serial.SerialException("could not open port 'COM3': FileNotFoundError(2)"), "gone"),
        (serial.SerialException(21, "could not open port /tmp: Is a directory"), "no port"),
        (serial.SerialException("Could not configure port: (25, 'Inappropriate ioctl for device')"), "no port"),
        (serial.SerialTimeoutException("Write timeout"), "silent"),
        (serial.SerialException("device reports readiness to read\nbut returned no data"), "error"),
        (ValueError("Invalid baud rate"), "error"),
    ],
)
def test_each_failure_is_one_row_with_its_reason(monkeypatch, error, status):
    def refuse(*_, **__):
        raise error

    monkeypatch.setattr(devices.serial, "Serial", refuse)
    ports(monkeypatch, ("/dev/ttyACM0", *PICO, ""))
    (found,) = find()
    assert found.status == status
    assert found.answer
    assert "\n" not in found.answer


@pytest.mark.fault(17)
def test_fault_17_a_port_in_use_is_listed_as_busy(pty):
    used = pty(IDENTITY.encode() + b"\n")
    with serial.Serial(used.path, exclusive=True):
        assert identify(used.path)[0] == "busy"


def test_a_port_that_vanished_is_gone():
    assert identify("/dev/ttyNONE")[0] == "gone"


def test_what_keeps_a_silent_table_and_does_not_answer_either_does_not_hang_the_list(monkeypatch, pty):
    monkeypatch.setattr(devices, "ANSWER_SECONDS", 0.1)
    monkeypatch.setattr(devices, "OPEN_SECONDS", 0.3)
    ports(monkeypatch)
    table = Named("sim://mute", pty().path, "simulated", threading.Event().wait)
    began = time.monotonic()
    assert find(named=[table])[0].status == "silent"
    assert time.monotonic() - began < 5


def test_simulated_tables_come_first_and_are_asked(monkeypatch, pty):
    ports(monkeypatch, ("/dev/ttyS0", None, None, ""))
    table = Named("sim://bench", pty(IDENTITY.encode() + b"\n").path, "simulated")
    assert find(named=[table])[0] == Found("sim://bench", "simulated", None, None, "table", IDENTITY)
