"""`holecard query`: raw lines to a table, answers to stdout."""

from __future__ import annotations

import sys
from typing import Annotated

import typer

from holecard_host.cli.files import check_apart
from holecard_host.cli.record import Record
from holecard_host.errors import ScpiError, UsageFault
from holecard_host.stands import open_stand
from holecard_host.transcript.record import recording
from holecard_host.twin.port import LineCounter
from holecard_host.wire import Wire

EXIT_SCPI = 1


def query(
    url: Annotated[str, typer.Argument(metavar="URL", help="Where the table is, e.g. sim://cpython or /dev/ttyACM0.")],
    commands: Annotated[list[str], typer.Argument(metavar="'COMMAND'...", help="SCPI lines, e.g. '*IDN?'.")],
    record: Record = None,
) -> None:
    """Send lines as they are; answers go to stdout, the table's errors to stderr (exit 1)."""
    for line in commands:
        if not line.isascii() or not line.isprintable():
            raise UsageFault(f"{line!r}: a command is one line of ASCII characters")
    check_apart([url], [record])
    failed = False
    with recording(record), open_stand(url) as stand:
        for line in commands:
            failed = not send(stand.wire, line) or failed
    if failed:
        raise typer.Exit(EXIT_SCPI)


def send(wire: Wire, line: str) -> bool:
    """Send one line and print what comes back; False when the table reported errors."""
    try:
        if expects_answer(line):
            print(wire.ask(line), flush=True)
        else:
            wire.command(line)
    except ScpiError as error:
        if error.answer:
            print(error.answer, flush=True)
        for code, text in ((error.code, error.text), *error.others):
            print(f'{code},"{text}"', file=sys.stderr)
        return False
    return True


def expects_answer(line: str) -> bool:
    """Whether a line of ASCII holds a query: a question mark outside quotes."""
    return LineCounter().feed(line.encode() + b"\n") > 0
