"""`holecard screen`: the panel as a picture file."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from holecard_host.errors import UsageFault
from holecard_host.stands import open_stand


def screen(
    url: Annotated[str, typer.Argument(metavar="URL", help="Where the table is, e.g. sim://cpython or /dev/ttyACM0.")],
    output: Annotated[Path, typer.Option("-o", "--output", metavar="FILE.png", help="The file to write.")],
    scale: Annotated[int, typer.Option(min=1, max=64, help="Image pixels to a panel pixel.")] = 6,
) -> None:
    """Save what the panel shows as a PNG file."""
    if output.suffix.lower() != ".png":
        raise UsageFault(f"{output}: the picture is a PNG file, so its name must end in .png")
    with open_stand(url) as stand:
        picture = stand.panel()
    try:
        with output.open("wb") as file:
            picture.save_png(file, scale)
    except OSError as error:
        raise UsageFault(f"{output}: cannot be written: {error.strerror or error}") from None
