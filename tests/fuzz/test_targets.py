"""Every target for a moment, with the same inputs each time; `make fuzz` looks for new ones for as long as it may."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from tests.fuzz.targets import TARGETS, Target

# Inputs of a run: those that need a table take longest.
EXAMPLES = {"wire": 20, "record": 30, "orders": 20, "verify": 30, "journal": 80}
ROOT = Path(__file__).parents[2]


@pytest.mark.parametrize("target", TARGETS, ids=lambda target: target.name)
def test_any_input_is_dealt_with(target: Target) -> None:
    @settings(max_examples=EXAMPLES.get(target.name, 150), suppress_health_check=list(HealthCheck), database=None)
    @given(target.inputs)
    def every(example: object) -> None:
        target.check(example)

    every()


def test_the_long_run_tells_what_it_did_and_how_to_do_it_again() -> None:
    def run(*arguments: str) -> subprocess.CompletedProcess[str]:
        command = [sys.executable, "-m", "tests.fuzz", *arguments]
        return subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False, timeout=120)

    good = run("--seconds", "1", "--jobs", "1", "settings")
    assert good.returncode == 0, good.stdout + good.stderr
    assert "settings" in good.stdout and " 0 failures" in good.stdout
    bad = run("--seconds", "1", "--jobs", "1", "--break-it", "settings")
    assert bad.returncode == 1
    assert "settings: AssertionError: broken on purpose, for b'" in bad.stdout
