"""The pytest plugin when a table is lost, silent, busy or taken over: what that costs, and who goes on."""

from __future__ import annotations

import os
import time

import pytest
from tests.host.conftest import Run

from holecard_host.twin.holder import Holder
from holecard_host.wire import Wire

pytest_plugins = ["pytester"]

MANY = """
import pytest

@pytest.mark.parametrize("n", range(6))
def test_n(table, n):
    table.expect_state(phase="betting")
"""


def test_a_table_that_is_lost_costs_its_time_once(
    pytester: pytest.Pytester, run: Run, port: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    pytester.makepyfile(MANY)
    monkeypatch.setitem(Wire.__init__.__kwdefaults__, "timeout", 1.5)
    began = time.monotonic()
    result = run(tables=(port,))
    assert time.monotonic() - began < 5
    result.assert_outcomes(errors=6)
    result.stdout.fnmatch_lines(["*: no answer in 1.5 s; does a table run there? (asked * s ago, again in * s)"])


def test_the_others_go_on_when_one_table_is_lost(pytester: pytest.Pytester, run: Run) -> None:
    pytester.makepyfile(MANY)
    run(tables=("sim://gone", "sim://cpython")).assert_outcomes(errors=1, passed=5)
    run("--each-table", tables=("sim://gone", "sim://cpython")).assert_outcomes(errors=6, passed=6)
    pytester.makepyfile(MANY.replace("@", "@pytest.mark.needs('power')\n@", 1))
    run(tables=("file://none", "sim://gone")).assert_outcomes(errors=6)


def test_a_table_that_comes_back_is_used_again(pytester: pytest.Pytester, run: Run) -> None:
    name = f"test-back-{os.getpid()}"
    pytester.makepyfile(f"""
        import pytest
        from holecard_host.twin.holder import Holder

        def test_1(table): pass
        def test_2(table): pass

        @pytest.fixture(scope="module")
        def back():
            with Holder("{name}", realtime=False):
                yield

        def test_3(back, table): pass
        def test_4(back, table): pass
    """)
    run(tables=(f"sim://{name}",)).assert_outcomes(errors=2, passed=2)


def test_a_table_that_somebody_else_has_is_asked_for_each_test(pytester: pytest.Pytester, run: Run) -> None:
    name = f"test-busy-{os.getpid()}"
    pytester.makepyfile(f"""
        import pytest
        from holecard_host import locks
        from holecard_host.twin import registry

        @pytest.fixture
        def busy():
            with locks.hold(registry.find("{name}").port):
                yield

        def test_1(busy, table): pass
        def test_2(table): pass
    """)
    with Holder(name, realtime=False):
        run(tables=(f"sim://{name}",)).assert_outcomes(errors=1, passed=1)


def test_a_table_that_somebody_took_over_is_let_alone(pytester: pytest.Pytester, run: Run) -> None:
    pytester.makepyfile("""
        import os

        def test_1(table):
            os.unlink(table.stand.wire.lock.path)  # as whoever takes over what was silent for too long

        def test_2(table): pass
    """)
    with Holder(f"test-over-{os.getpid()}", realtime=False) as other:
        run(tables=(f"sim://{other.entry.name}",)).assert_outcomes(passed=2)
