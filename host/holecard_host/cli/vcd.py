"""`holecard vcd`: a transcript as waveforms."""

from __future__ import annotations

import io
from pathlib import Path
from typing import Annotated

import typer

from holecard_host.cli.files import check_apart, check_file
from holecard_host.outfile import writing
from holecard_host.transcript import vcd as dump
from holecard_host.transcript.read import load


def vcd(
    transcript: Annotated[Path, typer.Argument(metavar="TRANSCRIPT", help="Recorded at a simulated table.")],
    output: Annotated[Path, typer.Option("-o", "--output", metavar="FILE.vcd", help="The file to write.")],
) -> None:
    """Draw keys, lamps, sound and the panel's bus of a transcript for a waveform viewer (GTKWave, PulseView)."""
    check_file(output)
    check_apart([transcript], [output])
    script = load(transcript)
    with writing(output) as raw, io.TextIOWrapper(raw, "ascii", "replace", newline="\n") as file:
        count = dump.write(script, file)
    print(f"{output}: {count} changes of {sum(map(len, dump.SCOPES.values()))} signals")
