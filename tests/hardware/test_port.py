"""The simulated serial port, as any program sees it, and what the wire says when a port fails."""

from __future__ import annotations

import os
import select
import socket
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest
import serial
from tests.hardware.support import ECHO

from holecard_host.devices import identify
from holecard_host.errors import ScpiError, StandFault, UsageFault
from holecard_host.stands import open_stand
from holecard_host.twin import live
from holecard_host.twin.live import LiveTwin
from holecard_host.twin.port import LineCounter, PtyPort, TcpPort
from holecard_host.wire import Wire

TRIED_ON = "host"
pytestmark = pytest.mark.skipif(os.name == "nt", reason="Windows has no pseudo-terminals")


@pytest.fixture
def twin() -> Iterator[LiveTwin]:
    twin = LiveTwin("cpython", entry=ECHO)
    yield twin
    twin.close()


@pytest.fixture
def client(twin: LiveTwin) -> Iterator[serial.Serial]:
    with serial.Serial(twin.port.url, 115200, timeout=3) as port:
        yield port


def test_a_foreign_program_can_use_it(client: serial.Serial) -> None:
    client.write(b"*IDN?\n")
    assert client.readline() == b"Holecard,Table-pico,0,echo\n"


def test_half_a_line_never_stops_the_device(twin: LiveTwin, client: serial.Serial) -> None:
    client.write(b"*ID")
    twin.press(1, 50)
    client.write(b"N?\n")
    assert client.readline().startswith(b"Holecard")


def test_several_lines_in_one_write_are_all_answered(client: serial.Serial) -> None:
    client.write(b"*IDN?\nKEYS?\n*CLS\nKEYS?\n")
    assert [client.readline()[:4] for _ in range(3)] == [b"Hole", b"0\n", b"0\n"]


@pytest.mark.fault(19)
def test_fault_19_a_client_may_leave_in_the_middle_of_a_line(twin: LiveTwin) -> None:
    with serial.Serial(twin.port.url, exclusive=True) as port:
        port.write(b"KEY")
    wire = Wire(twin.port.url)
    assert wire.sync().startswith("Holecard,")
    assert wire.ask("KEYS?") == "0"
    wire.close()


@pytest.mark.fault(17)
def test_fault_17_a_second_client_is_told_who_has_the_port(twin: LiveTwin) -> None:
    wire = Wire(twin.port.url)
    with pytest.raises(StandFault, match="in use by") as fault:
        open_stand(twin.port.url)
    if sys.platform == "linux":
        assert f"process {os.getpid()}" in str(fault.value)
    wire.close()


def test_a_port_that_vanishes(twin: LiveTwin) -> None:
    wire = Wire(twin.port.url)
    twin.close()
    with pytest.raises(StandFault, match="vanished"):
        wire.ask("*IDN?")
    wire.close()


def test_a_port_that_vanishes_while_old_input_is_thrown_away(monkeypatch: pytest.MonkeyPatch) -> None:
    termios = pytest.importorskip("termios")

    def vanished(*_: object) -> None:
        raise termios.error(5, "Input/output error")  # which is no OSError

    master, slave = os.openpty()
    monkeypatch.setattr(serial.Serial, "reset_input_buffer", vanished)
    wire = Wire(os.ttyname(slave))
    with pytest.raises(StandFault, match="vanished"):
        wire.sync()
    wire.close()
    assert identify(os.ttyname(slave)) == ("gone", "vanished while being asked")
    os.close(slave)
    os.close(master)


@pytest.mark.parametrize("line", ["KEYS?\nKEYS?", "KEYS?\r", "ROUN:BET 0,5\u20ac"])
def test_what_is_no_line_is_not_sent(twin: LiveTwin, line: str) -> None:
    wire = Wire(twin.port.url)
    with pytest.raises(UsageFault, match="one line of ASCII"):
        wire.ask(line)
    wire.close()


def test_a_line_that_the_table_would_throw_away_is_not_sent(interpreter: str) -> None:
    with open_stand(f"sim://{interpreter}") as stand:
        longest = "*IDN?" + " " * 240
        assert stand.wire.ask(longest).startswith("Holecard,")
        with pytest.raises(UsageFault, match="at most 245 characters"):
            stand.wire.ask(longest + " ")
        assert stand.wire.ask("*IDN?").startswith("Holecard,")


def test_a_port_that_vanishes_while_an_answer_is_due(twin: LiveTwin) -> None:
    wire = Wire(twin.port.url)
    twin.read_host(False)
    threading.Timer(0.2, twin.close).start()
    with pytest.raises(StandFault, match="vanished"):
        wire.ask("*IDN?")
    wire.close()


def test_a_silent_port(twin: LiveTwin) -> None:
    wire = Wire(twin.port.url, timeout=0.3)
    twin.read_host(False)
    with pytest.raises(StandFault, match=r"no answer in 0\.3 s"):
        wire.ask("*IDN?")
    wire.close()


def test_something_that_is_not_a_table(twin: LiveTwin) -> None:
    wire = Wire(twin.port.url, timeout=0.3)
    with pytest.raises(StandFault, match="no answer"):
        wire.ask("SILENT?")
    wire.close()


@pytest.mark.parametrize("url", ["/dev/no-such-port", "socket://127.0.0.1:1"])
def test_a_port_that_is_not_there(url: str) -> None:
    with pytest.raises(StandFault, match=url):
        open_stand(url)


def test_what_is_no_serial_port_is_told_as_that(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    for path in (tmp_path, tmp_path / "file", Path("/dev/null")):
        with pytest.raises(StandFault) as fault:
            open_stand(str(path))
        assert str(fault.value) == f"{path} is no serial port"


def test_what_the_table_refuses_is_an_error_with_its_number(twin: LiveTwin) -> None:
    wire = Wire(twin.port.url)
    with pytest.raises(ScpiError) as error:
        wire.command("NONSENSE")
    assert (error.value.code, error.value.text) == (-113, "Undefined header;NONSENSE")
    assert wire.ask("KEYS?") == "0"
    wire.close()


def test_no_request_is_blamed_for_the_faults_of_another(interpreter: str) -> None:
    with open_stand(f"sim://{interpreter}") as stand:
        for send in (stand.wire.ask, stand.wire.command):
            with pytest.raises(ScpiError) as error:
                send("NONSENSE;ROUN:BET 0,-7;*IDN?;:MORE:OF:IT")
            assert error.value.code == -113
            assert [code for code, _ in error.value.others] == [-222, -113]
            assert all(text in str(error.value) for text in ("NONSENSE", "-222", "MORE"))
            assert error.value.answer.startswith("Holecard,")
            assert stand.wire.ask("SYST:ERR:COUN?") == "0"
            stand.wire.command("*CLS")


def test_a_table_whose_errors_never_end_does_not_keep_a_request(
    twin: LiveTwin, monkeypatch: pytest.MonkeyPatch
) -> None:
    wire = Wire(twin.port.url)
    monkeypatch.setattr(wire, "_exchange", lambda line: (None, -200, "Execution error"))
    with pytest.raises(ScpiError) as error:
        wire.command("KEYS")
    assert len(error.value.others) == 64
    wire.close()


def test_events_are_kept_apart(twin: LiveTwin) -> None:
    wire = Wire(twin.port.url)
    wire.command("EVENT;EVENT")
    assert wire.ask("KEYS?") == "0"
    events = wire.take_events()
    assert [event.data for event in events] == [{"event": "card", "card": "As"}] * 2
    assert wire.take_events() == []
    wire.close()


def test_output_that_nobody_reads_waits_in_the_device_and_then_comes(twin: LiveTwin, client: serial.Serial) -> None:
    twin.read_host(False)
    client.write(b"*IDN?\n")
    twin.press(2, 60)
    assert client.in_waiting == 0
    twin.read_host(True)
    assert client.readline().startswith(b"Holecard")


def test_the_children_end_with_the_program_even_if_it_is_killed() -> None:
    program = (
        "import time; from holecard_host.twin.live import LiveTwin;"
        f"t = LiveTwin('cpython', entry={str(ECHO)!r}); print(t.simulator.pid, flush=True); time.sleep(60)"
    )
    parent = subprocess.Popen([sys.executable, "-c", program], stdout=subprocess.PIPE, text=True)
    assert parent.stdout is not None
    child = int(parent.stdout.readline())
    os.kill(child, 0)
    parent.kill()
    parent.wait()
    parent.stdout.close()
    gone = threading.Event()
    for _ in range(100):
        try:
            with open(f"/proc/{child}/stat", encoding="ascii") as stat:
                if stat.read().split()[2] == "Z":
                    return
            os.kill(child, 0)
        except OSError:
            return
        gone.wait(0.05)
    pytest.fail("the device outlived the program")


@pytest.mark.parametrize(
    ("pieces", "count"),
    [
        ([b"*IDN?\n"], 1),
        ([b"*IDN?\r\n*CLS\r\n"], 1),
        ([b"*I", b"DN", b"?", b"\n"], 1),
        ([b'BENC:SHOE "A?"\n'], 0),
        ([b"BENC:SEED 'x?';*IDN?\n"], 1),
        ([b"\n\n\r?\r"], 1),
        ([b"A?;B?\nC?\n"], 2),
    ],
)
def test_lines_that_will_be_answered_are_counted(pieces: list[bytes], count: int) -> None:
    counter = LineCounter()
    assert sum(counter.feed(piece) for piece in pieces) == count


@pytest.mark.skipif(sys.platform != "linux", reason="this system does not tell when a client leaves")
def test_a_port_tells_of_clients_that_come_and_keeps_nothing_for_the_next() -> None:
    port = PtyPort()
    assert (port.arrived(), port.sockets()) == (False, [])
    assert port.patience is not None
    assert port.write(b"lost") == 4
    for _ in range(2):
        client = os.open(port.url, os.O_RDWR | os.O_NOCTTY | os.O_NONBLOCK)
        assert (port.arrived(), port.arrived(), port.patience) == (True, False, None)
        with pytest.raises(BlockingIOError):
            os.read(client, 10)
        assert port.write(b"kept") == 4
        os.write(client, b"last")
        os.close(client)
        assert port.read() == b"last"
        assert (port.arrived(), port.read(), port.write(b"lost")) == (False, b"", 4)
    port.close()


def test_over_tcp_there_is_one_client_at_a_time() -> None:
    port = TcpPort()
    address = ("127.0.0.1", int(port.url.rpartition(":")[2]))
    assert port.write(b"lost") == 4
    with socket.create_connection(address) as first:
        first.sendall(b"one")
        while not (data := port.read()):
            pass
        assert data == b"one"
        with socket.create_connection(address) as second:
            port.read()
            assert second.recv(1) == b""
        assert port.write(b"two") == 3
        assert (port.arrived(), port.arrived()) == (True, False)
        assert first.recv(3) == b"two"
    port.close()


def test_over_tcp_who_comes_back_at_once_finds_room() -> None:
    port = TcpPort()
    address = ("127.0.0.1", int(port.url.rpartition(":")[2]))
    with socket.create_connection(address):
        while not port.arrived():
            port.read()
    with socket.create_connection(address) as again:
        again.sendall(b"two")
        while not (data := port.read()):
            assert not select.select([again], [], [], 0)[0], "hung up on"
        assert data == b"two"
    port.close()


def test_a_second_client_over_tcp_is_told_that_the_table_is_in_use(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(live, "open_port", TcpPort)
    twin = LiveTwin("cpython", entry=ECHO)
    with open_stand(twin.port.url) as first:
        with pytest.raises(StandFault, match=r"socket://127.* in use by process"):
            open_stand(twin.port.url)
        # A program of another host, or one that knows no locks.
        with pytest.raises(StandFault, match=r"socket://127.* in use by another program"):
            Wire(twin.port.url, shared=False).sync()
        assert first.wire.ask("KEYS?") == "0"
        twin.close()
        with pytest.raises(StandFault, match="vanished"):
            first.wire.ask("KEYS?")


@pytest.mark.parametrize(
    ("error", "words"),
    [
        (socket.gaierror(-2, "Name or service not known"), "no host of that name"),
        (TimeoutError("timed out"), "does not answer"),
        (ConnectionRefusedError(111, "Connection refused"), "nothing listens there"),
        (OSError(101, "Network is unreachable"), "Network is unreachable"),
    ],
)
def test_a_host_that_cannot_be_reached(monkeypatch: pytest.MonkeyPatch, error: OSError, words: str) -> None:
    def refuse(*_: object, **__: object) -> None:
        raise error

    monkeypatch.setattr(socket, "create_connection", refuse)
    with pytest.raises(StandFault, match=words) as fault:
        open_stand("socket://table.example:5025")
    assert "\n" not in str(fault.value)


@pytest.mark.skipif(os.name == "nt", reason="there are no pseudo-terminals")
def test_a_pseudo_terminal_may_be_looked_at_from_two_threads_at_once():
    port = PtyPort()
    faults = []

    def look():
        try:
            for _ in range(3_000):
                port.sockets()
        except RuntimeError as error:
            faults.append(error)

    threads = [threading.Thread(target=look) for _ in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    port.close()
    assert faults == []


@pytest.mark.skipif(os.name == "nt", reason="there are no pseudo-terminals")
def test_a_port_that_is_closed_twice_closes_nobody_elses_file() -> None:
    """A crash hangs up at once, and the table is closed later: by then the number may be another port's."""
    port = PtyPort()
    port.close()
    other = PtyPort()
    port.close()
    client = os.open(other.url, os.O_RDWR | os.O_NOCTTY | os.O_NONBLOCK)
    os.write(client, b"still there")
    assert other.read() == b"still there"
    os.close(client)
    other.close()
