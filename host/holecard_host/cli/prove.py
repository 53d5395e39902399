"""`holecard prove`: keeps the public log of a table that somebody plays."""

from __future__ import annotations

import contextlib
import time
from pathlib import Path
from typing import Annotated

import typer

from holecard_host.prove import Follower, PublicLog
from holecard_host.stands import open_stand

_EVERY_SECONDS = 0.2
_SEAL = 8


def prove(
    url: Annotated[str, typer.Argument(metavar="URL", help="Where the table is, e.g. /dev/ttyACM0 or sim://NAME.")],
    log: Annotated[Path, typer.Argument(metavar="LOG", help="The log; an old one of the same table is continued.")],
    cut: Annotated[
        bool, typer.Option("--cut", help="Add a random number of this computer to the cut of every shoe.")
    ] = False,
    once: Annotated[bool, typer.Option("--once", help="Write what the table can tell now, and end.")] = False,
) -> None:
    """Write down promises, cuts, rounds and secrets while the table is played; Ctrl-C ends it.

    Exit 1 if something was missed that the table cannot tell any more.
    """
    with contextlib.closing(PublicLog(log)) as written, open_stand(url) as stand:
        try:
            follower = Follower(stand.wire, written, cut)
            _tell(follower.step(first=True))
            while not once:
                time.sleep(_EVERY_SECONDS)
                _tell(follower.step())
        finally:
            if written.lines:
                print(f"{log}: {len(written.lines)} lines. Check it with: holecard verify {log}", flush=True)


def _tell(lines: list[str]) -> None:
    for line in lines:
        words = line.split()
        if words[0] == "commit":
            print(f"shoe {words[1]}: promised #{words[2][:_SEAL].upper()}", flush=True)
        elif words[0] == "cut":
            by = [name for name, data in (("buttons", words[2]), ("host", words[3])) if data != "-"]
            print(f"shoe {words[1]}: cut by {' and '.join(by) or 'nobody'}", flush=True)
        elif words[0] == "round":
            print(f"shoe {words[1]}: round {words[2]}", flush=True)
        elif words[0] == "reveal":
            print(f"shoe {words[1]}: revealed, rounds {words[3]}", flush=True)
