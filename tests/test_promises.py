"""The lists of docs/ and the tests that they name belong together, and the table at a run's end tells the truth."""

from __future__ import annotations

import re
from types import SimpleNamespace

import pytest
from tests import promises
from tests.promises import LISTS, Promises


@pytest.mark.parametrize("promises_list", LISTS, ids=lambda one: one.marker)
def test_every_test_of_a_list_is_named_there_and_the_reverse(promises_list: Promises) -> None:
    entries = promises_list.entries()
    numbers = [entry.number for entry in entries]
    assert numbers == sorted(set(numbers))
    named = {(entry.number, test) for entry in entries for test in entry.tests}
    there = {(number, test) for _, test, number in promises.marked(promises_list.marker)}
    assert there - named == set()
    assert named - there == set()


@pytest.mark.parametrize("promises_list", LISTS, ids=lambda one: one.marker)
def test_a_number_in_a_tests_name_is_one_that_it_shows(promises_list: Promises) -> None:
    numbers: dict[str, set[int]] = {}
    for path, test, number in promises.marked(promises_list.marker):
        numbers.setdefault(f"{path}::{test}", set()).add(number)
    start = re.compile(rf"^def (test_{promises_list.marker}_(\d\d)_\w+)", re.MULTILINE)
    for path in promises.TESTS.rglob("test_*.py"):
        for name, number in start.findall(path.read_text(encoding="utf-8")):
            assert int(number) in numbers[f"{path}::{name}"], name


def test_faults_that_have_to_be_shown_are() -> None:
    shown = {number for _, _, number in promises.marked("fault")}
    assert {*range(1, 21), 22, 24} <= shown


def report(number: int, stand: str) -> SimpleNamespace:
    return SimpleNamespace(shows=[("fault", number, stand)])


def results(complete: bool, **stats: list[SimpleNamespace]) -> dict[int, str]:
    lines = list(promises.summary(stats, complete))[1:]
    return {int(line.split()[0]): line[49:] for line in lines}


def test_the_table_tells_what_failed_was_skipped_or_is_missing() -> None:
    passed = [report(1, "sim://cpython"), report(1, "sim://cpython"), report(2, "sim://cpython"), report(4, "rules")]
    found = results(
        True, passed=passed, skipped=[report(2, "rp2040://"), report(3, "rp2040://")], failed=[report(4, "rules")]
    )
    assert found[1] == "sim://cpython: passed"
    assert found[2] == "rp2040:// (SKIPPED), sim://cpython: passed"
    assert found[3] == "rp2040:// (SKIPPED): SKIPPED"
    assert found[4] == "rules (FAILED): FAILED"
    assert found[5] == "-: NO TEST"
    assert len(found) == len(LISTS[0].entries())


def test_a_part_of_the_tests_shows_only_its_own_rows() -> None:
    assert results(False, passed=[report(7, "rules")]) == {7: "rules: passed"}
    assert list(promises.summary({"passed": [SimpleNamespace()]}, True)) == []
