"""What tests of several files need: a port, and pytest with the plugin."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
Run = Callable[..., pytest.RunResult]


@pytest.fixture
def port() -> Iterator[str]:
    """The path of a pseudo-terminal that nobody has open but this process, and at which nobody answers."""
    import tty  # noqa: PLC0415 - POSIX only

    master, slave = os.openpty()
    tty.setraw(slave)
    yield os.ttyname(slave)
    os.close(slave)
    os.close(master)


@pytest.fixture
def run(pytester: pytest.Pytester) -> Run:
    """Runs pytest with the plugin; with workers in a process of its own."""

    def run(*options: str, tables: tuple[str, ...] = ("sim://cpython",)) -> pytest.RunResult:
        asked = [word for url in tables for word in ("--table", url)]
        start = pytester.runpytest_subprocess if "-n" in options else pytester.runpytest_inprocess
        return start("-p", "holecard_host.plugin", *asked, *options)

    # Not what the test run around this one was told.
    for name in [name for name in os.environ if name.startswith(("PYTEST_", "HOLECARD_POWER", "HOLECARD_UHUBCTL"))]:
        pytester._monkeypatch.delenv(name)
    path = os.pathsep.join(sys.path)
    pytester._monkeypatch.setenv("PYTHONPATH", f"{ROOT / 'firmware'}{os.pathsep}{ROOT / 'host'}{os.pathsep}{path}")
    return run
