"""What a command imports before it does anything: its user waits for that every time."""

import subprocess
import sys

import pytest
from tests.host.test_cli import COMMANDS

HEAVY = ("rich", "textual", "PIL", "mpremote", "serial", "holecard_host.bundle", "holecard_host.twin.live")
PROGRAM = f"""
import sys
from holecard_host.cli import app
try:
    app.main()
except SystemExit:
    pass
print(*[name for name in {HEAVY} if name in sys.modules], file=sys.stderr)
"""


def imported(*arguments: str) -> set[str]:
    run = subprocess.run([sys.executable, "-c", PROGRAM, *arguments], capture_output=True, text=True, check=True)
    return set(run.stderr.splitlines()[-1].split())


def test_the_version_needs_nothing():
    assert imported("--version") == set()


def test_the_help_needs_no_more_than_what_draws_it():
    assert imported("--help") <= {"rich", "serial"}


def test_a_query_needs_the_simulation_and_no_pictures():
    assert imported("query", "sim://cpython", "*IDN?") == {"serial", "holecard_host.twin.live"}


@pytest.mark.parametrize("command", COMMANDS)
def test_no_command_imports_all_there_is(command):
    assert not {"textual", "PIL", "mpremote", "holecard_host.bundle"} & imported(command, "--help")
