"""The option --record of the commands that talk to a table."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

Record = Annotated[
    Path | None,
    typer.Option("--record", metavar="FILE", envvar="HOLECARD_RECORD", help="Write a transcript of what is said."),
]
