"""The pytest plugin, tested with pytest's own pytester: each test writes a test file and runs it."""

from __future__ import annotations

import os
import subprocess
import sys
import textwrap
from pathlib import Path
from xml.etree import ElementTree

import pytest
from tests.host.conftest import Run

from holecard_host.golden import read
from holecard_host.plugin.pool import exclusive
from holecard_host.twin.holder import Holder
from holecard_host.twin.registry import RESERVED

pytest_plugins = ["pytester"]

ROOT = Path(__file__).parents[2]


FIRST = """
def test_a_blackjack_pays_three_to_two(table):
    table.shoe("A", 9, "K", 8)
    table.bet(25)
    table.press("HIT")
    table.expect_state(phase="settled", bankrolls=[1037.5])
"""


def test_a_first_test(pytester: pytest.Pytester, run: Run) -> None:
    pytester.makepyfile(FIRST)
    result = run()
    result.assert_outcomes(passed=1)
    result.stdout.fnmatch_lines(["table: sim://cpython"])
    assert not (pytester.path / "holecard-failures").exists()


def test_every_test_gets_a_fresh_table_even_after_one_that_left_it_in_a_mess(
    pytester: pytest.Pytester, run: Run
) -> None:
    pytester.makepyfile("""
        import pytest

        def mess(table):
            table.rules("casino")
            table.seats(3)
            table.bankroll(7, 2)
            table.shoe(9, 9, 9, 9)
            table.stand.press_down("HIT")
            table.stand.advance(100)

        def clean(table):
            table.expect_state(phase="betting", rules="sifl", bankrolls=[1000], bets=[1], page="")
            assert table.stand.wire.ask("SYST:ERR:COUN?") == "0"

        def test_1(table):
            mess(table)
        def test_2(table):
            clean(table)
        def test_3(table):
            mess(table)
            table.stand.cut()
        def test_4(table):
            clean(table)
        def test_5(wire):
            wire._port.write(b"BENC:BANK 0,")
        def test_6(table):
            clean(table)
        def test_7(wire):
            with pytest.raises(Exception):
                wire.ask("NONSENSE?;MORE?")
            wire._port.write(b"RUBBISH;FOR;THE;QUEUE\\n")
        def test_8(table):
            clean(table)
    """)
    run().assert_outcomes(passed=8)


def test_without_a_table_tests_are_skipped_and_say_how_to_give_one(pytester: pytest.Pytester, run: Run) -> None:
    pytester.makepyfile(FIRST, test_other="def test_nothing_to_do_with_it(): pass")
    result = run("-rs", tables=())
    result.assert_outcomes(passed=1, skipped=1)
    result.stdout.fnmatch_lines(["SKIPPED*no table to test: pytest --table URL, such as sim://cpython or /dev/ttyACM0"])
    assert "table:" not in str(result.stdout).replace("no table", "")


def test_without_a_table_nothing_of_ours_is_imported() -> None:
    script = """
import sys, pytest
before = set(sys.modules)
import holecard_host.plugin
more = {name for name in set(sys.modules) - before if not name.startswith("holecard_host")}
ours = {name for name in sys.modules if name.startswith("holecard")}
print(sorted(more), sorted(ours))
"""
    path = os.pathsep.join([str(ROOT / "firmware"), str(ROOT / "host"), *sys.path])
    done = subprocess.run(
        [sys.executable, "-c", script],
        capture_output=True,
        text=True,
        check=True,
        env={**os.environ, "PYTHONPATH": path},
    )
    assert done.stdout.strip() == "[] ['holecard_host', 'holecard_host.plugin']"


def test_a_failure_shows_screen_wire_and_round(pytester: pytest.Pytester, run: Run) -> None:
    pytester.makepyfile("""
        def test_wrong(table, record_property):
            table.shoe("A", 9, "K", 8)
            table.bet(25)
            table.press("HIT")
            table.expect_state(bankrolls=[1025])
    """)
    result = run("--junitxml=out.xml")
    result.assert_outcomes(failed=1)
    result.stdout.fnmatch_lines(
        [
            ">*table.expect_state(bankrolls=[[]1025[]])",
            "E*StepFailed: TABL:STAT?: bankrolls[[]0[]]: expected 1025, got 1037.5",
            "*- the screen, sim://cpython -*",
            "*holecard-failures/*test_wrong.png",
            "*- the last lines of the wire (> to the table, < from it, [*] by hand), sim://cpython -*",
            '> BENC:SHOE "A,9,K,8"',
            "[*] press HIT 60",
            '< !EVT*"event":"settled"*',
            "*- the round, sim://cpython -*",
            "the last finished round: HC1 sifl 2000 50 As9sKs8c - *",
        ]
    )
    assert "engine.py" not in str(result.stdout)  # the trace ends in the test
    assert "\u28ff" in str(result.stdout)
    (picture,) = (pytester.path / "holecard-failures").glob("*.png")
    assert picture.stat().st_size > 1000
    properties = {p.get("name"): p.get("value") for p in ElementTree.parse(pytester.path / "out.xml").iter("property")}
    assert properties["holecard_screen"] == str(picture)
    assert properties["holecard_history"].startswith("HC1 sifl 2000 50 As9sKs8c")
    assert properties["holecard_table"] == "sim://cpython"


def test_a_failure_in_an_open_round_shows_its_state(pytester: pytest.Pytester, run: Run) -> None:
    pytester.makepyfile("""
        def test_open(table):
            table.shoe(5, 9, 6, 8, 9)
            table.deal()
            assert False
    """)
    result = run()
    result.stdout.fnmatch_lines(['a round is open: {"phase":"playing"*', "no round has been finished"])


def test_a_lost_table_is_reported_and_replaced(pytester: pytest.Pytester, run: Run) -> None:
    pytester.makepyfile(
        """
        def test_crash(table):
            table.stand.twin.simulator.kill()
            table.ask("*IDN?")
    """
        + FIRST.replace("\n", "\n        ")
    )
    result = run("-x", "--maxfail=2")
    result.assert_outcomes(passed=1, failed=1)
    result.stdout.fnmatch_lines(
        ["*StandFault: the table on sim://cpython is switched off", "*test_crash.png: the panel is dark"]
    )


def test_needs_skip_with_the_reason(pytester: pytest.Pytester, run: Run) -> None:
    pytester.makepyfile("""
        import pytest

        @pytest.mark.needs("pins", "power")
        def test_marked(table):
            assert False

        def test_met_on_the_way(table):
            table.cut_power()

        @pytest.mark.needs("commands")
        def test_that_can_run(table):
            table.press("BET")

        @pytest.mark.needs("powr")
        def test_slip(table):
            pass

        @pytest.mark.needs(["power"])
        def test_list(table):
            pass

        @pytest.mark.needs(capability="power")
        def test_named(table):
            pass

        @pytest.mark.needs
        def test_empty(table):
            pass
    """)
    with Holder(f"test-plugin-{os.getpid()}", realtime=False) as holder:
        result = run("-rs", "--strict-markers", tables=(holder.entry.port,))
    result.assert_outcomes(passed=1, skipped=2, errors=4)
    result.stdout.fnmatch_lines(
        [
            f"SKIPPED*{holder.entry.port} does not have pins, power",
            f"SKIPPED*{holder.entry.port} does not have what is needed (power: the power can be cut)",
        ]
    )
    for given in ("'powr'", "[[]'power'[]]", "capability", ""):
        result.stdout.fnmatch_lines([f"needs({given}): no such capability, one of pins*"])


SCREEN = """
def test_screen(screen, table):
    table.bet({bet})
    screen.check("betting")
"""


def test_golden_screens(pytester: pytest.Pytester, run: Run) -> None:
    path = pytester.makepyfile(SCREEN.format(bet=25))
    run().stdout.fnmatch_lines(["E*there is no golden screen*betting.png*--update-screens writes it"])
    run("--update-screens").assert_outcomes(passed=1)
    assert read(pytester.path / "screens/betting.png").lit > 200
    run().assert_outcomes(passed=1)
    path.write_text(SCREEN.format(bet=26), encoding="utf-8")
    result = run("--failure-dir=left")
    result.assert_outcomes(failed=1)
    result.stdout.fnmatch_lines(["E*the screen is not betting (*left/*/betting.difference.png): * pixels differ*"])
    assert (pytester.path / f"left/{path.stem}-test_screen/betting.difference.png").exists()


def test_every_test_that_fails_leaves_pictures_of_its_own(pytester: pytest.Pytester, run: Run) -> None:
    """Of the same name in other folders, with parameters that only differ in what no file name has, or very late."""
    test = """
        import pytest

        @pytest.mark.parametrize("what", ["a b", "a/b", "a-b", "a", "x" * 90 + "1", "x" * 90 + "2"])
        def test_fails(screen, what):
            screen.check("start")
    """
    for folder in ("one", "two"):
        pytester.mkpydir(folder).joinpath("test_same.py").write_text(textwrap.dedent(test), encoding="utf-8")
    run("--failure-dir=left").assert_outcomes(failed=12)
    left = pytester.path / "left"
    assert len(list(left.glob("*.png"))) == len(list(left.glob("*/start.actual.png"))) == 12
    assert (left / "one-test_same-test_fails-a.png").exists()


WHERE = """
import pytest

@pytest.mark.parametrize("n", range(4))
def test_where(table, n):
    print("ran on", table.stand.url)
"""


def test_several_tables_take_turns(pytester: pytest.Pytester, run: Run) -> None:
    pytester.makepyfile(WHERE)
    with Holder(f"test-turns-{os.getpid()}", realtime=False) as other:
        name = f"sim://{other.entry.name}"
        result = run("-s", tables=("sim://cpython", name))
    result.assert_outcomes(passed=4)
    ran = [line.partition("ran on ")[2] for line in result.outlines if "ran on" in line]
    assert ran == ["sim://cpython", name] * 2
    result.stdout.fnmatch_lines([f"tables: sim://cpython, {name} (sharing the tests)"])


def test_a_test_goes_to_a_table_that_has_what_it_needs(pytester: pytest.Pytester, run: Run) -> None:
    pytester.makepyfile(WHERE.replace("@pytest.mark.p", '@pytest.mark.needs("pins")\n@pytest.mark.p'))
    with Holder(f"test-needy-{os.getpid()}", realtime=False) as other:
        result = run("-s", tables=(other.entry.port, "sim://cpython"))
    result.assert_outcomes(passed=4)
    assert str(result.stdout).count("ran on sim://cpython") == 4


def test_each_table_runs_every_test(pytester: pytest.Pytester, run: Run) -> None:
    pytester.makepyfile(WHERE)
    with Holder(f"test-each-{os.getpid()}", realtime=False) as other:
        result = run("-v", "--each-table", tables=("sim://cpython", f"sim://{other.entry.name}"))
    result.assert_outcomes(passed=8)
    result.stdout.fnmatch_lines(["*::test_where[[]sim://cpython-0[]] PASSED*"])


@pytest.mark.long
def test_workers_have_a_table_each(pytester: pytest.Pytester, run: Run) -> None:
    pytest.importorskip("xdist")
    pytester.makepyfile(WHERE.replace('print("ran on"', 'open("ran", "a").write(table.stand.url + "\\n") or print("x"'))
    with Holder(f"test-worker-{os.getpid()}", realtime=False) as other:
        name = f"sim://{other.entry.name}"
        result = run("-n", "auto", "-v", tables=("sim://cpython", name))
        result.assert_outcomes(passed=4)
        result.stdout.fnmatch_lines(["*2 workers*"])
        assert set((pytester.path / "ran").read_text().split()) == {"sim://cpython", name}
        crowd = run("-n", "3", tables=("sim://cpython", name))
    assert crowd.ret == pytest.ExitCode.USAGE_ERROR
    crowd.stderr.fnmatch_lines(
        [f"*3 workers for 2 tables: {name} can be used by one worker only; take -n 2 or -n auto"]
    )


@pytest.mark.long
def test_with_workers_too_each_table_runs_every_test_and_keeps_to_one_worker(
    pytester: pytest.Pytester, run: Run
) -> None:
    pytest.importorskip("xdist")
    pytester.makepyfile(
        WHERE.replace(
            'print("ran on", ', 'open("ran", "a").write(f"{worker_id} {table.stand.url}\\n") or print("x", '
        ).replace("table, n", "table, n, worker_id")
    )
    with Holder(f"test-group-{os.getpid()}", realtime=False) as other:
        result = run("-n", "2", "--each-table", tables=("sim://cpython", f"sim://{other.entry.name}"))
    result.assert_outcomes(passed=8)
    ran = (pytester.path / "ran").read_text().splitlines()
    assert len(ran) == 8
    assert len(set(ran)) == 2


@pytest.mark.parametrize(
    ("url", "why"),
    [
        ("/dev/no-such-port", "/dev/no-such-port: there is no such port"),
        ("gopher://x", "'gopher://x' names no stand*"),
    ],
)
def test_a_table_that_is_not_there(pytester: pytest.Pytester, run: Run, url: str, why: str) -> None:
    pytester.makepyfile(FIRST)
    result = run(tables=(url,))
    result.assert_outcomes(errors=1)
    result.stdout.fnmatch_lines([why])
    result.stdout.no_fnmatch_line("*open_stand*")  # nobody's business


@pytest.mark.parametrize("kind", RESERVED)
def test_every_worker_can_have_a_simulated_table_of_its_own(kind: str) -> None:
    assert not exclusive(f"sim://{kind}")
    assert not exclusive("rp2040://")
    assert exclusive(kind)
    assert exclusive(f"sim://{kind}-1")


def test_what_a_fixture_of_ones_own_meets_is_shown_where_it_stands(pytester: pytest.Pytester, run: Run) -> None:
    pytester.makepyfile("""
        import pytest

        @pytest.fixture
        def settled(table):
            table.expect_state(phase="settled")

        @pytest.fixture
        def odd(table):
            table.stand.require("faults", "power")
            table.wire.ask("NO:SUCH?")

        def test_1(settled):
            pass
        def test_2(odd):
            pass
    """)
    result = run()
    result.assert_outcomes(errors=2)
    result.stdout.fnmatch_lines([">*table.expect_state(*", "*phase: expected*", ">*table.wire.ask(*", "*-113*"])
    result.stdout.no_fnmatch_line("*_expect_record*")


def test_a_folder_for_failures_that_cannot_be_written_hides_nothing(pytester: pytest.Pytester, run: Run) -> None:
    pytester.makepyfile("def test_x(table):\n    assert 0, 'the reason'")
    (pytester.path / "file").write_text("", encoding="ascii")
    result = run("--failure-dir=file")
    result.assert_outcomes(failed=1)
    result.stdout.fnmatch_lines(["E*the reason*", "*file/*cannot be written*"])
