"""The wire with something strange at its other end: what never stops talking, and what is no table at all."""

from __future__ import annotations

import contextlib
import os
import socket
import threading
import time
from collections.abc import Callable, Iterator

import pytest

from holecard_host import wire as wire_module
from holecard_host.errors import StandFault, UsageFault
from holecard_host.stands import open_stand
from holecard_host.wire import Wire

pytestmark = pytest.mark.skipif(os.name == "nt", reason="Windows has no pseudo-terminals")

IDENTITY = "Holecard,Table-mock,1,0.1.0"
NMEA = b"$GPGGA,1\r\n"
NO_ERROR = ';0,"No error"\n'


class Far:
    """The other end of a pseudo-terminal: it says `chatter` every `pause` seconds, and answers lines by `reply`."""

    def __init__(
        self, chatter: bytes = b"", pause: float = 0.01, reply: Callable[[str, int], str] | None = None
    ) -> None:
        import tty  # noqa: PLC0415 - POSIX only

        self._master, self._slave = os.openpty()
        tty.setraw(self._slave)
        os.set_blocking(self._master, False)
        self.path = os.ttyname(self._slave)
        self.lines: list[str] = []
        self._chatter, self._pause, self._reply = chatter, pause, reply
        self._over = threading.Event()
        self._thread = threading.Thread(target=self._serve, daemon=True)
        self._thread.start()

    def close(self) -> None:
        self._over.set()
        self._thread.join()
        os.close(self._slave)
        os.close(self._master)

    def _serve(self) -> None:
        heard = b""
        while not self._over.wait(self._pause):
            with contextlib.suppress(BlockingIOError):
                heard += os.read(self._master, 4096)
            *lines, heard = heard.split(b"\n")
            for line in lines:
                if line.strip(b"\x18") and self._reply is not None:
                    self.lines.append(line.decode())
                    self._say(self._reply(line.decode(), len(self.lines)).encode())
            self._say(self._chatter)

    def _say(self, data: bytes) -> None:
        if data:
            with contextlib.suppress(BlockingIOError):  # nobody reads
                os.write(self._master, data)


@pytest.fixture
def far() -> Iterator[Callable[..., Far]]:
    opened: list[Far] = []

    def make(*arguments: object, **options: object) -> Far:
        opened.append(Far(*arguments, **options))  # type: ignore[arg-type]
        return opened[-1]

    yield make
    for one in opened:
        one.close()


def fault(do: Callable[[], object], seconds: float) -> str:
    started = time.monotonic()
    with pytest.raises(StandFault) as caught:
        do()
    assert time.monotonic() - started < seconds
    assert caught.value.exit_code == 3
    return str(caught.value)


@pytest.mark.parametrize("chatter", [NMEA, b"\xff\x00U" * 100, b"no end"])
def test_a_port_that_keeps_talking_does_not_keep_a_command(far: Callable[..., Far], chatter: bytes) -> None:
    wire = Wire(far(chatter).path, timeout=1)
    assert "keeps talking, but not as a Holecard table" in fault(wire.sync, 3)
    wire.close()


def test_a_stand_on_a_talking_port_is_given_up_within_its_time(far: Callable[..., Far]) -> None:
    path = far(NMEA, 0.05).path
    assert f"{path} keeps talking" in fault(lambda: open_stand(path), wire_module.TIMEOUT_SECONDS + 2)


def test_a_socket_that_keeps_talking_does_not_keep_a_command() -> None:
    over = threading.Event()
    with socket.create_server(("127.0.0.1", 0)) as server:

        def talk() -> None:
            client, _ = server.accept()
            with client:
                while not over.is_set():
                    try:
                        client.sendall(NMEA * 400)
                    except OSError:
                        return

        thread = threading.Thread(target=talk)
        thread.start()
        wire = Wire(f"socket://127.0.0.1:{server.getsockname()[1]}", timeout=1)
        assert "keeps talking" in fault(wire.sync, 4)
        wire.close()
        over.set()
        thread.join()


@pytest.mark.parametrize("chatter", [b'!EVT 1 2 {"event":"key"}\n', b"!\n", b"\n"])
def test_events_without_end_do_not_keep_a_request(far: Callable[..., Far], chatter: bytes) -> None:
    wire = Wire(far(chatter, 0.001).path, timeout=0.5)
    assert "no answer" in fault(lambda: wire.ask("KEYS?"), 2)
    wire.take_events()
    wire.close()


def test_bytes_without_a_lines_end_do_not_fill_the_memory(
    far: Callable[..., Far], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(wire_module, "_LONGEST_ANSWER", 5000)
    wire = Wire(far(b"x" * 1000, 0.001).path, timeout=30)
    assert "keeps talking" in fault(lambda: wire.ask("KEYS?"), 10)

    def read_events() -> None:
        while True:
            wire.take_events()

    assert "keeps talking" in fault(read_events, 10)
    assert len(wire._buffer) <= 5000
    wire.close()


def test_events_that_nobody_takes_do_not_fill_the_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    wire = Wire("loop://", timeout=0.1)
    for number in range(wire_module._MOST_EVENTS + 10):
        wire._keep_event(f'!EVT {number} 5 {{"event":"key"}}')
    events = wire.take_events()
    assert (len(events), events[0].seq) == (wire_module._MOST_EVENTS, 10)
    wire.close()


@pytest.mark.parametrize("before", ["xyz", '!EVT 7 123 {"event":"ca', "\x00\x7f", "Holecard,old,1,1;"])
def test_the_rest_of_something_older_before_the_answer_does_not_hide_a_table(
    far: Callable[..., Far], before: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(wire_module, "_AGAIN_SECONDS", 0.3)

    def reply(line: str, number: int) -> str:
        answers = ";".join([IDENTITY] * line.count("*IDN?")) or "7"
        return (before if number == 1 else "") + answers + NO_ERROR

    table = far(reply=reply)
    wire = Wire(table.path)
    assert wire.sync() == IDENTITY
    # No late answer is taken for that of another request.
    assert wire.ask("KEYS?") == "7"
    wire.close()


def test_a_table_that_is_slow_to_answer_is_asked_again_and_no_answer_comes_late(
    far: Callable[..., Far], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(wire_module, "_AGAIN_SECONDS", 0.3)

    def reply(line: str, number: int) -> str:
        if number == 1:
            time.sleep(0.7)
        return (";".join([IDENTITY] * line.count("*IDN?")) or "7") + NO_ERROR

    wire = Wire(far(reply=reply).path)
    assert wire.sync() == IDENTITY
    assert wire.ask("KEYS?") == "7"
    wire.close()


def test_a_port_that_says_something_once_and_then_nothing_does_not_keep_talking(far: Callable[..., Far]) -> None:
    wire = Wire(far(reply=lambda line, number: "ready\n" if number == 1 else "").path, timeout=2.5)
    assert "no answer in 2.5 s" in fault(wire.sync, 4)
    wire.close()


PARROT = f'{IDENTITY};0,"No error"'


def test_what_answers_but_not_as_a_table_is_told_as_that(far: Callable[..., Far]) -> None:
    stand = open_stand(far(reply=lambda line, number: PARROT + "\n").path)
    for do, what in (
        (stand.lamps, "to DIAG:LAMP?, which is no whole number"),
        (stand.now_us, "to SYST:TIME?, which is no whole number"),
        (lambda: stand.wire.ask_json("TABL:STAT?"), "to TABL:STAT?, which is no JSON"),
        (lambda: stand.wire.ask_record("TABL:STAT?"), "to TABL:STAT?, which is no JSON"),
        (stand.frame, "no picture"),
    ):
        assert what in fault(do, 3)
    stand.close()


@pytest.mark.parametrize("answer", ["[1]", "1", "null", "{", "[" * 5000, '"' + "x" * 5000])
def test_answers_of_the_wrong_kind(far: Callable[..., Far], answer: str) -> None:
    wire = Wire(far(reply=lambda line, number: answer + NO_ERROR).path)
    text = fault(lambda: wire.ask_record("TABL:STAT?"), 3)
    assert "which is no JSON" in text
    assert len(text) < 200
    wire.close()


@pytest.mark.parametrize(("answer", "value"), [("12", 12), ("-3", -3), ("+4", 4)])
def test_whole_numbers(far: Callable[..., Far], answer: str, value: int) -> None:
    wire = Wire(far(reply=lambda line, number: answer + NO_ERROR).path)
    assert wire.ask_int("A?") == value
    with pytest.raises(UsageFault):
        wire.ask_int("A?" * 200)
    wire.close()


@pytest.mark.parametrize("answer", ["1.5", "1_0", "0x10", "9" * 5000, "1 2"])
def test_what_is_no_whole_number(far: Callable[..., Far], answer: str) -> None:
    wire = Wire(far(reply=lambda line, number: answer + NO_ERROR).path)
    assert "which is no whole number" in fault(lambda: wire.ask_int("A?"), 3)
    wire.close()


def test_half_a_line_of_an_earlier_program_is_not_carried_out(interpreter: str) -> None:
    """`ROUN:BET 0,10` is all that came of `ROUN:BET 0,100`: no bet of ten dollars may come of it."""
    with open_stand(f"sim://{interpreter}") as stand:
        before = stand.wire.ask("TABL:STAT?")
        stand.wire._write(b"ROUN:BET 0,10")
        stand.advance(50)
        assert stand.wire.sync().startswith("Holecard,")
        assert stand.wire.ask("TABL:STAT?") == before
        assert stand.wire.ask("SYST:ERR?").startswith("0,")
