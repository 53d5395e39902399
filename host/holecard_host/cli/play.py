"""`holecard play`: the table in the terminal, or a few printed rounds where there is none."""

from __future__ import annotations

import os
import sys
from typing import Annotated

import typer

from holecard_host.cli.demo import demo
from holecard_host.errors import UsageFault
from holecard_host.stands import open_stand

RULES = ("sifl", "casino")


def play(
    on: Annotated[str, typer.Option(metavar="URL", help="The table to play on.")] = "sim://cpython",
    rules: Annotated[str | None, typer.Option(metavar="sifl|casino", help="Rule set; a new session.")] = None,
    rounds: Annotated[int, typer.Option(min=1, max=50, help="Rounds to print when stdout is no terminal.")] = 3,
) -> None:
    """Play blackjack. Keys: b h s d press, B H S D hold, q quits; or use the mouse."""
    check_rules(rules)
    person = is_terminal()
    with open_stand(on, realtime=person) as stand:
        if rules is not None:
            stand.wire.command(f"BENC:RUL {rules}")
        if not person:
            demo(stand, rounds)
            return
        # Only now: textual takes a while to import, which no other command should pay for.
        from holecard_host.tui.app import play as play_in_terminal  # noqa: PLC0415

        play_in_terminal(stand)


def is_terminal() -> bool:
    """Whether a person can play here: on a terminal that can do more than print."""
    # textual reads stdin and draws on stderr, so all three must be one.
    streams = (sys.stdin, sys.stdout, sys.stderr)
    return all(stream is not None and stream.isatty() for stream in streams) and os.environ.get("TERM") != "dumb"


def check_rules(rules: str | None) -> None:
    """Raises UsageFault for a rule set that does not exist."""
    if rules is not None and rules not in RULES:
        raise UsageFault(f"--rules {rules}: one of {', '.join(RULES)}")
