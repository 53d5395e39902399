"""The benchmark itself: its file, its check values, its stream. Speed is no subject here: tests share the machine."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path

import pytest
from bench import __main__ as program
from bench import cases, engines, rows, values, wire
from bench.stream import FastStream
from tools.strategy_table import hit_below_17

from holecard.rules.ruleset import RuleSet
from holecard.rules.session import Session
from holecard_host.cases.model import load
from holecard_host.cases.runner import WAYS, Verdict
from holecard_host.errors import HolecardError, StandFault
from holecard_host.stands import Stand, open_stand

CASES = Path(__file__).parent / "cases"


@pytest.fixture
def stand_ins(monkeypatch: pytest.MonkeyPatch) -> None:
    """The other engines need not be installed for a test."""
    monkeypatch.setattr(engines, "OTHERS", {"one": engines.holecard_with_views, "another": engines.holecard_with_views})


@pytest.mark.usefixtures("stand_ins")
def test_a_tiny_run_writes_a_valid_file(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    output = tmp_path / "build" / "bench.json"
    arguments = [
        "--rounds",
        "50",
        "--repetitions",
        "3",
        "--value-rounds",
        "5000",
        "--no-device",
        "--no-wear",
        "--no-wire",
    ]
    arguments += ["--output", str(output)]
    code = program.main(arguments)
    found = json.loads(output.read_text())
    assert all(list(row) == ["name", "value", "unit", "budget", "ok"] for row in found)
    assert len({row["name"] for row in found}) == len(found)
    assert [row["budget"] for row in found if row["unit"] == "ratio"] == [2.0, None]
    assert code == (0 if all(row["ok"] for row in found) else 1)
    shown = capsys.readouterr().out
    assert "holecard" in shown
    assert str(output) in shown


def test_the_devices_rows_are_put_between_the_marks(tmp_path: Path) -> None:
    page = tmp_path / "README.md"
    page.write_text("# before\n<!-- written by make bench -->\nold\n<!-- end -->\nafter\n")
    found = [rows.Row("device: x", 3.5, "ms", 4, True), rows.Row("y", 2, "", 1, False), rows.Row("device: z", 5, "KiB")]
    for _ in range(2):
        rows.put(found, page, "device: ")
        before, _, rest = page.read_text().partition("<!-- written by make bench -->\n")
        table, _, after = rest.partition("<!-- end -->")
        assert (before, after) == ("# before\n", "\nafter\n")
        assert table.splitlines()[2:] == ["| x | 3.5 ms | 4 ms | kept |", "| z | 5 KiB |  |  |"]


def test_a_missing_engine_is_one_line(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    def missing(seed: int) -> engines.Play:
        raise engines.MissingEngine("some-engine")

    monkeypatch.setattr(engines, "OTHERS", {"some-engine": missing})
    assert program.main(["--rounds", "1"]) == 2
    assert capsys.readouterr().err.startswith("bench: some-engine is not installed")


@pytest.mark.parametrize("engine", [engines.blackjack_api, engines.blackjack21])
def test_the_other_engines_play_when_installed(engine: object) -> None:
    try:
        play = engine(1)  # type: ignore[operator]
    except engines.MissingEngine as missing:
        pytest.skip(f"{missing} is not installed")
    play(400)  # past the end of its six decks


@pytest.mark.parametrize("name", values.GAMES)
def test_the_core_agrees_with_the_exact_value(name: str) -> None:
    game = values.GAMES[name]
    average = values.play(game.rules, 40_000, seed=5)
    assert abs(100 * average.mean - game.exact) < 4 * 100 * average.error
    assert average == values.play(game.rules, 40_000, seed=5)


@pytest.mark.parametrize("name", values.GAMES)
def test_the_exact_values_are_those_computed_card_by_card(name: str) -> None:
    game = values.GAMES[name]
    assert round(100 * hit_below_17(game.rules), 4) == game.exact


def test_both_ways_of_driving_the_core_play_the_same_rounds(monkeypatch: pytest.MonkeyPatch) -> None:
    sessions = []
    new_session = engines.new_session

    def recorded(rules: RuleSet, seed: int) -> Session:
        sessions.append(new_session(rules, seed))
        return sessions[-1]

    monkeypatch.setattr(engines, "new_session", recorded)
    for engine in (engines.holecard, engines.holecard_with_views):
        engine(9)(500)
    assert sessions[0].bankrolls == sessions[1].bankrolls


@pytest.mark.parametrize("n", [1, 2, 3, 52, 311])
def test_the_stream_is_reproducible_and_even(n: int) -> None:
    stream, again = FastStream(3), FastStream(3)
    draws = [stream.below(n) for _ in range(200 * n)]
    assert draws == [again.below(n) for _ in range(200 * n)]
    counts = Counter(draws)
    assert set(counts) == set(range(n))
    chi_square = sum((count - 200) ** 2 / 200 for count in counts.values())
    assert chi_square < n - 1 + 4 * (2 * n) ** 0.5


def test_the_wear_of_a_few_rounds(monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("littlefs", reason="littlefs-python is not installed")
    from bench import wear  # noqa: PLC0415 - needs an extra

    monkeypatch.setattr(wear, "_MOST_SAVES", 2000)
    found = wear.play("casino", 40)
    assert found.saves >= 1
    assert found.programs >= found.saves
    assert 0 < found.erases < 1
    assert found.levelled > 3
    assert wear.years(1.0, 352) == pytest.approx(26.8, abs=0.1)


def test_a_query_is_held_against_an_exec(monkeypatch: pytest.MonkeyPatch) -> None:
    """A short run of the real measurement; whether the budget is kept is for a machine without other work."""
    pytest.importorskip("mpremote")
    monkeypatch.setattr(wire, "_QUERIES", 50)
    monkeypatch.setattr(wire, "_EXECS", 10)
    found = {row.name: row for row in wire._round_trips()}
    ratio = found["wire: exec / query"]
    assert (ratio.budget, ratio.ok) == (10, ratio.value >= 10)
    asked, executed = (
        found[f"wire: {name}, median"].value
        for name in ("a query on a pseudo-terminal", "mpremote's exec of the same answer")
    )
    assert ratio.value == pytest.approx(executed / asked, rel=0.05)


def test_two_tables_at_once_are_held_against_one(monkeypatch: pytest.MonkeyPatch) -> None:
    taken = iter([2.0, 3.0, 2.2, 5.0])
    monkeypatch.setattr(wire, "_run", lambda names: next(taken))
    one, both = wire._two_at_once()
    assert (one.value, both.value, both.budget, both.ok) == (2.0, 1.1, 1.2, True)
    taken = iter([2.0, 3.0, 2.5, 5.0])
    assert not wire._two_at_once()[1].ok


def test_the_suite_is_held_against_a_minute(monkeypatch: pytest.MonkeyPatch) -> None:
    taken = {"sim://cpython": 59.0, "sim://micropython": 61.0}
    monkeypatch.setattr(wire, "_accept", lambda urls: taken[urls[0]])
    assert [row.ok for row in wire._suite()] == [True, False]


def test_what_a_case_costs_is_told_of_every_stand_that_is_there(monkeypatch: pytest.MonkeyPatch) -> None:
    """A few cases on the real table; the emulated chip is only asked for."""
    opened = []

    def start(url: str) -> Stand:
        opened.append(url)
        if not url.startswith("sim://cpython"):
            raise StandFault(f"no {url} here")
        return open_stand(url)

    monkeypatch.setattr(cases, "open_stand", start)
    monkeypatch.setattr(cases, "case_files", lambda: [CASES / "casino.json"])
    found, missing = cases.measure(emulated=False)
    assert opened == ["sim://cpython", "sim://micropython", "sim://pi"]
    count = len(load(CASES / "casino.json"))
    assert [row.name for row in found] == [f"cases: one on sim://cpython, by {by}, mean of {count}" for by in WAYS]
    assert all(0 < row.value < 10 for row in found)
    assert missing == ["no sim://micropython here", "no sim://pi here"]
    opened.clear()
    assert cases.measure(emulated=True)[1][-1] == "no rp2040:// here"
    assert opened[-1] == "rp2040://"


def test_a_case_that_fails_has_no_cost(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cases, "run_cases", lambda *_: [Verdict("S01", "", passed=False, detail="wrong payout")])
    with pytest.raises(HolecardError, match=r"^sim://cpython: S01: wrong payout$"):
        cases.measure(emulated=False)
