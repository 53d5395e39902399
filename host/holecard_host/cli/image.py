"""`holecard image`: MicroPython and the table in one file, to be dragged onto a Pico's drive."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Annotated

import typer

from holecard.boards import settings as device_settings
from holecard_host.cli.files import check_apart, check_output, read_settings
from holecard_host.errors import UsageFault
from holecard_host.infile import read
from holecard_host.outfile import write

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
    from holecard_host import firmware_files, uf2  # noqa: PLC0415

    check_output(output, ".uf2", "the image is a UF2 file")
    path = _micropython(micropython)
    check_apart([path, settings], [output])
    system = read(path)
    uf2.check(system, str(path))
    chosen = settings_file(settings)
    files = {**(firmware_files.plain() if source else firmware_files.compiled()), **chosen}
    write(output, uf2.join(system, firmware_files.image(files), str(path)))
    size = sum(map(len, files.values()))
    print(f"{output}: MicroPython {uf2.version(system)} and the table ({len(files)} files, {size // 1024} KiB)")
    print("Hold BOOTSEL while you plug the Pico in, then copy the file onto the drive RPI-RP2.")


def settings_file(settings: Path | None) -> dict[str, bytes]:
    """The settings by their path on the device. Raises UsageFault for those that the table would refuse."""
    return {} if settings is None else {device_settings.NAME: read_settings(settings)}


def _micropython(given: Path | None) -> Path:
    if given is not None:
        return given
    named = os.environ.get(VARIABLE)
    if named:
        return Path(named)
    raise UsageFault(
        f"MicroPython's own image is needed: download RPI_PICO (.uf2) from {WHERE}, then --micropython FILE"
    )
