"""The pytest plugin: `pytest --table URL` runs tests on blackjack tables, simulated and real.

Fixtures: `table` (the steps of `holecard_host.steps.Steps`, on a fresh table), `screen` (what it shows, and golden
screens), `wire` (its command language), and `stand` (the table as it is, with its capabilities). A test marked
`@pytest.mark.needs("power")` is skipped, with the reason, where the stand cannot do that.

Several `--table` share the tests: in one process they take turns, with pytest-xdist each worker has a table of its own.
With `--each-table` every test runs on every table. Without `--table` all of this costs nothing, and the tests that ask
for a table are skipped; so only what pytest itself has loaded already is imported here.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from ..stands import Stand
    from ..steps import Steps
    from ..wire import Wire
    from .pool import Pool, Taken
    from .screens import Screen

NO_TABLE = "no table to test: pytest --table URL, such as sim://cpython or /dev/ttyACM0"
_POOL: pytest.StashKey[Pool] = pytest.StashKey()
# Where a test item keeps the table it got. Not in a module that is loaded later, and perhaps more than once.
TAKEN: pytest.StashKey[Taken] = pytest.StashKey()


def pytest_addoption(parser: pytest.Parser) -> None:
    group = parser.getgroup("holecard", "Holecard blackjack tables")
    group.addoption(
        "--table",
        action="append",
        default=[],
        dest="holecard_tables",
        metavar="URL",
        help="a table to test: sim://cpython, sim://micropython, sim://NAME, rp2040://, a serial port, or"
        " socket://HOST:PORT; several share the tests",
    )
    group.addoption("--each-table", action="store_true", help="run every test on every table")
    group.addoption("--update-screens", action="store_true", help="write golden screens instead of comparing with them")
    group.addoption(
        "--failure-dir",
        default="holecard-failures",
        metavar="DIR",
        help="where the screens of failed tests are left (default: holecard-failures)",
    )


def pytest_configure(config: pytest.Config) -> None:
    config.addinivalue_line("markers", "needs(capability, ...): skip where the table's stand does not have these")
    if config.option.holecard_tables:
        from . import hooks  # noqa: PLC0415

        config.stash[_POOL] = hooks.pool(config)
        config.pluginmanager.register(hooks, "holecard-hooks")


def pytest_unconfigure(config: pytest.Config) -> None:
    pool = config.stash.get(_POOL, None)
    if pool is not None:
        pool.close()


# Here, because pytest-xdist asks before anything is configured.
@pytest.hookimpl(optionalhook=True, tryfirst=True)
def pytest_xdist_auto_num_workers(config: pytest.Config) -> int | None:
    """-n auto: as many workers as there are tables, unless every worker can have one of its own."""
    if not config.option.holecard_tables:
        return None
    from .pool import exclusive  # noqa: PLC0415

    urls = config.option.holecard_tables
    return len(urls) if any(map(exclusive, urls)) else None


@pytest.fixture
def holecard_url(request: pytest.FixtureRequest) -> str | None:
    """The table that this test has to run on; None where any will do."""
    return getattr(request, "param", None)


@pytest.fixture
def stand(request: pytest.FixtureRequest, holecard_url: str | None) -> Stand:
    """The table as the test before left it; it answers, and its power is on."""
    pool = request.config.stash.get(_POOL, None)
    if pool is None:
        pytest.skip(NO_TABLE)
    return pool.take(request.node, holecard_url)


@pytest.fixture
def table(request: pytest.FixtureRequest, stand: Stand) -> Steps:
    """A fresh table: Sifl & Olly's rules, one seat with the start bankroll, nothing stacked, no event waiting."""
    from ..steps import Steps  # noqa: PLC0415

    steps = Steps(stand)
    if "bench" not in stand.capabilities:
        pytest.skip(f"{stand.url} cannot be made fresh: it is not in bench mode")
    steps.fresh()
    request.node.stash[TAKEN].tail.clear()
    return steps


@pytest.fixture
def wire(table: Steps) -> Wire:
    """The command language of a fresh table."""
    return table.wire


@pytest.fixture
def screen(request: pytest.FixtureRequest, table: Steps) -> Iterator[Screen]:
    """What a fresh table shows, and `screen.check("name")` against the golden screens beside the test."""
    from .screens import of  # noqa: PLC0415

    yield of(request, table)
