"""The acceptance suite on several tables at once, and what a signal costs them: nothing that was told."""

from __future__ import annotations

import json
import multiprocessing
import os
import signal
import subprocess
import sys
from multiprocessing import connection
from pathlib import Path
from typing import Any

import pytest
from tests.host.processes import rest
from tests.host.test_accept import accept, only

from holecard_host.accept.several import examine_all
from holecard_host.accept.suite import Result


def test_two_tables_at_once(tmp_path: Path) -> None:
    result = accept("sim://cpython", "sim://cpython", "--only", "identity", "--only", "power", "--report-dir", tmp_path)
    assert result.exit_code == 0, result.output
    assert result.output.count("sim://cpython:   passed   power") == 2
    for number in (1, 2):
        told = json.loads((tmp_path / f"sim-cpython-{number}/accept.json").read_text(encoding="utf-8"))
        assert [check["outcome"] for check in told["checks"]] == ["passed", "passed"]
    assert accept("sim://cpython", "sim://cpython", "--record", tmp_path / "x.jsonl").exit_code == 2


def test_of_two_tables_one_is_not_there(tmp_path: Path) -> None:
    result = accept("sim://nobody", "sim://cpython", "--only", "identity", "--report-dir", tmp_path)
    assert result.exit_code == 3
    assert "no simulated table nobody runs" in result.stderr
    assert [path.name for path in tmp_path.iterdir()] == ["sim-cpython"]


@pytest.mark.skipif(os.name == "nt", reason="needs signals")
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_signal_with_two_tables_is_quiet_and_writes_what_has_run(tmp_path: Path, number: int) -> None:
    words = ["accept", "sim://cpython", "sim://cpython", "--repeat", "50", "--only", "keys", "--report-dir", "out"]
    process = subprocess.Popen(
        [sys.executable, "-m", "holecard_host", *words],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        cwd=tmp_path,
        start_new_session=True,
    )
    assert process.stdout is not None
    output = ""
    while output.count(" passed   keys ") < 2:
        line = process.stdout.readline()
        assert line, rest(process)
        output += line
    if number == signal.SIGINT:
        os.killpg(process.pid, number)  # as a terminal does: all of them
    else:
        process.send_signal(number)
    more, errors = rest(process)
    output += more
    assert (process.returncode, errors) == (128 + number, ""), output
    told = [json.loads(path.read_text(encoding="utf-8")) for path in sorted((tmp_path / "out").glob("*/accept.json"))]
    assert [one["stopped"] for one in told] == ["interrupted"] * 2
    # Whatever was told is in the reports; only the check that it ended may have an error.
    checks = [[check["outcome"] for check in one["checks"]] for one in told]
    assert sum(one.count("passed") for one in checks) == output.count(" passed   keys ")
    assert {outcome for one in checks for outcome in one[:-1]} <= {"passed"}
    assert {check["why"] for one in told for check in one["checks"]} <= {"", "interrupted"}


def test_a_signal_before_the_tables_are_there_is_no_fault_of_theirs(monkeypatch: pytest.MonkeyPatch) -> None:
    def wait(*arguments: Any) -> list[Any]:
        if not signalled:
            signalled.append(True)
            signal.raise_signal(signal.SIGINT)
        return list(connection.wait(*arguments))

    signalled: list[bool] = []
    monkeypatch.setattr("holecard_host.accept.several.wait", wait)
    items: list[Any] = []
    with pytest.raises(KeyboardInterrupt):
        items.extend(examine_all(["sim://cpython"] * 2, only("keys"), None, 0, 1))
    assert items == []


@pytest.mark.skipif(os.name == "nt", reason="needs signals")
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_signal_while_the_tables_are_started_is_not_lost(monkeypatch: pytest.MonkeyPatch, number: int) -> None:
    def end(*_: object) -> None:
        raise KeyboardInterrupt

    before = signal.signal(number, end)
    started: list[Any] = []
    start = multiprocessing.context.SpawnProcess.start

    def interrupted(self: Any) -> None:
        start(self)
        started.append(self)
        os.kill(os.getpid(), number)

    monkeypatch.setattr(multiprocessing.context.SpawnProcess, "start", interrupted)
    items: list[Any] = []
    try:
        with pytest.raises(KeyboardInterrupt):
            items.extend(examine_all(["sim://cpython"] * 2, only("identity"), None, 0, 50))
    finally:
        signal.signal(number, before)
    assert items == []
    assert [worker.is_alive() for worker in started] == [False, False]


def test_a_signal_while_the_caller_is_busy_does_not_disturb_it() -> None:
    told: list[str] = []
    with pytest.raises(KeyboardInterrupt):
        for _, item in examine_all(["sim://cpython"] * 2, only("identity"), None, 0, 50):
            if isinstance(item, Result) and not told:
                signal.raise_signal(signal.SIGINT)
                told.append("went on")
    assert told == ["went on"]
