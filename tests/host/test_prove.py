"""`holecard prove` keeps a log that `holecard verify` accepts, and says so when it has missed something."""

from __future__ import annotations

import io
import os
from pathlib import Path
from typing import Any

import pytest
from tests.hardware.faults import on_simulated, opened
from typer.testing import CliRunner

from holecard_host import verify as checker
from holecard_host.cli.app import app
from holecard_host.errors import UsageFault
from holecard_host.prove import Follower, Gap, PublicLog

HEAD = ["HCL1"]
SHOES = [
    line.replace("X", "0" * 64)
    for line in ("commit 1 X sifl", "cut 1 - -", "round 1 1 HC1 a", "reveal 1 X 1", "commit 2 X sifl", "reveal 2 X 0")
]


def run(*arguments: str) -> tuple[int, str, str]:
    done = CliRunner().invoke(app, [*arguments])
    return done.exit_code, done.stdout, done.stderr


@on_simulated
@pytest.mark.promise(43)
def test_promise_43_holecard_verify_accepts_an_evening(url: str, tmp_path: Path) -> None:
    """Both games, keys and commands, stacked rounds, a power cut, a reset, a number of the host in every cut."""
    path = tmp_path / "evening.log"
    with opened(url) as stand:
        stand.wire.command("DISP:ANIM OFF")
        log = PublicLog(path)
        follower = Follower(stand.wire, log, cut=True)
        follower.step(first=True)

        def rounds(count: int) -> None:
            for _ in range(count):
                stand.press("HIT")
                while stand.wire.ask_record("TABL:STAT?")["phase"] in ("playing", "insurance"):
                    stand.press("STAND")
                stand.wire.ask("*OPC?")
                follower.step()

        rounds(4)
        stand.wire.command("BENC:RUL casino;:BENC:SEAT 2;:ROUN:BET 0,10;BET 1,10")
        follower.step()
        stand.wire.command("ROUN:DEAL;*OPC?")
        # A new table of the bench forgets the rounds of the old one.
        follower.step()
        stand.wire.command("BENC:SEAT 1")
        follower.step()
        stand.wire.command("ROUN:BET 0,10")
        rounds(3)
        stand.press("BET")
        stand.wire.command('BENC:SHOE "10,10,10,7"')
        rounds(1)
        stand.cut()
        stand.restore()
        stand.wire.command("DISP:ANIM OFF")
        log.close()
        log = PublicLog(path)
        follower = Follower(stand.wire, log, cut=True)
        follower.step(first=True)
        rounds(2)
        log.close()
    report = checker.verify(path)
    assert report.wrong is None, path.read_text()
    assert sum(shoe.rounds for shoe in report.shoes) >= 9
    assert {checker.PROVEN, checker.OPEN} <= {shoe.state for shoe in report.shoes}
    cuts = [line.split() for line in path.read_text().splitlines() if line.startswith("cut")]
    assert len({words[3] for words in cuts}) == len(cuts), "every cut has a number of its own"
    assert all(len(words[3]) == 32 for words in cuts)
    assert run("verify", str(path))[0] == 0


def test_what_it_writes_comes_in_order_and_once(tmp_path: Path) -> None:
    log = PublicLog(tmp_path / "log")
    assert log.add(HEAD, reversed(SHOES)) == HEAD + SHOES
    assert log.add(HEAD, SHOES) == []
    log.close()
    again = PublicLog(tmp_path / "log")
    assert again.add(["HCL1", "chain 1 " + "0" * 64], SHOES[3:]) == []
    assert again.add(HEAD, ["commit 3 " + "1" * 64 + " sifl"]) != []


def test_a_log_that_begins_later_says_what_it_goes_on_from(tmp_path: Path) -> None:
    log = PublicLog(tmp_path / "log")
    head = ["HCL1", "chain 1 " + "0" * 64]
    assert log.add(head, SHOES) == head + SHOES[4:]


@pytest.mark.parametrize("missing", range(1, len(SHOES) - 1))
def test_a_gap_is_told_and_what_was_written_stays(tmp_path: Path, missing: int) -> None:
    log = PublicLog(tmp_path / "log")
    log.add(HEAD, SHOES[:missing])
    with pytest.raises(Gap, match="was missed"):
        log.add(HEAD, SHOES[missing + 1 :])
    assert (tmp_path / "log").read_text().splitlines() == HEAD + SHOES[:missing]


def test_a_torn_last_line_is_written_again(tmp_path: Path) -> None:
    path = tmp_path / "log"
    path.write_text("\n".join(HEAD + SHOES[:2]) + "\nround 1 1 HC")
    log = PublicLog(path)
    log.add(HEAD, SHOES)
    assert path.read_text().splitlines() == HEAD + SHOES


@pytest.mark.parametrize("content", [b"something else\n", b"\xff\xfe\x00", b"HCL2\n"])
def test_no_other_file_is_written_to(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "notes"
    path.write_bytes(content)
    with pytest.raises(UsageFault, match="is no log"):
        PublicLog(path)
    assert path.read_bytes() == content


@pytest.mark.parametrize("name", ["/dev/full", "pipe", "x" * 300])
def test_what_can_hold_no_log_is_refused_at_once(name: str, tmp_path: Path) -> None:
    if name == "pipe":
        os.mkfifo(tmp_path / name)
    code, out, err = run("prove", "sim://no-such-table", str(tmp_path / name), "--once")
    assert (code, out, err.count("\n")) == (2, "", 1)


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="this system has no /dev/full")
def test_a_full_disk_is_told_with_the_name_of_the_log_and_leaves_no_empty_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "evening.log"
    opening = Path.open

    def full(self: Path, *arguments: Any, **named: Any) -> Any:
        if self != path:
            return opening(self, *arguments, **named)
        opening(self, *arguments, **named).close()
        file = io.StringIO()
        disk = opening(Path("/dev/full"), "w")
        for name in ("write", "flush", "fileno", "close"):
            setattr(file, name, getattr(disk, name))
        return file

    monkeypatch.setattr(Path, "open", full)
    code, out, err = run("prove", "sim://cpython", str(path), "--once")
    assert (code, err) == (74, f"holecard: {path}: No space left on device\n")
    assert "verify" not in out
    assert not path.exists()


def test_the_command_says_what_it_wrote(tmp_path: Path) -> None:
    path = tmp_path / "evening.log"
    code, out, _ = run("prove", "sim://cpython", str(path), "--once")
    assert code == 0
    assert "shoe 1: promised #" in out
    assert f"holecard verify {path}" in out
    assert run("verify", str(path))[1].startswith("shoe 1, sifl")
    code, _, err = run("prove", "sim://cpython", str(tmp_path), "--once")
    assert (code, err.count("\n")) == (2, 1)
    code, _, err = run("prove", "sim://cpython", str(path), "--once")
    assert code in (0, 1)
