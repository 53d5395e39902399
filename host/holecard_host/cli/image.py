"""`holecard image`: MicroPython and the table in one file, to be dragged onto a Pico's drive."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Annotated

import typer

from holecard.boards import settings as device_settings
from holecard_host import firmware_files, uf2
from holecard_host.errors import UsageFault

WHERE = "https://micropython.org/download/RPI_PICO/"
VARIABLE = "HOLECARD_UF2"


def image(
    output: Annotated[Path, typer.Option("-o", "--output", metavar="FILE.uf2", help="The file to write.")],
    micropython: Annotated[
        Path | None, typer.Option(metavar="FILE.uf2", help=f"MicroPython for the Pico; else what {VARIABLE} names.")
    ] = None,
    source: Annotated[bool, typer.Option("--source", help="Plain .py files, to be edited on the Pico.")] = False,
    settings: Annotated[Path | None, typer.Option(metavar="FILE.json", help="Settings to put on the Pico.")] = None,
) -> None:
    """Write one UF2 file with MicroPython and the table. Copied to a Pico, it replaces everything there."""
    if output.suffix.lower() != ".uf2":
        raise UsageFault(f"{output}: the image is a UF2 file, so its name must end in .uf2")
    path = _micropython(micropython)
    system = _read(path)
    files = files_for(source, settings)
    data = uf2.join(system, firmware_files.image(files), str(path))
    try:
        output.parent.mkdir(parents=True, exist_ok=True)
        output.write_bytes(data)
    except OSError as error:
        raise UsageFault(f"{output}: cannot be written: {error.strerror or error}") from None
    size = sum(map(len, files.values()))
    print(f"{output}: MicroPython {uf2.version(system)} and the table ({len(files)} files, {size // 1024} KiB)")
    print("Hold BOOTSEL while you plug the Pico in, then copy the file onto the drive RPI-RP2.")


def files_for(source: bool, settings: Path | None) -> dict[str, bytes]:
    """Every file of the device, by its path there. Raises UsageFault for settings that the table would refuse."""
    files = firmware_files.plain() if source else firmware_files.compiled()
    if settings is not None:
        data = _read(settings)
        problem = device_settings.parse(data).problem
        if problem:
            raise UsageFault(f"{settings}: {problem}")
        files[device_settings.NAME] = data
    return files


def _micropython(given: Path | None) -> Path:
    if given is not None:
        return given
    named = os.environ.get(VARIABLE)
    if named:
        return Path(named)
    raise UsageFault(
        f"MicroPython's own image is needed: download RPI_PICO (.uf2) from {WHERE}, then --micropython FILE"
    )


def _read(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError as error:
        raise UsageFault(f"{path}: cannot be read: {error.strerror or error}") from None
