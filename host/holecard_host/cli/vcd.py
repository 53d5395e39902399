"""`holecard vcd`: a transcript as waveforms."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from holecard_host.errors import UsageFault
from holecard_host.transcript import vcd as dump
from holecard_host.transcript.read import load


def vcd(
    transcript: Annotated[Path, typer.Argument(metavar="TRANSCRIPT", help="Recorded at a simulated table.")],
    output: Annotated[Path, typer.Option("-o", "--output", metavar="FILE.vcd", help="The file to write.")],
) -> None:
    """Draw keys, lamps, sound and the panel's bus of a transcript for a waveform viewer (GTKWave, PulseView)."""
    script = load(transcript)
    try:
        with output.open("w", encoding="ascii", errors="replace") as file:
            count = dump.write(script, file)
    except OSError as error:
        raise UsageFault(f"{output}: cannot be written: {error.strerror or error}") from None
    print(f"{output}: {count} changes of {sum(map(len, dump.SCOPES.values()))} signals")
