"""What the plugin does in a run that has tables."""

from __future__ import annotations

import re
from collections.abc import Generator
from pathlib import Path
from typing import Any

import pytest

from .. import outfile
from ..errors import LOST, FirmwareCrash, HolecardError, OutputFault, Unsupported, UsageFault
from . import TAKEN
from .pool import Pool, Taken, exclusive
from .screens import failure_folder, file_name

_PACKAGE = Path(__file__).parents[1]
_OURS = "holecard_host."
_PHASES_OF_A_ROUND = ("insurance", "playing", "doubling")


def pool(config: pytest.Config) -> Pool:
    """The tables of this process: all of them, or, of several workers, one. Raises UsageError for too many workers."""
    urls = config.option.holecard_tables
    each = config.option.each_table
    worker = getattr(config, "workerinput", None)
    if worker is None:
        workers = len(getattr(config.option, "tx", None) or ())
        scarce = [url for url in urls if exclusive(url)]
        if workers > len(urls) and scarce and not each:
            raise pytest.UsageError(
                f"{workers} workers for {len(urls)} {'table' if len(urls) == 1 else 'tables'}: {scarce[0]} can be used"
                f" by one worker only; take -n {len(urls)} or -n auto"
            )
    elif not each:
        number = int(re.sub(r"\D", "", worker["workerid"]) or 0)
        urls = [urls[number % len(urls)]]
    return Pool(urls)


def pytest_report_header(config: pytest.Config) -> str:
    urls = config.option.holecard_tables
    if len(urls) == 1:
        return f"table: {urls[0]}"
    how = "each test on each" if config.option.each_table else "sharing the tests"
    return f"tables: {', '.join(urls)} ({how})"


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    if metafunc.config.option.each_table and "stand" in metafunc.fixturenames:
        urls = metafunc.config.option.holecard_tables
        metafunc.parametrize("holecard_url", urls, ids=urls, indirect=True)


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log: Any) -> Any:
    """With --each-table all tests of one table stay with one worker."""
    if not config.option.each_table:
        return None
    from xdist.scheduler import LoadScopeScheduling  # noqa: PLC0415

    class ByTable(LoadScopeScheduling):
        def _split_scope(self, nodeid: str) -> str:
            parameters = nodeid.rpartition("[")[2]
            on = [url for url in config.option.holecard_tables if url in parameters]
            return max(on, key=len, default=nodeid)

    return ByTable(config, log)


@pytest.hookimpl(wrapper=True)
def pytest_pyfunc_call(pyfuncitem: pytest.Function) -> Generator[None, Any, Any]:
    try:
        return (yield)
    except Unsupported as reason:
        pytest.skip(str(reason))
    except HolecardError as error:
        _end_at_the_test(error)
        raise


@pytest.hookimpl(wrapper=True)
def pytest_fixture_setup(
    fixturedef: pytest.FixtureDef[Any], request: pytest.FixtureRequest
) -> Generator[None, Any, Any]:
    try:
        return (yield)
    except Unsupported as reason:
        pytest.skip(str(reason))
    except HolecardError as error:
        if fixturedef.func.__module__.startswith(_OURS):
            # A table that is not there, or busy: where in this package that was found out is of no use to anybody.
            raise pytest.fail.Exception(str(error), pytrace=False) from None
        _end_at_the_test(error)
        raise


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(
    item: pytest.Item, call: pytest.CallInfo[None]
) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    report = yield
    taken = item.stash.get(TAKEN, None)
    if taken is not None and report.failed and report.when != "teardown":
        error = call.excinfo.value if call.excinfo is not None else None
        if isinstance(error, pytest.fail.Exception):
            error = error.__context__ or error  # see pytest_fixture_setup
        for title, text in _seen(item, taken, error):
            report.sections.append((f"{title}, {taken.stand.url}", text))
    return report


def _end_at_the_test(error: HolecardError) -> None:
    """What led to an error of ours inside this package is of no use to whoever reads about a test."""
    last, here = None, error.__traceback__
    while here is not None:
        if not Path(here.tb_frame.f_code.co_filename).is_relative_to(_PACKAGE):
            last = here
        here = here.tb_next
    if last is not None:
        last.tb_next = None


def _seen(item: pytest.Item, taken: Taken, error: BaseException | None) -> Generator[tuple[str, str]]:
    """What a person wants to see of a table on which a test has failed."""
    last = list(taken.tail.lines)  # before the questions that follow
    lost = isinstance(error, LOST)
    item.user_properties.append(("holecard_table", taken.stand.url))
    if isinstance(error, FirmwareCrash) and error.traceback:
        yield "the firmware's own traceback", error.traceback.rstrip()
    yield "the screen", _screen(item, taken, lost)
    yield "the last lines of the wire (> to the table, < from it, * by hand)", "\n".join(last) or "nothing was said"
    if not lost:
        yield "the round", _round(item, taken)


def _screen(item: pytest.Item, taken: Taken, lost: bool) -> str:
    if lost and "panel" not in taken.stand.capabilities:
        return "cannot be read: the table is lost"
    try:
        picture = taken.stand.panel()
    except HolecardError as error:
        return f"cannot be read: {error}"
    path = failure_folder(item.config) / f"{file_name(item.nodeid)}.png"
    try:
        outfile.write(path, picture.to_png())
    except (UsageFault, OutputFault) as fault:
        where = str(fault)
    else:
        where = str(path)
        item.user_properties.append(("holecard_screen", where))
    if not picture.lit:
        return f"{where}: the panel is dark"
    wide = item.config.get_terminal_writer().fullwidth >= 130
    return f"{where}\n{picture.to_text('half' if wide else 'braille')}"


def _round(item: pytest.Item, taken: Taken) -> str:
    """The line that replays the round, or what is known of one that is still open."""
    wire = taken.stand.wire
    lines = []
    try:
        state = wire.ask("TABL:STAT?")
        if any(f'"phase":"{phase}"' in state for phase in _PHASES_OF_A_ROUND):
            lines.append(f"a round is open: {state}")
        history = wire.ask("TABL:HIST?")
        item.user_properties.append(("holecard_history", history))
        lines.append(f"the last finished round: {history}")
    except HolecardError as error:
        lines.append("no round has been finished" if not isinstance(error, LOST) else str(error))
    return "\n".join(lines)
