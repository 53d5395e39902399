"""One lock per table: who has it, how long, and what happens when that program dies, stops, or is another user's."""

from __future__ import annotations

import contextlib
import json
import os
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.host.nobody import as_nobody, root_only

from holecard_host import locks
from holecard_host.errors import StandFault
from holecard_host.wire import Wire

pwd = pytest.importorskip("pwd", reason="Windows has no pseudo-terminals")
pytestmark = pytest.mark.skipif(os.name == "nt", reason="Windows has no pseudo-terminals")

_HOLD = (
    "import sys, time\n"
    "from holecard_host import locks\n"
    "locks.hold(sys.argv[1], purpose='soak test', seconds=float(sys.argv[2]))\n"
    "print('held', flush=True)\n"
    "time.sleep(60)\n"
)


@pytest.fixture
def folder(monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A folder of this test's own, like /tmp."""
    # Not below tmp_path, which only its own user can enter.
    path = Path(tempfile.mkdtemp(prefix="locks-", dir="/tmp"))
    path.chmod(0o1777)
    monkeypatch.setenv("HOLECARD_LOCKS", str(path))
    yield path
    shutil.rmtree(path)


def other_process(url: str, seconds: float = 60) -> subprocess.Popen[str]:
    """A process that holds the lock of a table."""
    process = subprocess.Popen([sys.executable, "-c", _HOLD, url, str(seconds)], stdout=subprocess.PIPE, text=True)
    assert process.stdout is not None
    assert process.stdout.readline() == "held\n"
    return process


def end(process: subprocess.Popen[str], number: int = signal.SIGKILL) -> None:
    process.send_signal(number)
    process.communicate(timeout=10)


def at_once(url: str, count: int) -> list[locks.Lock]:
    """So many threads want the same table: what they got."""
    held: list[locks.Lock] = []

    def grab() -> None:
        with contextlib.suppress(StandFault):
            lock = locks.hold(url)
            assert lock is not None
            held.append(lock)

    threads = [threading.Thread(target=grab) for _ in range(count)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return held


def test_the_message_names_the_holder(folder: Path, port: str) -> None:
    process = other_process(port)
    try:
        with pytest.raises(StandFault) as fault:
            Wire(port, "sim://demo")
        user = pwd.getpwuid(os.getuid()).pw_name
        told = (
            rf"sim://demo is in use by process {process.pid} \(python\) of {user} for soak test, since \d\d:\d\d:\d\d"
        )
        assert fault.match(f"^{told}$")
        found = locks.look(port)
        assert found is not None
        assert (found.pid, found.user, found.host) == (process.pid, user, socket.gethostname())
        assert not found.stale
    finally:
        end(process)


def test_a_lock_ends_with_a_process_that_is_killed(folder: Path, port: str) -> None:
    end(other_process(port))
    assert locks.look(port) is None
    lock = locks.hold(port)
    assert lock is not None
    lock.release()


def test_a_lock_that_is_released_leaves_nothing(folder: Path, port: str) -> None:
    Wire(port).close()
    assert list(folder.iterdir()) == []


def test_a_second_wire_of_the_same_process_is_refused(folder: Path, port: str) -> None:
    wire = Wire(port)
    with pytest.raises(StandFault, match=f"in use by process {os.getpid()} "):
        Wire(port)
    wire.close()
    Wire(port).close()


def test_every_name_of_a_port_is_the_same_table(folder: Path, port: str, tmp_path: Path) -> None:
    link = tmp_path / "by-id"
    link.symlink_to(port)
    assert locks.path_for(str(link)) == locks.path_for(port)
    lock = locks.hold(str(link))
    with pytest.raises(StandFault, match="in use by"):
        locks.hold(port)
    assert lock is not None
    lock.release()


def test_a_socket_is_locked_too(folder: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:
        url = f"socket://127.0.0.1:{server.getsockname()[1]}"
        wire = Wire(url)
        with pytest.raises(StandFault, match="in use by process"):
            Wire(url)
        wire.close()


def test_a_port_that_cannot_be_opened_stays_free(folder: Path, tmp_path: Path) -> None:
    plain = tmp_path / "plain"
    plain.touch()
    with pytest.raises(StandFault, match="is no serial port"):
        Wire(str(plain))
    assert list(folder.iterdir()) == []
    assert locks.path_for("/dev/ttyNONE") is None


def test_a_stopped_process_loses_its_table_and_is_told(folder: Path, port: str) -> None:
    lock = locks.hold(port, "first", seconds=0.8)
    assert lock is not None
    with pytest.raises(StandFault, match="in use by"):
        locks.hold(port)
    time.sleep(0.6)
    stale = locks.look(port)
    assert stale is not None
    assert stale.stale
    assert "silent for" in str(stale)
    second = locks.hold(port, "second")
    assert second is not None
    time.sleep(0.1)
    with pytest.raises(StandFault, match=rf"first was silent for too long and now belongs to process {os.getpid()}"):
        lock.renew()
    lock.release()
    assert locks.look(port) is not None, "the old holder must not let go of the new one's lock"
    second.release()


_OPEN = (
    "import os, sys, time\n"
    "from holecard_host import locks\n"
    "lock = locks.hold(sys.argv[1], purpose='debugging', seconds=0.01)\n"
    "port = os.open(sys.argv[1], os.O_RDWR | os.O_NOCTTY)\n"
    "print('held', flush=True)\n"
    "sys.stdin.readline()\n"
    "lock.renew()\n"
)


@pytest.mark.skipif(not Path("/proc/self/fd").exists(), reason="only Linux tells who has a port open")
def test_who_has_the_port_open_keeps_a_stale_lock_and_goes_on(folder: Path, port: str) -> None:
    process = subprocess.Popen(
        [sys.executable, "-c", _OPEN, port], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    )
    assert process.stdout is not None
    assert process.stdout.readline() == "held\n"
    time.sleep(0.05)
    for _ in range(2):
        with pytest.raises(StandFault, match=rf"in use by process {process.pid} .* for debugging, .* silent for"):
            Wire(port)
    process.communicate("go on\n", timeout=10)
    assert process.returncode == 0, "it must be able to go on with what it has"


def test_only_one_of_many_takes_over_a_stale_lock(folder: Path, port: str, monkeypatch: pytest.MonkeyPatch) -> None:
    stopped = locks.hold(port, seconds=0.01)
    assert stopped is not None
    time.sleep(0.05)
    replace = os.replace

    def slowly(*names: str) -> None:
        time.sleep(0.05)  # so that all of them have seen the stale lock before one replaces it
        replace(*names)

    monkeypatch.setattr(os, "replace", slowly)
    held = at_once(port, 4)
    assert len(held) == 1
    held[0].release()
    stopped.release()
    assert list(folder.iterdir()) == []


def test_a_lock_is_renewed_after_the_computer_has_slept(
    folder: Path, port: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    lock = locks.hold(port)
    assert lock is not None
    now = time.time() + 10_000  # the other clock stands still meanwhile
    monkeypatch.setattr(time, "time", lambda: now)
    found = locks.look(port)
    assert found is not None
    assert found.stale
    lock.renew()
    found = locks.look(port)
    assert found is not None
    assert not found.stale
    lock.release()


def test_requests_renew_a_lock(folder: Path, port: str, monkeypatch: pytest.MonkeyPatch) -> None:
    lock = locks.hold(port, seconds=0.4)
    assert lock is not None
    until = lock.holder.until
    lock.renew()
    assert lock.holder.until == until, "not with every request"
    time.sleep(0.15)
    lock.renew()
    assert lock.holder.until > until
    found = locks.look(port)
    assert found is not None
    assert found.until == lock.holder.until
    lock.release()


def test_only_one_of_many_gets_it(folder: Path, port: str) -> None:
    held = at_once(port, 8)
    assert len(held) == 1
    held[0].release()


@pytest.mark.parametrize("trap", ["symlink", "dangling", "hardlink", "fifo", "folder"])
def test_a_trap_in_the_folder_is_not_written_to(folder: Path, port: str, tmp_path: Path, trap: str) -> None:
    victim = tmp_path / "victim"
    victim.write_text("precious")
    path = locks.path_for(port)
    assert path is not None
    if trap == "symlink":
        path.symlink_to(victim)
    elif trap == "dangling":
        path.symlink_to(tmp_path / "new")
    elif trap == "hardlink":
        os.link(victim, path)
    elif trap == "fifo":
        os.mkfifo(path)
    else:
        path.mkdir()
    with pytest.raises(StandFault, match="no lock can be kept in"):
        locks.hold(port)
    assert victim.read_text() == "precious"
    assert not (tmp_path / "new").exists()


@pytest.mark.parametrize(
    "content",
    ["", "{", "[]", "null", "7", '{"pid": "x"}', '{"user":"\\u001b[2J","pid":1,"host":"","command":"","purpose":"",'
     '"since":1e300,"until":0}', "\x00" * 5000],
)  # fmt: skip
def test_what_others_wrote_into_a_lock_is_not_trusted(folder: Path, port: str, content: str) -> None:
    path = locks.path_for(port)
    assert path is not None
    path.write_text(content)
    lock = locks.hold(port)
    assert lock is not None
    lock.release()


def test_a_name_that_would_move_the_cursor_is_shown_harmlessly() -> None:
    holder = locks.Holder("\x1b[2Jeve", 7, "host", "cmd\n", "", time.time(), time.time() + 9)
    assert "\x1b" not in str(holder)
    assert "\n" not in str(holder)


def test_a_folder_that_others_can_write_to_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    tmp_path.chmod(0o777)
    monkeypatch.setenv("HOLECARD_LOCKS", str(tmp_path))
    with pytest.raises(StandFault, match="is no folder for locks"):
        locks.folder()
    link = tmp_path / "link"
    link.symlink_to("/tmp")
    monkeypatch.setenv("HOLECARD_LOCKS", str(link))
    with pytest.raises(StandFault, match="is no folder for locks"):
        locks.folder()


@root_only
def test_another_users_lock_holds_and_names_him(folder: Path, port: str) -> None:
    with as_nobody(lambda: locks.hold(port)) as (pid, told):
        assert told == "done"
        with pytest.raises(StandFault, match=f"in use by process {pid} .* of nobody"):
            locks.hold(port)
    lock = locks.hold(port)  # in the file that the other user has made
    assert lock is not None
    lock.release()


@root_only
def test_another_user_can_lock_after_this_one_and_cannot_take_over(folder: Path, port: str) -> None:
    lock = locks.hold(port, seconds=0.1)
    assert lock is not None
    time.sleep(0.2)
    with as_nobody(lambda: locks.hold(port)) as (_, told):
        assert "silent for" in told, "a stale lock whose holder lives goes to its own user only"
    lock.release()
    with as_nobody(lambda: locks.hold(port)) as (_, told):
        assert told == "done"


def test_a_lock_can_be_told_what_it_is_for(folder: Path, port: str) -> None:
    lock = locks.hold(port)
    assert lock is not None
    lock.tell(purpose="test_deal")
    found = locks.look(port)
    assert found is not None
    assert found.public()["purpose"] == "test_deal"
    assert "token" not in found.public()
    assert json.dumps(found.public())
    lock.release()
