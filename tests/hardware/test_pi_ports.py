"""The ports of a Raspberry Pi, on real pseudo-terminals and sockets of this computer."""

from __future__ import annotations

import os
import socket
import sys
import time
from collections.abc import Iterator
from typing import Any

import pytest

pytestmark = pytest.mark.skipif(os.name != "posix", reason="a Raspberry Pi runs Linux")
if os.name == "posix":
    import tty

    from holecard.boards import raspberry_pi_ports as ports


@pytest.fixture
def terminal() -> Iterator[tuple[int, str]]:
    """The far end of a serial port, and its path."""
    far, near = os.openpty()
    tty.setraw(near)
    path = os.ttyname(near)
    os.close(near)
    os.set_blocking(far, False)
    yield far, path
    os.close(far)


@pytest.fixture
def server() -> Iterator[Any]:
    with socket.create_server(("127.0.0.1", 0)) as free:
        place = free.getsockname()[:2]
    server = ports.Tcp(*place)
    server.place = place
    yield server
    server.close()


def read(port: Any, size: int = 64, seconds: float = 5) -> bytes:
    """What comes within that time."""
    end = time.monotonic() + seconds
    buf = bytearray(size)
    while time.monotonic() < end:
        count = port.read_into(buf)
        if count:
            return bytes(buf[:count])
        port.wait(0.01)
    return b""


def test_every_byte_passes_a_serial_port_both_ways(terminal: tuple[int, str]) -> None:
    far, path = terminal
    port = ports.Ports([ports.Tty(path)])
    assert read(port, seconds=0.1) == b""
    os.write(far, bytes(range(256)))
    got = b""
    while len(got) < 256:
        got += read(port)
    assert got == bytes(range(256))
    assert port.write_from(memoryview(b"\x00\n\r\x11\x13\xff")) == 6
    time.sleep(0.05)
    assert os.read(far, 64) == b"\x00\n\r\x11\x13\xff"
    port.close()


def test_what_follows_ctrl_c_is_left_for_the_next_call(terminal: tuple[int, str]) -> None:
    far, path = terminal
    port = ports.Ports([ports.Tty(path)])
    port.wait(0)
    os.write(far, b"ab\x03cd")
    time.sleep(0.05)
    assert [read(port), read(port)] == [b"ab\x03", b"cd"]
    port.close()


@pytest.mark.fault(16)
def test_fault_16_a_host_that_does_not_read_stops_no_port_of_a_pi(terminal: tuple[int, str], server: Any) -> None:
    client = socket.create_connection(server.place)
    client.sendall(b"x")
    for port, wake in ((ports.Ports([ports.Tty(terminal[1])]), None), (ports.Ports([server]), client)):
        if wake is not None:
            assert read(port) == b"x"
        port.wait(0)
        data = memoryview(bytes(128))
        begin = time.monotonic()
        for _ in range(1_000_000):
            if port.write_from(data) == 0:
                break
        else:
            raise AssertionError("it takes everything")
        before = time.monotonic()
        assert port.write_from(data) == 0
        assert time.monotonic() - before < 0.1
        assert before - begin < 30
    client.close()


@pytest.mark.fault(17)
def test_fault_17_a_second_client_of_a_pi_is_hung_up_on(server: Any) -> None:
    port = ports.Ports([server])
    with socket.create_connection(server.place) as first, socket.create_connection(server.place) as second:
        first.sendall(b"one")
        assert read(port) == b"one"
        assert read(port, seconds=0.1) == b""
        second.settimeout(5)
        assert second.recv(1) == b""
        assert port.write_from(b"answer") == 6
        assert first.recv(16) == b"answer"


@pytest.mark.fault(19)
def test_fault_19_a_client_of_a_pi_that_leaves_makes_room_and_leaves_nothing(server: Any) -> None:
    port = ports.Ports([server])
    with socket.create_connection(server.place) as first:
        first.sendall(b"half a li")
        assert read(port) == b"half a li"
    assert read(port, seconds=0.1) == b""
    assert port.write_from(b"to nobody") == 9
    with socket.create_connection(server.place) as second:
        second.sendall(b"two")
        # CAN takes back the half line, which was never ours to end.
        assert read(port) == b"\x18two"
        second.sendall(b"\nmore\n")
        assert read(port) == b"\nmore\n"
        assert port.write_from(b"answer") == 6
        assert second.recv(16) == b"answer"
    assert read(port, seconds=0.1) == b""
    with socket.create_connection(server.place) as third:
        third.sendall(b"three")
        assert read(port) == b"three"


@pytest.mark.fault(19)
def test_fault_19_half_a_line_at_one_port_of_a_pi_spoils_none_at_the_other(
    terminal: tuple[int, str], server: Any
) -> None:
    far, path = terminal
    port = ports.Ports([ports.Tty(path), server])
    port.wait(0)
    os.write(far, b"*ID")
    assert read(port) == b"*ID"
    with socket.create_connection(server.place) as client:
        client.sendall(b"*TST?\n")
        assert read(port) == b"\x18*TST?\n"
        os.write(far, b"*IDN?\n")
        assert read(port) == b"*IDN?\n"
    port.close()


@pytest.mark.fault(19)
def test_fault_19_who_left_a_pi_without_a_word_does_not_keep_the_port(server: Any) -> None:
    """A client whose cable was pulled. Without questions Linux would wait for it for ever."""
    port = ports.Ports([server])
    with socket.create_connection(server.place):
        assert read(port, seconds=0.1) == b""
        assert server.speaker.getsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE)
        if sys.platform == "linux":
            idle, every, count = [
                server.speaker.getsockopt(socket.IPPROTO_TCP, option)
                for option in (socket.TCP_KEEPIDLE, socket.TCP_KEEPINTVL, socket.TCP_KEEPCNT)
            ]
            assert idle + every * count <= 30


@pytest.mark.fault(19)
def test_fault_19_who_comes_back_to_a_pi_at_once_finds_room(server: Any) -> None:
    port = ports.Ports([server])
    with socket.create_connection(server.place):
        assert read(port, seconds=0.1) == b""
    with socket.create_connection(server.place) as again:
        again.sendall(b"*IDN?")
        assert read(port) == b"*IDN?"


def test_whoever_spoke_last_is_answered(terminal: tuple[int, str], server: Any) -> None:
    far, path = terminal
    port = ports.Ports([ports.Tty(path), server])
    port.wait(0)
    with socket.create_connection(server.place) as client:
        client.sendall(b"tcp\n")
        assert read(port) == b"tcp\n"
        port.write_from(b"1")
        assert client.recv(8) == b"1"
        os.write(far, b"tty\n")
        assert read(port) == b"tty\n"
        port.write_from(b"2")
        time.sleep(0.05)
        assert os.read(far, 8) == b"2"


@pytest.mark.fault(28)
def test_fault_28_a_port_that_is_not_there_is_told_once_and_found_when_it_comes(
    tmp_path: Any, terminal: tuple[int, str], capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(ports, "_RETRY_S", 0.05)
    path = tmp_path / "ttyGS0"
    port = ports.Ports([ports.Tty(str(path))])
    assert read(port, seconds=0.3) == b""
    told = capsys.readouterr().err
    assert told == f"holecard: there is no serial port {path}: see serial in docs/raspberry-pi.md\n"
    path.symlink_to(terminal[1])
    assert read(port, seconds=0.3) == b""  # what comes before it is open is nobody's
    os.write(terminal[0], b"x")
    assert read(port) == b"x"
    port.close()


def test_a_port_whose_other_end_goes_is_looked_for_again(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(ports, "_RETRY_S", 0.05)
    far, near = os.openpty()
    port = ports.Ports([ports.Tty(os.ttyname(near))])
    port.wait(0)
    os.close(near)
    os.close(far)
    assert read(port, seconds=0.3) == b""
    assert port.write_from(b"to nobody") == 9
    assert capsys.readouterr().err.startswith("holecard: ")
    port.close()


def test_an_address_that_is_taken_is_told(server: Any) -> None:
    from holecard.boards.raspberry_pi_faults import BoardFault  # noqa: PLC0415 - POSIX only

    with pytest.raises(BoardFault, match=r"cannot listen at 127\.0\.0\.1:\d+ \(.*\): choose another with --tcp"):
        ports.Tcp(*server.place)


@pytest.mark.skipif(sys.platform != "linux", reason="abstract sockets are Linux's")
@pytest.mark.parametrize("kind", ["path", "abstract"])
def test_systemd_hears_what_it_is_told(tmp_path: Any, monkeypatch: pytest.MonkeyPatch, kind: str) -> None:
    from holecard.boards.raspberry_pi_notify import notify  # noqa: PLC0415 - POSIX only

    name = str(tmp_path / "notify")
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as manager:
        manager.bind(name if kind == "path" else "\0" + name)
        monkeypatch.setenv("NOTIFY_SOCKET", name if kind == "path" else "@" + name)
        notify("READY=1")
        assert manager.recv(64) == b"READY=1"
    notify("READY=1")  # nobody is there any more
    monkeypatch.delenv("NOTIFY_SOCKET")
    notify("READY=1")
