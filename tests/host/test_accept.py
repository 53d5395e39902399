"""The acceptance suite: green on a good table, red with the fault's name on a broken one, and reports in any case."""

from __future__ import annotations

import errno
import json
import math
import shutil
from pathlib import Path
from xml.etree import ElementTree

import pytest
from tests.hardware.support import INTERPRETERS
from typer.testing import CliRunner

import holecard
from holecard_host.accept import limits
from holecard_host.accept.checks import CHECKS, game
from holecard_host.accept.page import page
from holecard_host.accept.report import Report
from holecard_host.accept.suite import Bench, Check, run
from holecard_host.cli import accept as accept_module
from holecard_host.cli.app import app
from holecard_host.errors import FirmwareCrash, StepFailed, UsageFault
from holecard_host.stands import open_stand
from holecard_host.stands.sim import SimStand
from holecard_host.twin import process

FIRMWARE = Path(holecard.__file__).parent


def accept(*arguments: object):
    return CliRunner().invoke(app, ["accept", *map(str, arguments)], env={"COLUMNS": "200"})


def only(*names: str) -> list[Check]:
    return [check for check in CHECKS if check.name in names]


@pytest.mark.parametrize("interpreter", INTERPRETERS)
def test_a_good_table_passes_and_the_reports_agree(interpreter: str, tmp_path: Path) -> None:
    result = accept(f"sim://{interpreter}", "--report-dir", tmp_path / "out", "--seed", 7)
    assert result.exit_code == 0, result.output
    assert "passed: 11 passed" in result.output
    told = json.loads((tmp_path / "out/accept.json").read_text(encoding="utf-8"))
    assert told["outcome"] == "passed"
    assert {one["name"] for one in told["measurements"]} == set(limits.load())
    assert {one["outcome"] for one in told["measurements"]} == {"passed"}
    suite = ElementTree.parse(tmp_path / "out/accept.xml").getroot()
    assert (suite.get("tests"), suite.get("failures"), suite.get("errors")) == (str(len(CHECKS)), "0", "0")
    html = (tmp_path / "out/accept.html").read_text(encoding="utf-8")
    assert html.count("data:image/png;base64,") >= 14
    assert "http" not in html.replace("http-equiv", "")


FAULTS = {
    "a wrong payout": (
        "rules/settle.py",
        "net = bet * pays[0] // pays[1]",
        "net = bet",
        "rules",
        ("rules.sifl is", "net: expected"),
    ),
    "lost presses": (
        "table/presses.py",
        '        unseen = self.idle.touch()\n        self._repeating = ""',
        "        if now >> 12 & 3 == 3:\n            return\n"
        '        unseen = self.idle.touch()\n        self._repeating = ""',
        "keys",
        ("keys.lost is", "limit at most 0 presses"),
    ),
    "a stale page": (
        "drivers/panel.py",
        "        self._board.i2c_write(self.address, self._spans[length // _STEP])",
        "        if page != 6 or self._unknown:\n"
        "            self._board.i2c_write(self.address, self._spans[length // _STEP])",
        "screens",
        ("screens.stale is", "playing, rows 48 to"),
    ),
    "a leaked hole card": (
        "rules/visible.py",
        "    elif dealer:\n        dealer[play.hole_index] = HIDDEN",
        "    elif dealer:\n        pass",
        "secrecy",
        ("secrecy.leaks is", "the_state.dealer.cards"),
    ),
    "a slow loop": (
        "boards/pico.py",
        "    def feed(self):\n",
        "    def feed(self):\n        time.sleep_ms(30)\n",
        "latency",
        ("latency.loop is", "limit at most 10 ms"),
    ),
}


@pytest.mark.parametrize("fault", list(FAULTS))
def test_a_broken_table_is_found_and_the_fault_is_named(
    fault: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file, old, new, check, words = FAULTS[fault]
    shutil.copytree(FIRMWARE, tmp_path / "holecard", ignore=shutil.ignore_patterns("__pycache__"))
    path = tmp_path / "holecard" / file
    source = path.read_text(encoding="utf-8")
    assert source.count(old) == 1
    path.write_text(source.replace(old, new), encoding="utf-8")
    monkeypatch.setattr(process, "_ROOTS", (tmp_path, process._ROOTS[1]))
    with open_stand("sim://cpython") as stand:
        (result,) = run(stand, only(check), limits.load())
    assert result.outcome == "failed"
    for word in words:
        assert any(part in result.why for part in word.split("|")), result.why


def test_a_check_that_fails_in_the_middle_keeps_what_it_measured_and_the_others_run() -> None:
    def half(bench: Bench) -> None:
        bench.measure("sum", 3)
        raise StepFailed("the step failed")

    def whole(bench: Bench) -> None:
        bench.measure("errors", 2)

    checks = [Check("selftest", "", half), Check("selftest", "", whole), Check("selftest", "", whole, ("faults",))]
    with open_stand("sim://cpython") as stand:
        stand.capabilities -= {"faults"}
        results = list(run(stand, checks, limits.load(), repeat=2))
    assert [result.outcome for result in results] == ["failed", "passed", "skipped"] * 2
    assert results[0].why == "the step failed; selftest.sum is 3 fault code, limit 0 fault code"
    assert results[2].why == "sim://cpython does not have what is needed (faults: faults can be injected)"


def test_a_table_that_lives_in_real_time_and_was_played_at_passes_too() -> None:
    with open_stand("sim://cpython", realtime=True) as stand:
        stand.press("STAND", 700)
        results = list(run(stand, only("keys"), limits.load()))
    assert [(result.outcome, result.why) for result in results] == [("passed", "")]


@pytest.mark.parametrize("then", ["goes on", "finds something odd"])
def test_a_table_that_starts_again_in_the_middle_of_a_check_is_told_as_such(then: str) -> None:
    def reset(bench: Bench) -> None:
        bench.measure("sum", 0)
        bench.stand.cut()
        bench.stand.restore()
        bench.stand.restarts -= 1  # nobody who tests it has done that
        if then != "goes on":
            raise StepFailed("odd")

    def cut(bench: Bench) -> None:
        bench.measure("errors", 2)
        bench.steps.cut_power()

    with open_stand("sim://cpython") as stand:
        results = list(run(stand, [Check("selftest", "", reset), Check("selftest", "", cut)], limits.load(), repeat=2))
    assert [result.outcome for result in results] == ["failed", "passed"] * 2
    why = "the table has started again by itself in the middle" + ("" if then == "goes on" else "; odd")
    assert [result.why for result in results] == [why, ""] * 2


def test_a_lost_table_ends_the_run_with_a_report(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def lose(bench: Bench) -> None:
        raise FirmwareCrash("the firmware crashed", "its traceback")

    monkeypatch.setattr(accept_module, "CHECKS", [CHECKS[0], Check("selftest", "It crashes", lose), CHECKS[0]])
    result = accept("sim://cpython", "--report-dir", tmp_path)
    assert result.exit_code == 3
    told = json.loads((tmp_path / "accept.json").read_text(encoding="utf-8"))
    assert [(check["check"], check["outcome"]) for check in told["checks"]] == [
        ("identity", "passed"),
        ("selftest", "error"),
    ]


def test_ctrl_c_still_writes_what_has_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def stop(bench: Bench) -> None:
        bench.measure("sum", 0)
        raise KeyboardInterrupt

    monkeypatch.setattr(accept_module, "CHECKS", [CHECKS[0], Check("selftest", "", stop)])
    result = accept("sim://cpython", "--report-dir", tmp_path)
    assert result.exit_code == 130
    told = json.loads((tmp_path / "accept.json").read_text(encoding="utf-8"))
    assert (told["outcome"], told["stopped"]) == ("error", "interrupted")
    assert [(check["check"], check["outcome"]) for check in told["checks"]] == [
        ("identity", "passed"),
        ("selftest", "error"),
    ]
    assert told["measurements"][-1]["name"] == "selftest.sum", "what the check had measured before Ctrl-C"
    suite = ElementTree.parse(tmp_path / "accept.xml").getroot()
    assert (suite.get("tests"), suite.get("errors")) == ("2", "1"), "a build server must not take it for green"
    assert "The run was stopped: interrupted" in (tmp_path / "accept.html").read_text(encoding="utf-8")


def test_ctrl_c_right_after_a_check_keeps_what_it_measured(monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(stand: object) -> int:
        if measured:
            raise KeyboardInterrupt
        return 1

    def measure(bench: Bench) -> None:
        bench.measure("sum", 0)
        measured.append(True)

    measured: list[bool] = []
    monkeypatch.setattr("holecard_host.accept.suite._starts", interrupted)
    results = []
    with open_stand("sim://cpython") as stand, pytest.raises(KeyboardInterrupt):
        results.extend(run(stand, [Check("selftest", "", measure)], limits.load()))
    assert [(one.outcome, one.why, len(one.measurements)) for one in results] == [("error", "interrupted", 1)]


def test_limits_of_ones_own(tmp_path: Path) -> None:
    path = tmp_path / "mine.toml"
    path.write_text("[latency]\npress = { max = 0.001 }\n", encoding="utf-8")
    mine = limits.load(path)
    assert (mine["latency.press"].high, mine["latency.press"].unit) == (0.001, "ms")
    assert mine["latency.card"] == limits.load()["latency.card"]
    result = accept("sim://cpython", "--limits", path, "--only", "latency", "--report-dir", tmp_path)
    assert result.exit_code == 1
    assert "limit at most 0.001 ms" in result.output
    assert "<h2>What is wrong</h2>" in (tmp_path / "accept.html").read_text(encoding="utf-8")


def test_an_infinite_limit_is_none_and_the_report_stays_json(tmp_path: Path) -> None:
    path = tmp_path / "mine.toml"
    path.write_text("[identity]\nfields = { min = -inf, max = inf }\n")
    assert accept("sim://cpython", "--limits", path, "--only", "identity", "--report-dir", tmp_path).exit_code == 0
    told = json.loads((tmp_path / "accept.json").read_text(), parse_constant=pytest.fail)
    (fields,) = (one for one in told["measurements"] if one["name"] == "identity.fields")
    assert (fields["min"], fields["max"]) == (None, None)


def test_limits_for_some_stands(tmp_path: Path) -> None:
    path = tmp_path / "mine.toml"
    path.write_text(
        '[latency]\nquery = { max = 30 }\n[on."/dev/tty*".latency]\nquery = { max = 40 }\npress = { max = 13 }\n',
        encoding="utf-8",
    )
    here, there = limits.load(path, "sim://cpython"), limits.load(path, "/dev/ttyACM0")
    assert (here["latency.query"].high, here["latency.press"].high) == (30, 20)
    assert (there["latency.query"].high, there["latency.press"].high, there["latency.press"].unit) == (40, 13, "ms")


@pytest.mark.parametrize(
    ("value", "shown"),
    [(0, "0 ms"), (0.999, "0.999 ms"), (5.16512, "5.165 ms"), (444210.7, "444,211 ms"), (12, "12 ms")],
)
def test_numbers_are_written_for_people(value: float, shown: str) -> None:
    assert limits.Limit("", "ms").shown(value) == shown


def test_the_bar_tells_how_much_was_used() -> None:
    most, least = limits.Limit("", high=10), limits.Limit("", low=50)
    assert [most.used(5), least.used(100), least.used(0), limits.Limit("", low=1, high=2).used(1)] == [
        0.5,
        0.5,
        math.inf,
        None,
    ]
    assert [str(most), str(least), str(limits.Limit("", "mm", 1, 2))] == ["at most 10", "at least 50", "1 to 2 mm"]


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("on = 12", "must be a table"),
        ("[on]\n'sim://*' = 12", "must be a table"),
        ("[on.'/dev/tty*'.latency]\npres = { max = 1 }", "latency.pres: there is no such measurement"),
        ("[latency]\npress = { max = nan }", "max = nan is none of"),
        ("[latency]\npres = { max = 1 }", "latency.pres: there is no such measurement"),
        ("[latency]\npress = { maximum = 1 }", "maximum = 1 is none of"),
        ("[latency]\npress = { max = true }", "max = True is none of"),
        ("[latency]\npress = { max = '1' }", "max = '1' is none of"),
        ("[latency]\npress = 12", "must be a table"),
        ("latency = 12", "must be a table"),
        ("[latency]\npress = { min = 21 }", "min 21 is above max 20"),
        ("[latency", "mine.toml: "),
        ("[latency]\npress = { min = inf }", "min = inf is none of"),
        ("[latency]\npress = { max = -inf }", "max = -inf is none of"),
        (f"[latency]\npress = {{ max = {'9' * 400} }}", "is none of what, unit (texts), min, max (numbers)"),
        (f"[latency]\npress = {{ max = {'9' * 5000} }}", "mine.toml: "),
        (f"a = {'[' * 5000}", "mine.toml: "),
    ],
)
def test_limits_that_make_no_sense(tmp_path: Path, text: str, why: str) -> None:
    path = tmp_path / "mine.toml"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(UsageFault) as fault:
        limits.load(path)
    assert why in str(fault.value)
    assert accept("sim://no-such-table", "--limits", path).exit_code == 2


def test_where_no_report_can_be_written_nothing_is_tested(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("", encoding="ascii")
    for folder in (tmp_path / "file", tmp_path / "file" / "below"):
        result = accept("sim://no-such-table", "--report-dir", folder)
        assert (result.exit_code, result.output.count("\n")) == (2, 1)
        assert "cannot be written: Not a directory" in result.stderr


def test_a_full_disk_takes_no_old_report_and_not_the_other_reports(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "accept.json").write_text("the one before", encoding="ascii")
    replace = Path.replace

    def full(self: Path, target: Path) -> Path:
        if target.name == "accept.json":
            raise OSError(errno.ENOSPC, "No space left on device")
        return replace(self, target)

    monkeypatch.setattr(Path, "replace", full)
    result = accept("sim://cpython", "--only", "identity", "--report-dir", tmp_path)
    assert result.exit_code == 74
    assert result.stderr == f"holecard: {tmp_path}/accept.json: No space left on device\n"
    assert {path.name for path in tmp_path.iterdir()} == {"accept.json", "accept.xml", "accept.html"}
    assert (tmp_path / "accept.json").read_text(encoding="ascii") == "the one before"


def test_an_answer_that_no_check_expects_ends_only_that_check(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    def odd(bench: Bench) -> None:
        bench.measure("sum", 0)
        bench.steps.state()["no such field"]

    monkeypatch.setattr(accept_module, "CHECKS", [Check("selftest", "", odd), CHECKS[0]])
    result = accept("sim://cpython", "--report-dir", tmp_path)
    assert result.exit_code == 1
    assert "the check broke off: KeyError: 'no such field'" in result.output
    told = json.loads((tmp_path / "accept.json").read_text(encoding="utf-8"))
    assert [check["outcome"] for check in told["checks"]] == ["failed", "passed"]
    assert told["not_measured"] == ["selftest.errors"]


def test_a_stand_on_which_nothing_can_be_measured_is_not_a_bad_table(monkeypatch: pytest.MonkeyPatch) -> None:
    check = CHECKS[0]
    monkeypatch.setattr(accept_module, "CHECKS", [Check(check.name, check.title, check.run, ("power", "faults"))])
    monkeypatch.setattr(SimStand, "missing", lambda self, *needed: list(needed))
    result = accept("sim://cpython")
    assert (result.exit_code, "skipped: 1 skipped" in result.output) == (2, True), result.output


def test_checks_that_would_find_nothing_say_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(game, "case_files", list)
    with open_stand("sim://cpython") as stand:
        exchange = stand.wire.exchange
        monkeypatch.setattr(stand.wire, "exchange", lambda line: "0" if "NONE" in line else exchange(line))
        results = list(run(stand, only("rules", "selftest"), limits.load()))
    assert [result.why for result in results] == [
        "selftest.errors is 0 errors, limit 2 errors",
        "rules.played is 0 rounds, limit 75 rounds",
    ]


def test_every_measurement_says_what_it_is_in_a_unit_with_a_limit() -> None:
    for name, limit in limits.load().items():
        assert limit.what != name
        assert limit.unit, name
        assert limit.low is not None or limit.high is not None, name


# Elements of junit-10.xsd, with the attributes and the children that each may have.
SCHEMA = {
    "testsuites": ("name time tests failures errors", "testsuite"),
    "testsuite": ("name tests failures errors time skipped", "properties testcase"),
    "properties": ("", "property"),
    "property": ("name value", ""),
    "testcase": ("name time classname", "skipped error failure system-out"),
    **dict.fromkeys(("skipped", "error", "failure"), ("type message", "")),
    "system-out": ("", ""),
}


def test_the_junit_file_has_what_the_schema_knows_and_the_measurements(tmp_path: Path) -> None:
    path = tmp_path / "mine.toml"
    path.write_text("[identity]\nfields = { max = 3, min = 3 }\n", encoding="utf-8")
    result = accept(
        "sim://cpython", "--only", "identity", "--only", "selftest", "--limits", path, "--report-dir", tmp_path
    )
    assert result.exit_code == 1
    root = ElementTree.parse(tmp_path / "accept.xml").getroot()
    for element in root.iter():
        attributes, children = (set(words.split()) for words in SCHEMA[element.tag])
        assert set(element.keys()) <= attributes, element.tag
        assert {child.tag for child in element} <= children, element.tag
    told = "\n".join(element.text or "" for element in root.iter("system-out"))
    assert "selftest.sum is 0 fault code, limit 0 fault code: passed" in told
    assert root.find(".//failure") is not None


def test_a_check_that_is_not_there() -> None:
    result = accept("sim://cpython", "--only", "identitty")
    assert result.exit_code == 2
    assert "--only identitty: one of identity, selftest, keys" in result.stderr


def test_what_a_table_says_cannot_become_html() -> None:
    assert "<i>" not in page(Report("sim://<i>x", "<i>", 0, 1))
