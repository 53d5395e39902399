"""For all tests: the long ones stay out unless asked for, and the last lines say which field fault was tried where
(tests/promises.py), and what was skipped and why.

Hypothesis tries the same examples on every run, so that a failure is a change and not chance;
`HYPOTHESIS_PROFILE=default` looks for new ones.
"""

from __future__ import annotations

import os
import signal
from collections import Counter
from collections.abc import Generator, Iterator
from typing import Any

import pytest
from hypothesis import settings
from tests import promises

settings.register_profile("repeatable", derandomize=True, deadline=None)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "repeatable"))


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--long", action="store_true", help="run the long tests too, most of them of the emulated chip")


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_auto_num_workers() -> int:
    """One more than there are processors: a fifth of the time the tests wait, most of it for processes they started."""
    return (os.cpu_count() or 1) + 1


def pytest_configure(config: pytest.Config) -> None:
    # A job that a script starts in the background ignores it, and what the tests start would, too.
    if signal.getsignal(signal.SIGINT) == signal.SIG_IGN:
        signal.signal(signal.SIGINT, signal.default_int_handler)
    config.addinivalue_line("markers", "long: only with --long, as make test-emulated has it for the emulated chip")
    for one in promises.LISTS:
        config.addinivalue_line(
            "markers", f"{one.marker}(number, ...): shows these entries of docs/{one.document.name}"
        )


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """A report takes along what its test shows: with several workers the summary is made elsewhere."""
    report = yield
    report.shows = promises.shown_by(item)  # type: ignore[attr-defined]
    return report


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    long = [item for item in items if item.get_closest_marker("long")]
    if config.getoption("--long"):
        for item in items:
            item.add_marker(pytest.mark.timeout(0))
    elif long:
        config.hook.pytest_deselected(items=long)
        items[:] = [item for item in items if item not in long]


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_terminal_summary(terminalreporter: Any) -> Iterator[None]:
    """What was tried where, how many tests were skipped, and why, below everything else."""
    yield
    config = terminalreporter.config
    options = config.option
    whole = config.args_source != pytest.Config.ArgsSource.ARGS and not (options.keyword or options.markexpr)
    for line in promises.summary(terminalreporter.stats, whole):
        terminalreporter.write_line(line)
    reasons = Counter(_reason(report) for report in terminalreporter.stats.get("skipped", ()))
    for reason, count in reasons.most_common():
        terminalreporter.write_line(f"skipped {count}: {reason}")


def _reason(report: Any) -> str:
    place = report.longrepr
    text = str(place[2] if isinstance(place, tuple) else place)
    return text.removeprefix("Skipped: ")
