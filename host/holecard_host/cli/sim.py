"""`holecard sim`: a simulated table that stays on for several commands."""

from __future__ import annotations

import contextlib
from pathlib import Path
from typing import Annotated

import typer

from holecard_host.cli.play import check_condition, check_rules
from holecard_host.condition import condition
from holecard_host.stands import open_stand
from holecard_host.window import Window


def sim(
    name: Annotated[str, typer.Option(help="Its name: other commands reach it as sim://NAME.")],
    kind: Annotated[str, typer.Option(metavar="cpython|micropython|pi", help="What runs the firmware.")] = "cpython",
    rules: Annotated[str | None, typer.Option(metavar="sifl|casino", help="Rule set to start with.")] = None,
    keep: Annotated[
        Path | None,
        typer.Option(metavar="DIR", help="Keep its flash there: bankroll, open round and meters outlast Ctrl-C."),
    ] = None,
    settings: Annotated[Path | None, typer.Option(metavar="FILE.json", help="Settings to put on the table.")] = None,
    arcade: Annotated[bool, typer.Option("--arcade", help="Fit the strap that makes it an arcade table.")] = False,
    window: Annotated[bool, typer.Option("--window", help="Show its panel in a window, which ends it too.")] = False,
) -> None:
    """Keep a simulated table running until Ctrl-C. holecard power switches it off and on meanwhile."""
    from holecard_host.cli.image import settings_file  # noqa: PLC0415
    from holecard_host.twin import registry  # noqa: PLC0415
    from holecard_host.twin.holder import Holder  # noqa: PLC0415
    from holecard_host.twin.kept import KeptFlash  # noqa: PLC0415

    check_rules(rules)
    # Says now what is missing.
    glass = Window() if window else None
    registry.check_name(name)
    files = settings_file(settings)
    with contextlib.ExitStack() as stack:
        flash = None if keep is None else stack.enter_context(contextlib.closing(KeptFlash(keep)))
        holder = stack.enter_context(Holder(name, kind, files=files, keep=flash, strap=arcade))
        url = f"sim://{name}"
        if rules is not None:
            with open_stand(url) as stand:
                check_condition(stand, condition(stand.wire), ["--rules"])
                stand.wire.command(f"BENC:RUL {rules}")
        print(f"A simulated table runs as {url}, its serial port is {holder.entry.port}")
        print(f"  play:   holecard play --on {url}")
        print(f"  query:  holecard query {url} '*IDN?'")
        print(f"  power:  holecard power {url} off|on|cycle")
        if keep is not None:
            print(f"  flash:  {keep}")
        print("Ctrl-C ends it.", flush=True)
        holder.wait(None if glass is None else lambda: glass.show(holder.twin.frame()))
