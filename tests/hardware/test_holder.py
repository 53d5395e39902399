"""A simulated table that outlives the command that uses it."""

from __future__ import annotations

import os
import socket
import stat
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
import serial
from tests.hardware.support import ECHO

from holecard_host.errors import FirmwareCrash, StandFault, UsageFault
from holecard_host.stands import open_stand
from holecard_host.twin import registry
from holecard_host.twin.holder import Holder, RemoteTwin, watch


@pytest.fixture(autouse=True)
def runtime(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    # Short: the path of a Unix socket has at most about 100 characters.
    monkeypatch.setenv("XDG_RUNTIME_DIR", str(tmp_path))
    return tmp_path / "holecard"


@pytest.fixture
def holder() -> Iterator[Holder]:
    with Holder("demo", realtime=False, entry=ECHO) as holder:
        yield holder


def test_it_serves_several_clients_one_after_the_other(holder: Holder) -> None:
    for _ in range(3):
        with open_stand("sim://demo") as stand:
            assert stand.wire.ask("*IDN?").startswith("Holecard,")
            stand.press("HIT", bounce_seed=1)
            assert stand.lamps() == 0
    assert holder.twin.simulator.boots == 1


def test_everything_works_through_it(holder: Holder) -> None:
    with open_stand("sim://demo") as stand:
        assert "clock" in stand.capabilities
        stand.press_down("BET")
        assert stand.lamps() == 1
        stand.release("BET")
        before = stand.now_us()
        stand.advance(40)
        assert stand.now_us() == before + 40_000
        assert stand.frame() == holder.twin.frame()
        stand.cut()
        with pytest.raises(StandFault, match="switched off"):
            stand.wire.ask("KEYS?")
        stand.restore()
        assert stand.wire.ask("KEYS?") == "0"


def test_a_second_client_is_refused(holder: Holder) -> None:
    with open_stand("sim://demo"), pytest.raises(StandFault, match="in use by"):
        open_stand("sim://demo")


def test_a_taken_name_is_refused(holder: Holder) -> None:
    with pytest.raises(StandFault, match=f"runs already .process {os.getpid()}"):
        Holder("demo", entry=ECHO)


@pytest.mark.parametrize("name", ["", "a b", "../x", "cpython", "micropython", "x" * 33, "-x"])
def test_names_that_cannot_be(name: str) -> None:
    with pytest.raises(UsageFault, match="cannot be the name"):
        Holder(name, entry=ECHO)


@pytest.mark.parametrize("name", registry.RESERVED)
def test_names_that_mean_something_else_are_reserved(name: str) -> None:
    with pytest.raises(UsageFault, match=f"reserved, sim://{name} is a kind of table"):
        Holder(name, entry=ECHO)


@pytest.mark.skipif(os.name == "nt", reason="Windows has no Unix sockets here")
def test_a_path_too_long_for_a_socket(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    deep = tmp_path / ("long" * 30)
    deep.mkdir()
    monkeypatch.setenv("XDG_RUNTIME_DIR", str(deep))
    with pytest.raises(StandFault, match=r"bytes long .* at most 10[37]: .*set XDG_RUNTIME_DIR"):
        Holder("demo", entry=ECHO)
    assert registry.entries() == []


def test_a_directory_that_cannot_be_made(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object, **__: object) -> None:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(Path, "mkdir", refuse)
    with pytest.raises(StandFault, match=r"cannot make the directory .*holecard: Permission denied"):
        registry.runtime_dir()


def test_a_name_that_does_not_run(holder: Holder) -> None:
    with pytest.raises(StandFault, match=r"holecard sim --name other.*running: demo"):
        open_stand("sim://other")


def test_only_its_user_can_enter_the_directory(holder: Holder, runtime: Path) -> None:
    assert stat.S_IMODE(runtime.stat().st_mode) == 0o700
    runtime.chmod(0o755)
    with pytest.raises(StandFault, match="only you can enter"):
        registry.entries()
    runtime.chmod(0o700)


def test_what_a_killed_holder_left_is_removed(holder: Holder, runtime: Path) -> None:
    entry = registry.find("demo")
    (runtime / "dead.json").write_text((runtime / "demo.json").read_text().replace("demo", "dead"))
    (runtime / "dead.control").touch()
    (runtime / "broken.json").write_text("{")
    assert registry.entries() == [entry]
    assert sorted(path.name for path in runtime.iterdir()) == ["demo.control", "demo.json", "demo.tap"]


def test_closing_leaves_nothing(runtime: Path) -> None:
    Holder("demo", entry=ECHO).close()
    assert list(runtime.iterdir()) == []
    with pytest.raises(StandFault, match="no simulated table demo"):
        open_stand("sim://demo")


def test_a_wrong_token_opens_nothing(holder: Holder) -> None:
    connection = registry.connect(holder.entry.control, "0" * 32)
    connection.settimeout(3)
    assert connection.recv(1) == b""
    connection.close()


def test_a_viewer_sees_the_newest_lamps_and_cannot_touch_anything(holder: Holder) -> None:
    sights = watch(holder.entry)
    first = next(sights)
    assert (first.lamps, len(first.frame)) == (0, 1024)
    holder.twin.hold(True, 2)
    assert next(sights).lamps == 4
    sights.close()


def test_a_viewer_outlives_a_holder_that_is_killed_in_the_middle_of_a_line(
    holder: Holder, monkeypatch: pytest.MonkeyPatch
) -> None:
    ours, theirs = socket.socketpair()
    theirs.sendall(b'{"frame": "00", "lamps": 1, "now": 2}\n{"frame": "0')
    theirs.close()
    monkeypatch.setattr(registry, "connect", lambda *_: ours)
    assert [sight.lamps for sight in watch(holder.entry)] == [1]


def test_stop_ends_it(holder: Holder) -> None:
    thread = threading.Thread(target=holder.wait)
    thread.start()
    RemoteTwin(holder.entry).stop()
    thread.join(5)
    assert not thread.is_alive()


def test_a_crash_reaches_client_and_holder(holder: Holder) -> None:
    with open_stand("sim://demo") as stand:
        with pytest.raises(FirmwareCrash, match="asked for") as crash:
            stand.wire.ask("CRASH;KEYS?")
        assert "echo.py" in crash.value.traceback
    with pytest.raises(FirmwareCrash, match="asked for"):
        holder.wait()


def test_a_holder_that_ends_under_a_client(holder: Holder) -> None:
    with open_stand("sim://demo") as stand:
        holder.close()
        began = time.monotonic()
        with pytest.raises(StandFault, match="demo"):
            stand.wire.ask("KEYS?")
        assert time.monotonic() - began < 2


def test_a_full_disk_is_told_with_its_file(runtime: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(path: Path, *_: object, **__: object) -> int:
        raise OSError(28, "No space left on device")  # without a name, as `write` raises it

    monkeypatch.setattr(Path, "write_text", fail)
    with pytest.raises(StandFault, match=f"cannot write {runtime}/full.json: No space left"):
        Holder("full", entry=ECHO)
    assert list(runtime.iterdir()) == []


def test_a_holder_that_is_stopped_keeps_nobody_waiting_for_ever(
    holder: Holder, monkeypatch: pytest.MonkeyPatch
) -> None:
    going_on = threading.Event()
    with open_stand("sim://demo") as stand:
        monkeypatch.setattr("holecard_host.twin.holder._PATIENCE_SECONDS", 0.2)
        monkeypatch.setattr(holder.twin, "lamps", going_on.wait)
        began = time.monotonic()
        for _ in range(2):  # what it answers at last belongs to nobody
            with pytest.raises(StandFault, match=f"process {os.getpid()}. does not answer"):
                stand.lamps()
            going_on.set()
        assert time.monotonic() - began < 2
    with open_stand("sim://demo") as stand:
        assert stand.wire.ask("KEYS?") == "0"


@pytest.mark.skipif(sys.platform != "linux", reason="this system does not tell when a client leaves")
def test_a_client_finds_nothing_of_the_one_before() -> None:
    with Holder("live") as holder:
        # Far more than the table sends in this time; what it has not begun to answer would take it half a minute.
        with serial.Serial(holder.entry.port, timeout=0.1) as greedy:
            greedy.write(b"DISP:DATA?\n" * 400)
            began = time.monotonic()
            while time.monotonic() - began < 1:
                greedy.read(100)
        while holder.twin.port.patience is None:  # it has not noticed yet
            time.sleep(0.01)
        began = time.monotonic()
        for url in ("sim://live", holder.entry.port):
            with open_stand(url) as stand:
                assert stand.wire.ask("SYST:VERS?") == "1999.0"
        assert time.monotonic() - began < 4


def test_a_client_that_writes_and_leaves_at_once_is_heard(holder: Holder) -> None:
    for _ in range(3):
        with open(holder.entry.port, "wb", buffering=0) as port:
            port.write(b"SAVE\n")
    began = time.monotonic()
    while "record" not in holder.twin.simulator.flash:
        assert time.monotonic() - began < 5
        time.sleep(0.01)


def test_a_click_on_a_machine_that_is_too_slow_is_a_press(monkeypatch: pytest.MonkeyPatch) -> None:
    with Holder("slow", entry=ECHO) as holder:
        twin = holder.twin
        # The wall clock is so far ahead that hardly any virtual time passes between two looks at it.
        instants = iter((twin.now_us() + 300_000, twin.now_us() + 300_001))
        edges: list[tuple[int, bool]] = []
        monkeypatch.setattr(twin, "_now", lambda: next(instants))
        monkeypatch.setattr(twin, "_edge", lambda key, instant, down, bounce: edges.append((instant, down)))
        twin.hold(True, 1)
        twin.hold(False, 1)
        assert [down for _, down in edges] == [True, False]
        assert edges[1][0] - edges[0][0] >= 20_000


def test_a_realtime_table_runs_by_itself() -> None:
    with Holder("live", entry=ECHO) as holder:
        before = holder.twin.now_us()
        with open_stand("sim://live") as stand:
            assert "clock" not in stand.capabilities
            stand.press("HIT", 50)
            assert stand.wire.ask("*IDN?").startswith("Holecard,")
        assert holder.twin.now_us() - before >= 80_000
