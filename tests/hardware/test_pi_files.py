"""The records of a Raspberry Pi on a disk that forgets what was not brought onto it, and a cut at every operation."""

from __future__ import annotations

import importlib
import sys
from collections.abc import Iterator
from typing import Any

import pytest

from holecard_host.twin.device.pi import disk as disks

OLD, NEW = b"the old record " * 8, b"the new one " * 9


class PowerCut(Exception):
    pass


class Power:
    """What a disk needs of a simulator: it keeps what is on the disk, and fails after so many operations."""

    def __init__(self, kind: str, kept: dict[str, bytes], left: int = -1) -> None:
        flash = {name: data.hex() for name, data in kept.items()}
        self.machine = {"flash": flash, "disk": kind, "seed": "0"}
        self.on_disk = dict(kept)
        self.left = left
        self.operations = 0

    def spend(self, us: int) -> None:
        pass

    def operate(self, us: int) -> None:
        if self.operations == self.left:
            raise PowerCut
        self.operations += 1

    def kept(self, text: str) -> None:
        what, name, *more = text.split(" ")
        if what == "write":
            self.on_disk[name] = bytes.fromhex(more[0])
        else:
            del self.on_disk[name]


class NoLock:
    LOCK_EX = LOCK_NB = 0

    @staticmethod
    def flock(handle: int, operation: int) -> None:
        pass


@pytest.fixture
def files(monkeypatch: pytest.MonkeyPatch) -> Iterator[Any]:
    """Makes the board's Files on such a disk."""
    monkeypatch.delitem(sys.modules, "holecard.boards.raspberry_pi_files", raising=False)
    monkeypatch.setitem(sys.modules, "fcntl", NoLock)  # Windows has none
    module = importlib.import_module("holecard.boards.raspberry_pi_files")

    def make(power: Power) -> Any:
        monkeypatch.setattr(module, "os", disks.Disk(power))
        return module.Files(disks.FOLDER)

    yield make
    sys.modules.pop("holecard.boards.raspberry_pi_files", None)


def cuts(files: Any, kind: str, kept: dict[str, bytes], name: str) -> list[tuple[bytes | None, bool]]:
    """What a table finds at its next start, (record, whether anything was ever kept), for a cut at each operation."""
    found = []
    while True:
        power = Power(kind, kept)
        table = files(power)
        power.left = power.operations + len(found)
        try:
            table.save(name, NEW)
            whole = True
        except PowerCut:
            whole = False
        again = files(Power(kind, power.on_disk))
        found.append((again.load(name), again.kept()))
        # Another save must find its way whatever the first one has left behind.
        again.save(name, OLD + NEW)
        assert again.load(name) == OLD + NEW
        if whole:
            assert found[-1] == (NEW, True)
            return found


@pytest.mark.fault(21)
@pytest.mark.parametrize("kind", disks.KINDS)
@pytest.mark.parametrize("name", ["hot", "a/hot"])
def test_fault_21_a_cut_at_every_operation_of_the_disk_leaves_the_old_or_the_new_bytes(
    files: Any, kind: str, name: str
) -> None:
    found = cuts(files, kind, {name: OLD, "mark": b"bench kept"}, name)
    assert len(found) > 4
    records = [record for record, _ in found]
    assert set(records) == {OLD, NEW}
    # Once new, it stays new: no later step takes it back.
    assert records == sorted(records, reverse=True)


@pytest.mark.fault(21)
@pytest.mark.parametrize("kind", disks.KINDS)
def test_fault_21_a_cut_at_the_first_record_leaves_nothing_or_all_of_it(files: Any, kind: str) -> None:
    found = cuts(files, kind, {}, "a/hot")
    assert {record for record, _ in found} == {None, NEW}
    # The mark never tells of a record that never was.
    assert all(record == NEW for record, marked in found if marked)


@pytest.mark.parametrize("left_out", ["file", "folder"])
def test_without_either_fsync_a_cut_would_lose_something(
    files: Any, left_out: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """That these tests can fail: the two calls that matter, each left out."""
    whole = disks.Disk.fsync

    def fsync(disk: disks.Disk, handle: int) -> None:
        is_folder = isinstance(disk._open[handle][0], str)
        if is_folder != (left_out == "folder"):
            whole(disk, handle)

    monkeypatch.setattr(disks.Disk, "fsync", fsync)
    lost = []
    for kind in disks.KINDS:
        power = Power(kind, {"hot": OLD, "mark": b"bench kept"})
        files(power).save("hot", NEW)
        lost.append(power.on_disk["hot"])
    assert b"" in lost if left_out == "file" else OLD in lost


def test_a_record_that_does_not_fit_leaves_the_old_one(files: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    power = Power("late", {"hot": OLD, "mark": b"bench kept"})
    table = files(power)

    def full(disk: disks.Disk, handle: int, data: bytes) -> int:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(disks.Disk, "write", full)
    with pytest.raises(OSError, match="No space left"):
        table.save("hot", NEW)
    assert table.load("hot") == OLD
    assert set(power.on_disk) == {"hot", "mark"}


@pytest.mark.parametrize(
    ("mark", "mode", "kept"),
    [
        (None, "bench", False),
        (b"bench", "bench", False),
        (b"arcade kept", "arcade", True),
        (b"bench kept", "bench", True),
        (b"", None, True),
        (b"\xff\xfe", None, True),
    ],
)
def test_the_mark_tells_the_last_mode_and_whether_there_were_records(
    files: Any, mark: bytes | None, mode: str | None, kept: bool
) -> None:
    """One that cannot be read is no mark of a first day."""
    table = files(Power("late", {} if mark is None else {"mark": mark}))
    assert (table.mode, table.kept()) == (mode, kept)


def test_a_mark_that_the_disk_did_not_take_is_made_with_the_next_record(
    files: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    whole, full = disks.Disk.replace, [True]

    def replace(disk: Any, source: str, target: str) -> None:
        if full[0] and target.endswith("mark"):
            raise OSError(28, "No space left on device")
        whole(disk, source, target)

    monkeypatch.setattr(disks.Disk, "replace", replace)
    power = Power("late", {})
    table = files(power)
    with pytest.raises(OSError, match="No space"):
        table.save("a/hot", NEW)
    full[0] = False
    table.save("a/hot", OLD)
    assert files(Power("late", power.on_disk)).kept()


def test_the_mode_of_the_last_start_outlasts_a_cut(files: Any) -> None:
    power = Power("late", {})
    files(power).turn("arcade")
    assert files(Power("late", power.on_disk)).mode == "arcade"
