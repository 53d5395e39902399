"""Cases on several tables at once."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.host.test_cli import CASES as FOLDER
from tests.host.test_cli import invoke

from holecard_host.cases.model import load
from holecard_host.cases.several import run_on_several
from holecard_host.cli import cases as command
from holecard_host.errors import StandFault
from holecard_host.stands import Stand, open_stand
from holecard_host.transcript import read

CASES = load(FOLDER / "sifl.json")[:7]


def test_the_verdicts_come_in_the_order_of_the_cases() -> None:
    verdicts = list(run_on_several(lambda: open_stand("sim://cpython"), CASES, count=3))
    assert [(verdict.id, verdict.passed) for verdict in verdicts] == [(case.id, True) for case in CASES]


def test_a_lost_stand_ends_the_run() -> None:
    def none() -> Stand:
        raise StandFault("there is no stand")

    with pytest.raises(StandFault, match="no stand"):
        list(run_on_several(none, CASES, count=2))


def test_whoever_stops_listening_stops_the_tables() -> None:
    verdicts = run_on_several(lambda: open_stand("sim://cpython"), CASES, count=2)
    assert next(verdicts).passed
    verdicts.close()


def test_a_transcript_holds_every_case(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(command, "open_stand", lambda url: open_stand("sim://cpython"))
    monkeypatch.setattr("os.cpu_count", lambda: 4)
    file = FOLDER / "sifl.json"
    path = tmp_path / "all.jsonl"
    assert invoke("cases", str(file), "--on", "rp2040://", "--record", str(path)).exit_code == 0
    shoes = [deed for deed in read.load(path).deeds if deed.line.startswith("BENC:SHOE")]
    assert len(shoes) == len(load(file))
