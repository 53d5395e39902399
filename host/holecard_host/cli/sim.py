"""`holecard sim`: a simulated table that stays on for several commands."""

from __future__ import annotations

from typing import Annotated

import typer

from holecard_host.cli.play import check_rules
from holecard_host.stands import open_stand
from holecard_host.twin.holder import Holder


def sim(
    name: Annotated[str, typer.Option(help="Its name: other commands reach it as sim://NAME.")],
    kind: Annotated[str, typer.Option(metavar="cpython|micropython|pi", help="What runs the firmware.")] = "cpython",
    rules: Annotated[str | None, typer.Option(metavar="sifl|casino", help="Rule set to start with.")] = None,
) -> None:
    """Keep a simulated table running until Ctrl-C."""
    check_rules(rules)
    with Holder(name, kind) as holder:
        url = f"sim://{name}"
        if rules is not None:
            with open_stand(url) as stand:
                stand.wire.command(f"BENC:RUL {rules}")
        print(f"A simulated table runs as {url}, its serial port is {holder.entry.port}")
        print(f"  play:   holecard play --on {url}")
        print(f"  query:  holecard query {url} '*IDN?'")
        print("Ctrl-C ends it.", flush=True)
        holder.wait()
