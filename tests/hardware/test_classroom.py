"""hardware/CLASSROOM.md followed literally: each command is run, in a copy with the change that the page asks for."""

from __future__ import annotations

import os
import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from tools import pinmap

PAGE = pinmap.ROOT / "hardware" / "CLASSROOM.md"
_BLOCK = re.compile(r"(?:<!-- with (\S+): (.*?) -> (.*?) -->\n)?```console\n\$ (.*?)\n(.*?)```", re.DOTALL)
BLOCKS = _BLOCK.findall(PAGE.read_text(encoding="utf-8"))


@pytest.fixture(scope="module")
def copy(tmp_path_factory: pytest.TempPathFactory) -> Path:
    there = tmp_path_factory.mktemp("class")
    for name in ("firmware", "host", "hardware", "tools", "tests", "docs"):
        shutil.copytree(pinmap.ROOT / name, there / name, ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copy(pinmap.ROOT / "pyproject.toml", there)
    return there


def run(command: str, folder: Path) -> list[str]:
    program, *arguments = shlex.split(command)
    start = [sys.executable] if program == "python" else [sys.executable, "-m", "holecard_host"]
    paths = os.pathsep.join(str(folder / name) for name in ("firmware", "host", "."))
    environment = os.environ | {"PYTHONPATH": paths, "COLUMNS": "80", "PYTHONDONTWRITEBYTECODE": "1"}
    # Nor is pytest to know that a machine reads it, which then gets longer lines.
    for name in ("PYTEST_XDIST_WORKER", "CI", "BUILD_NUMBER"):
        environment.pop(name, None)
    done = subprocess.run(
        [*start, *arguments], cwd=folder, env=environment, capture_output=True, text=True, check=False, timeout=300
    )
    return _lines(done.stdout + done.stderr)


def _lines(text: str) -> list[str]:
    """The lines, without the instants of events: every change of the firmware moves them."""
    return [re.sub(r"^ *-?\d+\.\d ms  ", "", line.rstrip()) for line in text.splitlines()]


def test_the_page_has_its_blocks() -> None:
    assert len(BLOCKS) == PAGE.read_text(encoding="utf-8").count("```console") >= 14


@pytest.mark.parametrize("number", range(len(BLOCKS)))
def test_what_the_page_shows_is_what_comes(number: int, copy: Path) -> None:
    name, before, after, command, shown = BLOCKS[number]
    if "pytest" in command and sys.platform == "win32":
        pytest.skip("another shell")
    file = copy / name if name else None
    text = file.read_text(encoding="utf-8") if file else ""
    try:
        if file:
            assert before in text, f"{name} has no {before!r}"
            file.write_text(text.replace(before, after), encoding="utf-8")
        came = run(command, copy)
    finally:
        if file:
            file.write_text(text, encoding="utf-8")
    lines = iter(came)
    for line in _lines(shown):
        assert line == "..." or line in lines, f"{line!r} is not in\n" + "\n".join(came)
