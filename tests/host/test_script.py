"""`holecard run`: scripts pass, fail with file, line and step, and are refused before anything is done."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from xml.etree import ElementTree

import pytest
from typer.testing import CliRunner

from holecard_host.cli import run as run_module
from holecard_host.cli.app import app
from holecard_host.errors import FirmwareCrash, UsageFault
from holecard_host.script import load
from holecard_host.stands import open_stand
from holecard_host.steps import STEPS

yaml = pytest.importorskip("yaml", reason="PyYAML is not installed (the extra `script`)")

GOOD = """\
name: A blackjack pays three to two
version: 1
steps:
  - shoe: [A, 9, K, 8]
  - bet: 25
  - press: HIT
  - wait-event: {event: settled, nets: [37.5]}
  - expect-state: {phase: settled, "seats[0].net": 37.5}
  - take-screenshot: shots/won.png
"""

# Ten times ten times ... values out of a few lines.
MANY = (
    "name: x\nabout:\n- &a0 [x]\n"
    + "".join(f"- &a{n} [{f'*a{n - 1}, ' * 10}]\n" for n in range(1, 9))
    + "steps: [deal]"
)


def write(path: Path, text: str) -> Path:
    path.write_text(text, encoding="utf-8")
    return path


def refusal(path: Path) -> str:
    """The one line with which a script is refused when it is read."""
    with pytest.raises(UsageFault) as fault:
        load(path)
    assert "\n" not in str(fault.value)
    return str(fault.value)


def run(*arguments: object):
    return CliRunner().invoke(app, ["run", *map(str, arguments)])


@pytest.fixture(autouse=True)
def _here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def test_a_script_that_passes(tmp_path: Path) -> None:
    path = write(tmp_path / "good.yaml", GOOD)
    result = run(path, "sim://cpython", "--junit", tmp_path / "out.xml")
    assert result.exit_code == 0, result.output
    assert "  ok      press HIT\n" in result.output
    assert result.output.endswith("1 passed\n")
    assert (tmp_path / "shots/won.png").exists()
    suite = ElementTree.parse(tmp_path / "out.xml").getroot()
    assert (suite.get("tests"), suite.get("failures")) == ("1", "0")
    assert suite.find("testsuite/testcase").get("name") == "A blackjack pays three to two"


def test_a_step_that_fails_says_where_and_ends_its_script_but_not_the_next(tmp_path: Path) -> None:
    bad = write(tmp_path / "bad.yaml", GOOD.replace('settled, "seats[0].net": 37.5', 'settled, "seats[0].net": 25'))
    good = write(tmp_path / "good.yaml", GOOD)
    result = run(bad, good, "sim://cpython", "--junit", tmp_path / "out.xml", "--failure-dir", tmp_path / "left")
    assert result.exit_code == 1
    line = f"{bad}:8: step 5 (expect-state): TABL:STAT?: seats[0].net: expected 25, got 37.5"
    assert line in result.output.splitlines()
    assert result.output.count("take-screenshot") == 1
    assert result.output.endswith("1 passed, 1 failed\n")
    assert (tmp_path / "left/bad.png").exists()
    assert ElementTree.parse(tmp_path / "out.xml").find(".//failure").get("message") == line


@pytest.mark.parametrize(
    ("step", "why"),
    [
        ("- hodl: HIT", "2: step 1 (hodl): there is no step 'hodl': one of press, hold"),
        ("- press: FOLD", "2: step 1 (press): key: no key FOLD"),
        ("- delay: 500", "2: step 1 (delay): time: must be a time with its unit, such as 500ms or 2s, not 500"),
        ("- delay: 600s", "2: step 1 (delay): time: is longer than 500s"),
        ("- {press: HIT, hold: HIT}", "2: step 1: must be one name and what belongs to it"),
        ("- expect-state: {phase: x, phase: y}", '2: "phase" stands here twice'),
        ("- press: [", "3: is no YAML"),
        ("- press: !!python/name:os.system x", "2: is no YAML"),
        ("- set-control: {part-id: HIT, value: 2}", "2: step 1 (set-control): value: must be 0 or 1, not 2"),
        ("- expect-pin: {part-id: HIT, value: 1}", "2: step 1 (expect-pin): the field 'pin' is missing"),
        ("- deal: 3", "2: step 1 (deal): has no fields"),
        ("- press: {key: HIT, time: 3s}", "2: step 1 (press): there is no field 'time': one of key, for, bounce"),
        ("- chord: HIT", "2: step 1 (chord): keys: needs at least two keys"),
        ("- take-screenshot: x.jpg", "2: step 1 (take-screenshot): save-to: must be a file whose name ends in .png"),
        ("- shoe: A 11", "2: step 1 (shoe): cards: must be ranks such as A, 10 or 7, not"),
        ("- expect-screen: {name: a, ignore: [1]}", "2: step 1 (expect-screen): ignore: must be a list of boxes"),
        ("- wait-serial: yes", "2: step 1 (wait-serial): text: must be a text, not true (put it into quotes)"),
        ("- press: yes", "2: step 1 (press): key: no key True"),
        ("- chord: HIT HIT", "2: step 1 (chord): keys: needs at least two keys, each of them once"),
        ("- bet: .nan", "2: step 1 (bet): dollars: must be a number of dollars, not NaN"),
        ("- bet: .inf", "2: step 1 (bet): dollars: must be a number of dollars, not Infinity"),
        ('- write-serial: "a\\nb"', "2: step 1 (write-serial): value: must be one line of ASCII characters"),
        ("- expect-refused: ä", "2: step 1 (expect-refused): line: must be one line of ASCII characters"),
        ('- expect-answer: {query: "*OPC", answer: 1}', "2: step 1 (expect-answer): query: must be a question"),
        ("- expect-screen: ../x", "2: step 1 (expect-screen): name: '../x' cannot be the name of a screen"),
        ('- expect-state: {"seats[": 1}', "2: step 1 (expect-state): 'seats[' is no path such as seats[0].net"),
        ("- act: FOO", '2: step 1 (act): do: there is no action "FOO": one of HIT, STAND, DOUBle, SPLit, INSure, DECL'),
        ("- act: {do: HIT, seat: 7}", "2: step 1 (act): seat: must be 0 to 6, not 7"),
        ("- bet: {dollars: 5, seat: 7}", "2: step 1 (bet): seat: must be 0 to 6, not 7"),
        ("- seats: 0", "2: step 1 (seats): count: must be 1 to 7, not 0"),
        ("- seats: 8", "2: step 1 (seats): count: must be 1 to 7, not 8"),
        ("- rules: vegas", '2: step 1 (rules): name: there are no rules "vegas": one of sifl, casino'),
        ("- rules: {name: sifl, min_bett: 1}", "2: step 1 (rules): there is no rule 'min_bett': one of name, decks"),
        ("- rules: {name: sifl, min_bet: [1]}", "2: step 1 (rules): a rule is a number, True or False, or a text"),
        ("- wait-event: setled", '2: step 1 (wait-event): event: there is no event "setled": one of power, settings'),
        (
            "- wait-event: {event: settled, net: 1}",
            "2: step 1 (wait-event): the event settled has no field 'net': one of bankrolls, nets, round, states",
        ),
        ("- press: {key: HIT, for: 20s}", '2: step 1 (press): for: a press takes 1 to 10000 ms, not "20s"'),
        ("- hold: {key: HIT, for: 0ms}", "2: step 1 (hold): for: a press takes 1 to 10000 ms"),
        (f"- write-serial: {'x' * 300}", "2: step 1 (write-serial): value: has 300 characters, a request"),
        (f"- shoe: {'A ' * 200}", "2: step 1 (shoe): cards: has 411 characters, a request"),
        ("- 3", "2: step 1: 3 is no name of a step"),
        ("[]", "2: steps: must be a list with at least one step"),
    ],
)
def test_a_slip_is_found_before_anything_is_done(tmp_path: Path, step: str, why: str) -> None:
    path = write(tmp_path / "slip.yaml", f"steps:\n  {step}\n")
    assert refusal(path).startswith(f"{path}:{why}")
    result = run(path, "sim://no-such-table")
    assert result.exit_code == 2
    assert str(path) in result.stderr


@pytest.mark.parametrize(
    ("step", "why"),
    [
        ("expect-state", "expects nothing"),
        ("expect-state: ", "expects nothing"),
        ("expect-state: {}", "expects nothing"),
        ("expect-state: {within: 1s}", "expects nothing"),
        ("expect-state: {shoe: {}}", "expects nothing"),
        ("expect-state: {seats: [{bet: 1, hands: [{}]}]}", "expects nothing"),
        ('expect-answer: {query: "TABL:STAT?", answer: {}}', "answer: expects nothing"),
        ("expect-lamps: ", "lamps: must be a text, not null"),
        ('expect-lamps: ""', "lamps: must be a text"),
        ("take-screenshot", "does nothing without save-to or compare-with"),
        ("take-screenshot: {part-id: oled}", "does nothing without save-to or compare-with"),
        ("wait-event: {}", "the field 'event' is missing"),
        ("wait-serial: ", "text: must be a text, not null"),
        ("expect-refused: ", "line: must be a text, not null"),
        ("expect-screen: ", "name: must be a text, not null"),
        ("expect-pin: {}", "the field 'part-id' is missing"),
    ],
)
def test_an_expectation_that_expects_nothing_is_refused(tmp_path: Path, step: str, why: str) -> None:
    path = write(tmp_path / "empty.yaml", f"steps:\n  - press: HIT\n  - {step}\n")
    assert refusal(path).startswith(f"{path}:3: step 2 ({step.partition(':')[0]}): {why}")


def test_the_steps_that_expect_are_those_which_are_tried_empty() -> None:
    (mark,) = test_an_expectation_that_expects_nothing_is_refused.pytestmark
    tried = {step.partition(":")[0] for step, _ in mark.args[1]}
    assert tried == {name for name in STEPS if name.startswith(("expect-", "wait-", "take-"))}


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("", ": a script has a name and steps"),
        ("- press: HIT", ":1: a script has a name and steps"),
        ("name: x", ":1: steps: must be a list"),
        ("steps: [deal]\nstep: 1", ':2: there is no field "step": one of name'),
        ("steps: [deal]\nversion: 2", ":2: version must be 1, not 2"),
        ("steps: [deal]\nversion: true", ":2: version must be 1, not true"),
        ("steps: [deal]\nneeds: [powr]", ':2: needs: no capability "powr"'),
        ("steps: [deal]\nneeds: [[power]]", ':2: needs: no capability ["power"]'),
        ("steps: [deal]\nneeds: {power: 1}", ":2: needs: no capability"),
        (MANY, ":4: is larger than any script: its aliases stand for too much"),
        ("steps: [deal]\nfresh: 1", ":2: fresh must be true or false"),
        ("steps: [deal]\n--- \nsteps: [deal]", ":2: is no YAML"),
        ("steps: &a [*a]", ":1: step 1: must be one name"),
        ("steps: [expect-state: &a {b: *a}]", ": is no YAML"),
        ("\x00", ": is no YAML"),
    ],
)
def test_a_file_that_is_no_script(tmp_path: Path, text: str, why: str) -> None:
    path = write(tmp_path / "x.yaml", text)
    assert refusal(path).startswith(f"{path}{why}")


def test_files_that_cannot_be_read(tmp_path: Path) -> None:
    (tmp_path / "latin").write_bytes(b"name: \xe4\nsteps: [deal]")
    for name, why in (("none.yaml", "cannot be read: No such file"), (".", "cannot be read"), ("latin", "is no YAML")):
        with pytest.raises(UsageFault, match=why):
            load(tmp_path / name)


def test_a_script_may_go_on_where_the_table_is(tmp_path: Path) -> None:
    first = write(tmp_path / "1.yaml", "steps: [bankroll: 77]")
    second = write(tmp_path / "2.yaml", "fresh: false\nsteps:\n  - expect-state: {bankrolls: [77]}")
    third = write(tmp_path / "3.yaml", "steps:\n  - expect-state: {bankrolls: [1000]}")
    assert run(first, second, third, "sim://cpython").exit_code == 0


def test_what_a_stand_lacks_skips_a_script(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = write(tmp_path / "x.yaml", "needs: [power]\nsteps: [power-cut]")
    stand = open_stand("sim://cpython")
    stand.capabilities -= {"power"}
    monkeypatch.setattr(run_module, "open_stand", lambda url: stand)
    result = run(path, "sim://cpython", "--junit", "out.xml")
    assert result.exit_code == 2
    assert "skipped: sim://cpython does not have what is needed (power: the power can be cut)" in result.output
    assert ElementTree.parse("out.xml").find(".//skipped") is not None


def test_a_failed_script_outweighs_one_that_was_skipped(tmp_path: Path) -> None:
    bad = write(tmp_path / "bad.yaml", "steps:\n  - expect-state: {phase: settled}")
    lacking = write(tmp_path / "lacking.yaml", "needs: [power]\nsteps: [power-cut]")
    stand = open_stand("sim://cpython")
    stand.capabilities -= {"power"}
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(run_module, "open_stand", lambda url: stand)
        result = run(bad, lacking, "sim://cpython")
    assert (result.exit_code, result.output.splitlines()[-1]) == (1, "1 failed, 1 skipped")


def test_scripts_of_the_same_name_leave_pictures_of_their_own(tmp_path: Path) -> None:
    text = "steps:\n  - expect-screen: start"
    folders = [tmp_path / "one", tmp_path / "two"]
    for folder in folders:
        folder.mkdir()
    files = [write(folder / "same.yaml", text) for folder in folders]
    assert run(*files, "sim://cpython", "--failure-dir", tmp_path / "left").exit_code == 1
    left = [str(path.relative_to(tmp_path / "left")) for path in (tmp_path / "left").rglob("*.png")]
    assert sorted(left) == ["same-1.png", "same-1/start.actual.png", "same-2.png", "same-2/start.actual.png"]


def test_a_run_is_recorded(tmp_path: Path) -> None:
    path = write(tmp_path / "x.yaml", GOOD)
    assert run(path, "sim://cpython", "--record", tmp_path / "x.jsonl").exit_code == 0
    assert "ROUN:" in (tmp_path / "x.jsonl").read_text(encoding="ascii")


def test_a_table_that_is_lost_is_told_with_the_step_and_the_report_is_still_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = write(tmp_path / "x.yaml", "steps:\n  - bet: 5\n  - delay: 10ms")
    stand = open_stand("sim://cpython")

    def crash(ms: float) -> None:
        raise FirmwareCrash("the firmware crashed: ValueError", "Traceback of the table")

    monkeypatch.setattr(stand, "advance", crash)
    monkeypatch.setattr(run_module, "open_stand", lambda url: stand)
    result = run(path, write(tmp_path / "y.yaml", GOOD), "sim://cpython", "--junit", "out.xml")
    assert result.exit_code == 4
    told = ["table| Traceback of the table", f"holecard: {path}:3: step 2 (delay): the firmware crashed: ValueError"]
    assert result.stderr.splitlines() == told
    assert [case.find("error") is not None for case in ElementTree.parse("out.xml").iter("testcase")] == [True, True]


def test_what_came_is_waited_for_in_order(tmp_path: Path) -> None:
    path = write(
        tmp_path / "x.yaml",
        "steps:\n  - write-serial: '*IDN?'\n  - wait-serial: Holecard\n"
        "  - wait-serial: {text: Holecard, within: 50ms}\n",
    )
    result = run(path, "sim://cpython")
    assert result.exit_code == 1
    assert ":4: step 3 (wait-serial): nothing with 'Holecard' came within 50 ms" in result.output


def test_golden_screens_of_scripts(tmp_path: Path) -> None:
    path = write(tmp_path / "x.yaml", "steps:\n  - expect-screen: start")
    assert "there is no golden screen" in run(path, "sim://cpython").output
    assert run(path, "sim://cpython", "--update-screens").exit_code == 0
    assert run(path, "sim://cpython").exit_code == 0
    assert (tmp_path / "screens/start.png").exists()
    other = write(tmp_path / "y.yaml", "steps:\n  - bet: 9\n  - expect-screen: start")
    result = run(other, "sim://cpython")
    assert result.exit_code == 1
    assert "step 2 (expect-screen): the screen is not start" in result.output


def test_a_report_that_cannot_be_written(tmp_path: Path) -> None:
    path = write(tmp_path / "x.yaml", GOOD)
    result = run(path, "sim://cpython", "--junit", path / "out.xml")
    assert result.exit_code == 2
    assert "cannot be written" in result.stderr


def test_without_pyyaml_the_user_is_told_what_to_install(tmp_path: Path) -> None:
    path = write(tmp_path / "x.yaml", GOOD)
    code = "import sys; sys.modules['yaml'] = None; from holecard_host.__main__ import main; sys.argv[1:] = {}; main()"
    arguments = ["run", str(path), "sim://cpython"]
    done = subprocess.run([sys.executable, "-c", code.format(arguments)], capture_output=True, text=True, check=False)
    assert done.returncode == 2
    assert done.stderr == 'holecard: scripts are YAML files, which need PyYAML: pip install "holecard[script]"\n'
