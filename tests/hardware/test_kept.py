"""A simulated table whose flash lies in a directory, as files."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.hardware.support import INTERPRETERS

from holecard_host.errors import StandFault, UsageFault
from holecard_host.stands import open_stand
from holecard_host.twin.kept import MARK, KeptFlash


@contextlib.contextmanager
def kept(folder: Path) -> Iterator[KeptFlash]:
    with contextlib.closing(KeptFlash(folder)) as flash:
        yield flash


@pytest.mark.parametrize("interpreter", INTERPRETERS)
def test_an_open_round_outlasts_the_program(interpreter: str, tmp_path: Path) -> None:
    states = []
    for wanted in (True, False):
        with kept(tmp_path) as flash, open_stand(f"sim://{interpreter}", keep=flash, seed="17") as stand:
            if wanted:
                stand.wire.command("ROUN:BET 0,25;DEAL")
                stand.wire.ask("*OPC?")
            states.append(stand.wire.ask_record("TABL:STAT?"))
    assert states[0]["phase"] == "playing"
    assert states[0] == states[1]
    assert (tmp_path / "a").is_dir()


def test_it_holds_what_the_simulator_would_hold_in_memory(tmp_path: Path) -> None:
    with kept(tmp_path) as flash, open_stand("sim://cpython", keep=flash) as one, open_stand("sim://cpython") as other:
        for stand in (one, other):
            for line in ("ROUN:BET 0,5;DEAL", "*RST"):
                stand.wire.command(line)
                stand.wire.ask("*OPC?")
        assert dict(flash) == dict(other.twin.simulator.flash)  # type: ignore[attr-defined]


def test_a_file_that_is_changed_between_two_starts_is_what_the_table_finds(tmp_path: Path) -> None:
    with kept(tmp_path) as flash, open_stand("sim://cpython", keep=flash) as stand:
        stand.wire.command("ROUN:BET 0,5;DEAL")
        stand.wire.ask("*OPC?")
        stand.cut()
        for name in list(flash):
            if name.endswith("hot"):
                (tmp_path / name).write_bytes(b"damaged")
        stand.restore()
        stand.wire.command("*CLS")  # the lock has put an error there
        assert stand.wire.ask_record("TABL:AUD?")["locked"] == "record damaged"


def test_as_a_mapping(tmp_path: Path) -> None:
    with kept(tmp_path / "new" / "one") as flash:
        assert dict(flash) == {}
        flash["a/"] = b""
        flash["a/x"] = b"1"
        flash["a/x"] = b"2"
        flash["y"] = b"3"
        flash["z"] = flash.pop("y")
        assert dict(flash) == {"a/": b"", "a/x": b"2", "z": b"3"}
        del flash["a/x"], flash["a/"]
        assert list(flash) == ["z"]
        for gone in ("y", "a/x", "a/"):
            with pytest.raises(KeyError):
                del flash[gone]


@pytest.mark.parametrize("name", ["../x", "/x", "a/../../x", "", ".", MARK, "a//b"])
def test_no_name_leads_out_of_it(name: str, tmp_path: Path) -> None:
    with kept(tmp_path / "flash") as flash, pytest.raises(StandFault, match="cannot be a file of a simulated table"):
        flash[name] = b"x"
    assert [path.name for path in tmp_path.rglob("*")] == ["flash", MARK]


def test_two_tables_cannot_share_one(tmp_path: Path) -> None:
    with kept(tmp_path), pytest.raises(StandFault, match="another simulated table keeps its flash there"):
        KeptFlash(tmp_path)
    KeptFlash(tmp_path).close()


def test_somebody_elses_directory_is_left_alone(tmp_path: Path) -> None:
    (tmp_path / "letter.txt").write_text("dear")
    with pytest.raises(UsageFault, match="has files in it and no table's among them"):
        KeptFlash(tmp_path)
    assert [path.name for path in tmp_path.iterdir()] == ["letter.txt"]


def test_what_is_larger_than_a_flash_is_refused(tmp_path: Path) -> None:
    KeptFlash(tmp_path).close()
    (tmp_path / "film").write_bytes(bytes(352 * 4096 + 1))
    with pytest.raises(UsageFault, match="more than the flash of a table holds"):
        KeptFlash(tmp_path)


def test_a_disk_that_fills_up_ends_the_table_with_the_reason(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with kept(tmp_path) as flash, open_stand("sim://cpython", keep=flash) as stand:

        def full(*_: object) -> None:
            raise OSError(28, "No space left on device")

        before = {name: data for name, data in flash.items() if name.endswith("hot")}
        monkeypatch.setattr(Path, "write_bytes", full)
        with pytest.raises(StandFault, match="cannot be written: No space left on device"):
            stand.wire.command("ROUN:BET 0,5;DEAL")
            stand.wire.ask("*OPC?")
        assert {name: data for name, data in flash.items() if name.endswith("hot")} == before
