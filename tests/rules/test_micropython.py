"""The rules core on MicroPython's unix port: the same cases hold, and random sessions are identical to CPython's."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from tests.rules.core_sessions import session_lines

from holecard.rules.replay import replay

HERE = Path(__file__).parent
ROOT = HERE.parent.parent
MICROPYTHON = shutil.which("micropython", path=str(Path(sys.executable).parent)) or shutil.which("micropython")

pytestmark = pytest.mark.skipif(MICROPYTHON is None, reason="MicroPython's unix port is not installed")

CASES_PROGRAM = """
import json, sys
from core_cases import run_case
for path in sys.argv[1:]:
    for case in json.load(open(path))["cases"]:
        print(case["id"], run_case(case))
"""

SESSIONS_PROGRAM = """
import sys
from core_sessions import session_lines
from holecard.rules.replay import replay
for seed in range(int(sys.argv[1])):
    for line in session_lines(seed, 25, replay):
        print(line)
"""


def run(program: str, folder: Path, *arguments: str) -> list[str]:
    script = folder / "program.py"
    script.write_text(program, encoding="utf-8")
    search = os.pathsep.join([str(ROOT / "firmware"), str(HERE)])
    done = subprocess.run(
        [str(MICROPYTHON), "-X", "heapsize=192k", str(script), *arguments],
        env=dict(os.environ, MICROPYPATH=search),
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert done.returncode == 0, done.stdout[-2000:] + done.stderr
    return done.stdout.splitlines()


def test_all_cases(tmp_path):
    paths = sorted((ROOT / "tests" / "cases").glob("*.json"))
    lines = run(CASES_PROGRAM, tmp_path, *[str(path) for path in paths])
    assert len(lines) >= 75
    assert [line for line in lines if not line.endswith(" []")] == []


def test_random_sessions_are_identical(tmp_path):
    seeds = 12
    expected = [line for seed in range(seeds) for line in session_lines(seed, 25, replay)]
    assert run(SESSIONS_PROGRAM, tmp_path, str(seeds)) == expected
    assert any("*" in line for line in expected), "no refill was met"
    assert any("T" in line.split(" ")[5] for line in expected), "no timeout was met"
