"""`holecard screen`: the panel as a picture file."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from holecard_host.cli.files import check_apart, check_output
from holecard_host.outfile import write
from holecard_host.stands import open_stand


def screen(
    url: Annotated[str, typer.Argument(metavar="URL", help="Where the table is, e.g. sim://cpython or /dev/ttyACM0.")],
    output: Annotated[Path, typer.Option("-o", "--output", metavar="FILE.png", help="The file to write.")],
    scale: Annotated[int, typer.Option(min=1, max=64, help="Image pixels to a panel pixel.")] = 6,
) -> None:
    """Save what the panel shows as a PNG file."""
    check_output(output, ".png", "the picture is a PNG file")
    check_apart([url], [output])
    with open_stand(url) as stand:
        picture = stand.panel()
    write(output, picture.to_png(scale))
