"""The acceptance suite: green on a good table, red with the fault's name on a broken one, and reports in any case."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from xml.etree import ElementTree

import pytest
from tests.hardware.support import INTERPRETERS
from typer.testing import CliRunner

import holecard
from holecard_host.accept import limits
from holecard_host.accept.checks import CHECKS
from holecard_host.accept.page import page
from holecard_host.accept.report import Report
from holecard_host.accept.suite import Bench, Check, run
from holecard_host.cli import accept as accept_module
from holecard_host.cli.app import app
from holecard_host.errors import FirmwareCrash, StepFailed, UsageFault
from holecard_host.stands import open_stand
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
        bench.measure("errors", 0)

    checks = [Check("selftest", "", half), Check("selftest", "", whole), Check("selftest", "", whole, ("faults",))]
    with open_stand("sim://cpython") as stand:
        stand.capabilities -= {"faults"}
        results = list(run(stand, checks, limits.load(), repeat=2))
    assert [result.outcome for result in results] == ["failed", "passed", "skipped"] * 2
    assert results[0].why == "the step failed; selftest.sum is 3, limit 0"
    assert results[2].why == "sim://cpython does not have what is needed (faults: faults can be injected)"


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
        raise KeyboardInterrupt

    monkeypatch.setattr(accept_module, "CHECKS", [CHECKS[0], Check("selftest", "", stop)])
    result = accept("sim://cpython", "--report-dir", tmp_path)
    assert result.exit_code == 130
    told = json.loads((tmp_path / "accept.json").read_text(encoding="utf-8"))
    assert (told["outcome"], told["stopped"], len(told["checks"])) == ("error", "interrupted", 1)
    assert "The run was stopped: interrupted" in (tmp_path / "accept.html").read_text(encoding="utf-8")


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


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("[latency]\npres = { max = 1 }", "latency.pres: there is no such measurement"),
        ("[latency]\npress = { maximum = 1 }", "maximum = 1 is none of"),
        ("[latency]\npress = { max = true }", "max = True is none of"),
        ("[latency]\npress = { max = '1' }", "max = '1' is none of"),
        ("[latency]\npress = 12", "must be a table"),
        ("latency = 12", "must be a table"),
        ("[latency]\npress = { min = 13 }", "min 13 is above max 12"),
        ("[latency", "mine.toml: "),
    ],
)
def test_limits_that_make_no_sense(tmp_path: Path, text: str, why: str) -> None:
    path = tmp_path / "mine.toml"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(UsageFault) as fault:
        limits.load(path)
    assert why in str(fault.value)
    assert accept("sim://no-such-table", "--limits", path).exit_code == 2


def test_a_report_that_cannot_be_written(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("", encoding="ascii")
    result = accept("sim://cpython", "--only", "identity", "--report-dir", tmp_path / "file")
    assert result.exit_code == 2
    assert "cannot be written" in result.stderr


def test_a_check_that_is_not_there() -> None:
    result = accept("sim://cpython", "--only", "identitty")
    assert result.exit_code == 2
    assert "--only identitty: one of identity, selftest, keys" in result.stderr


def test_what_a_table_says_cannot_become_html() -> None:
    assert "<b>" not in page(Report("sim://<b>x", "<b>", 0, 1))
