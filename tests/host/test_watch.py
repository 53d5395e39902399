"""`holecard watch`: what is seen of a table beside whoever uses it, and that it disturbs nobody."""

from __future__ import annotations

import json
import os
import queue
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from tests.host.processes import heard, rest
from tests.host.test_cli import COMMAND, holecard, one_line

from holecard_host import locks
from holecard_host.errors import StandFault, UsageFault
from holecard_host.picture import Picture
from holecard_host.stands import open_stand
from holecard_host.twin.holder import Holder
from holecard_host.watching import Watcher
from holecard_host.wire import Wire
from holecard_host.wiretap import view

pytestmark = pytest.mark.skipif(os.name == "nt", reason="Windows has no pseudo-terminals")
SECONDS = 15


class Seen:
    """What a watcher delivers."""

    def __init__(self, url: str) -> None:
        self.items: list[Any] = []
        self._came: queue.Queue[Any] = queue.Queue()
        self.watcher = Watcher(url, self._came.put)
        self.watcher.start()

    def until(self, wanted: Callable[[dict[str, Any]], object], meanwhile: Callable[[], object] = lambda: None) -> Any:
        """The first item from now on that is `wanted`; `meanwhile` is done again and again."""
        deadline = time.monotonic() + SECONDS
        while time.monotonic() < deadline:
            meanwhile()
            try:
                item = self._came.get(timeout=0.05)
            except queue.Empty:
                continue
            self.items.append(item)
            if isinstance(item, Exception):
                if wanted({"fault": item}):
                    return item
                raise item
            if wanted(item):
                return item
        raise AssertionError(f"not seen in {SECONDS} s: {self.items[-20:]}")


@pytest.fixture
def holder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Holder]:
    monkeypatch.setenv("XDG_RUNTIME_DIR", str(tmp_path))
    with Holder("seen") as holder:
        yield holder


@pytest.fixture
def look() -> Iterator[Callable[[str], Seen]]:
    opened: list[Seen] = []

    def make(url: str) -> Seen:
        opened.append(Seen(url))
        return opened[-1]

    yield make
    for one in opened:
        one.watcher.stop()


def has(name: str) -> Callable[[dict[str, Any]], bool]:
    return lambda item: name in item


def test_a_table_that_nobody_uses_is_asked_by_the_watcher_itself(holder: Holder, look: Callable[[str], Seen]) -> None:
    seen = look("sim://seen")
    assert seen.until(has("from"))["from"] == "this program"
    assert seen.until(has("meters"))["meters"]["rounds"] == 0
    assert 0 < seen.until(lambda item: "loop" in item)["loop"] < 1_000_000
    holder.twin.press(0)
    event = seen.until(lambda item: '"event": "bet"' in item.get("line", ""))
    assert event["line"].startswith("!EVT ")
    picture = [item["picture"] for item in seen.items if "picture" in item][-1]
    assert Picture.from_hex(picture).lit > 100


def test_a_test_that_runs_is_seen_through_its_own_program(holder: Holder, look: Callable[[str], Seen]) -> None:
    with open_stand("sim://seen") as stand:
        seen = look("sim://seen")
        told = seen.until(has("from"))["from"]
        assert told.startswith(f"process {os.getpid()} ")
        stand.wire.command("SYST:COMM:EVEN ON")
        assert seen.until(has("meters"), lambda: stand.wire.ask("SYST:VERS?"))["meters"]["wagered"] == 0
        seen.until(lambda item: item.get("line") == "SYST:VERS?;:SYST:ERR?", lambda: stand.wire.ask("SYST:VERS?"))
        stand.wire.command("ROUN:BET 0,25")
        seen.until(lambda item: '"event":"bet"' in item.get("line", ""), lambda: stand.wire.ask("SYST:VERS?"))
        # What the watcher wants to know is asked aside: it stands in no log, and takes nothing from the test.
        assert not [item for item in seen.items if "MET?" in item.get("line", "")]
        assert [event.data["event"] for event in stand.wire.take_events()].count("bet") == 1
        with pytest.raises(Exception, match="-113"):
            stand.wire.ask("NONS?")
        assert stand.wire.ask("*OPC?") == "1"


def test_a_port_is_seen_through_whoever_has_it(holder: Holder, look: Callable[[str], Seen]) -> None:
    """As a real one, which has no other way to show its screen."""
    with open_stand(holder.entry.port) as stand:
        seen = look(holder.entry.port)
        ask = lambda: stand.wire.ask("SYST:VERS?")  # noqa: E731
        assert Picture.from_hex(seen.until(has("picture"), ask)["picture"]) == stand.panel()
        assert seen.until(has("lamps"), ask)["lamps"] == stand.lamps()


def test_without_viewers_nothing_more_is_asked(holder: Holder) -> None:
    with open_stand("sim://seen") as stand:
        before = stand.wire.ask_record("TABL:MET?")
        sent: list[bytes] = []
        stand.wire._observers[0].sent = lambda data, aside: sent.append(data)  # type: ignore[method-assign]
        for _ in range(3):
            stand.wire.ask("SYST:VERS?")
        assert len(sent) == 3
        assert stand.wire.ask_record("TABL:MET?") == before


def test_a_watcher_leaves_the_table_to_a_test_and_comes_back(holder: Holder, look: Callable[[str], Seen]) -> None:
    seen = look("sim://seen")
    seen.until(lambda item: item.get("from") == "this program")
    began = time.monotonic()
    with open_stand("sim://seen") as stand:
        assert time.monotonic() - began < 3
        seen.until(lambda item: str(item.get("from", "")).startswith("process"), lambda: stand.wire.ask("*OPC?"))
        assert stand.wire.ask("SYST:COMM:EVEN?") == "0", "what a watcher changes it changes back"
    seen.until(lambda item: item.get("from") == "this program")


def test_several_watchers_leave_it_too(holder: Holder, look: Callable[[str], Seen]) -> None:
    several = [look("sim://seen") for _ in range(3)]
    for one in several:
        one.until(has("from"))
    with open_stand("sim://seen") as stand:
        assert stand.wire.ask("*OPC?") == "1"


def test_whoever_watches_through_a_watcher_sees_everything_too(holder: Holder, look: Callable[[str], Seen]) -> None:
    look(holder.entry.port).until(has("meters"))
    second = look(holder.entry.port)
    assert "process" in second.until(has("from"))["from"]
    for name in ("picture", "lamps", "loop", "meters"):
        assert name in {key for item in second.items for key in item} or second.until(has(name))


def test_who_comes_in_the_middle_of_a_line_gets_none_that_begins_there(
    holder: Holder, look: Callable[[str], Seen]
) -> None:
    with open_stand("sim://seen") as stand:
        tap = stand.wire.tap
        assert tap is not None
        tap.heard(b'{"cut":', False)
        seen = look("sim://seen")

        def go_on() -> None:
            if tap._viewers:
                tap.heard(b"1}\n", False)

        assert seen.until(has("line"), go_on)["line"] == '{"cut":1}'


def test_a_tap_takes_no_wrong_token_and_no_other_place(holder: Holder, tmp_path: Path) -> None:
    with open_stand("sim://seen") as stand:
        found = locks.look(holder.entry.port)
        assert found is not None
        wrong = locks.Holder(**{**vars(found), "token": "0" * 32})
        assert list(view(wrong)) == []
        # What stands in a lock may be another user's trap: only one's own folder is reached into.
        trap = tmp_path / "_wire-7-1.tap"
        with socket.socket(socket.AF_UNIX) as server:
            server.bind(str(trap))
            server.listen()
            server.settimeout(0.3)
            with pytest.raises(StandFault, match="lets nobody watch"):
                list(view(locks.Holder(**{**vars(found), "tap": f"unix:{trap}"})))
            with pytest.raises(TimeoutError):
                server.accept()
        assert stand.wire.ask("*OPC?") == "1"


def test_what_a_killed_program_left_is_cleared_away(holder: Holder, tmp_path: Path) -> None:
    program = (
        "import sys, time; from holecard_host.stands import open_stand\n"
        "stand = open_stand('sim://seen'); print(stand.wire.lock.holder.tap, flush=True); time.sleep(60)"
    )
    process = subprocess.Popen([sys.executable, "-c", program], stdout=subprocess.PIPE, text=True)
    assert process.stdout is not None
    left = Path(process.stdout.readline().strip().removeprefix("unix:"))
    process.kill()
    process.communicate()
    assert left.exists()
    with open_stand("sim://seen"):
        assert not left.exists()
    assert sorted(path.name for path in left.parent.iterdir()) == ["seen.control", "seen.json", "seen.tap"]


def test_a_table_that_ends_ends_the_watch(holder: Holder, look: Callable[[str], Seen]) -> None:
    seen = look("sim://seen")
    seen.until(has("meters"))
    holder.close()
    fault = seen.until(has("fault"))
    assert isinstance(fault, StandFault)


@pytest.mark.parametrize(
    ("url", "why"),
    [
        ("sim://cpython", "is a new table for every command"),
        ("rp2040://", "is a new table for every command"),
        ("file://x", "cannot be watched"),
        ("socket://host", "the port is missing"),
    ],
)
def test_what_cannot_be_watched(url: str, why: str) -> None:
    with pytest.raises(UsageFault, match=why):
        Watcher(url, print)


# -- the command


@pytest.fixture
def table(tmp_path: Path) -> Iterator[dict[str, str]]:
    """The environment in which sim://seen runs, in a process of its own."""
    environment = {**os.environ, "XDG_RUNTIME_DIR": str(tmp_path)}
    process = subprocess.Popen([*COMMAND, "sim", "--name", "seen"], stdout=subprocess.PIPE, text=True, env=environment)
    heard(process, "Ctrl-C")
    yield environment
    process.send_signal(signal.SIGTERM)
    rest(process)


def test_without_a_terminal_it_prints_lines_or_json_and_records(table: dict[str, str], tmp_path: Path) -> None:
    path = tmp_path / "seen.jsonl"
    result = holecard("watch", "sim://seen", "--for", "2", "--record", str(path), env=table)
    assert (result.returncode, result.stderr) == (0, "")
    assert "seen through this program" in result.stdout
    assert "Place your bets." in result.stdout
    kept = [json.loads(line) for line in path.read_text().splitlines()]
    assert {"picture", "meters", "loop", "from"} <= {name for record in kept for name in record}
    result = holecard("watch", "sim://seen", "--for", "2", "--json", env=table)
    items = [json.loads(line) for line in result.stdout.splitlines()]
    assert {"picture", "lamps", "meters", "loop", "from"} <= {name for item in items for name in item}
    assert all("t" in item for item in items)


def test_devices_tell_who_has_a_table(table: dict[str, str]) -> None:
    process = subprocess.Popen(
        [*COMMAND, "watch", "sim://seen"], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=table
    )
    try:
        heard(process, "meters")
        found = next(
            item for item in json.loads(holecard("devices", "--json", env=table).stdout) if item["port"] == "sim://seen"
        )
        assert found["status"] == "busy"
        assert (found["lock"]["pid"], found["lock"]["command"]) == (process.pid, "holecard watch")
        assert found["lock"]["stale"] is False
        shown = holecard("devices", env=table).stdout
        assert f"in use by process {process.pid} (holecard watch)" in shown
        # A test gets it all the same.
        assert holecard("query", "sim://seen", "*OPC?", env=table).stdout == "1\n"
    finally:
        process.send_signal(signal.SIGINT)
        _, errors = rest(process)
    assert (process.returncode, errors) == (130, "")


def test_a_full_disk_ends_the_record_and_not_the_watch(table: dict[str, str]) -> None:
    if not os.path.exists("/dev/full"):
        pytest.skip("this system has no /dev/full")
    result = holecard("watch", "sim://seen", "--for", "1", "--record", "/dev/full", env=table)
    assert result.returncode == 74
    assert "Place your bets." in result.stdout
    assert "/dev/full: No space left on device" in one_line(result.stderr)


@pytest.mark.parametrize("url", ["/dev/ttyNONE", "sim://nobody", "socket://127.0.0.1:1"])
def test_a_table_that_is_not_there_is_one_line(url: str) -> None:
    result = holecard("watch", url)
    assert (result.returncode, result.stdout) == (3, "")
    assert one_line(result.stderr).startswith("holecard: ")


def test_a_port_that_a_strange_program_has_is_told(holder: Holder) -> None:
    import serial  # noqa: PLC0415

    with serial.Serial(holder.entry.port, exclusive=True):
        watcher = Watcher(holder.entry.port, print)
        with pytest.raises(StandFault, match=f"in use by process {os.getpid()}"):
            watcher._look()
    Wire(holder.entry.port).close()
