"""Cases on several tables at once."""

from __future__ import annotations

from pathlib import Path

import pytest

from holecard_host.cases.model import load
from holecard_host.cases.several import run_on_several
from holecard_host.errors import StandFault
from holecard_host.stands import Stand, open_stand

CASES = load(Path(__file__).parent.parent / "cases" / "sifl.json")[:7]


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
