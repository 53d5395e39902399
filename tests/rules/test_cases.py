"""Every worked case, played on the rules core."""

import json
from pathlib import Path

import pytest
from tests.rules.core_cases import run_case

CASES = [
    case
    for path in sorted((Path(__file__).parent.parent / "cases").glob("*.json"))
    for case in json.loads(path.read_text(encoding="utf-8"))["cases"]
]


@pytest.mark.fault(30, 31, 32, 33, 34)
@pytest.mark.parametrize("case", CASES, ids=lambda case: case["id"])
def test_case(case):
    assert run_case(case) == []


def test_a_wrong_expectation_is_noticed():
    case = dict(CASES[0], expect=dict(CASES[0]["expect"], net=1, dealer_total=3))
    assert {fault[0] for fault in run_case(case)} >= {"net", "dealer_total"}
