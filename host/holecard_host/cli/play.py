"""`holecard play`: the table in the terminal, or a few printed rounds where there is none."""

from __future__ import annotations

import contextlib
import os
import re
import secrets
import sys
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Annotated

import typer

from holecard_host.cli.demo import demo
from holecard_host.cli.files import check_apart
from holecard_host.cli.record import Record
from holecard_host.condition import Condition, can_press, condition, way_out
from holecard_host.errors import HolecardError, UsageFault
from holecard_host.stands import afterwards, open_stand
from holecard_host.transcript.record import recording

if TYPE_CHECKING:
    from holecard_host.stands import Stand

RULES = ("sifl", "casino")
_SEED_BYTES = 32  # most that BENCh:SEED takes


def play(
    on: Annotated[str, typer.Option(metavar="URL", help="The table to play on.")] = "sim://cpython",
    rules: Annotated[str | None, typer.Option(metavar="sifl|casino", help="Rule set; a new session.")] = None,
    rounds: Annotated[int, typer.Option(min=1, max=50, help="Rounds to print when stdout is no terminal.")] = 3,
    seed: Annotated[
        str | None,
        typer.Option(metavar="HEX", help="The same cards for the same seed (1 to 32 bytes), to repeat a game."),
    ] = None,
    record: Record = None,
) -> None:
    """Play blackjack. Keys: b h s d press, B H S D hold, q quits; or use the mouse.

    Of an arcade table on a cable you see what happens; its keys work only at the table itself.
    Without a terminal it plays a few rounds by itself, as the table's own hints say, and prints each screen.
    The cards are new every time, unless --seed repeats them; a table that stays on gets a secret seed again
    afterwards, except when a round is left open.
    """
    check_rules(rules)
    check_seed(seed)
    check_apart([on], [record])
    given = [name for name, value in (("--rules", rules), ("--seed", seed)) if value is not None]
    person = is_terminal()
    # A simulated table of its own has no other source of chance; every other table shuffles from its own.
    with recording(record), open_stand(on, realtime=person, seed=seed or secrets.token_hex(_SEED_BYTES)) as stand:
        found = condition(stand.wire)
        if given or not person:
            check_condition(stand, found, given)
        with _set_up(stand, rules, seed):
            if not person:
                demo(stand, rounds, seed)
                return
            # Only now: textual takes a while to import, which no other command should pay for.
            from holecard_host.tui.app import play as play_in_terminal  # noqa: PLC0415

            play_in_terminal(stand, found)


@contextlib.contextmanager
def _set_up(stand: Stand, rules: str | None, seed: str | None) -> Iterator[None]:
    """The rules stay as they were asked for; a seed that somebody knows must not outlast the game."""
    if rules is not None:
        stand.wire.command(f"BENC:RUL {rules}")
    if seed is None:
        yield
        return
    with afterwards(stand, f'BENC:SEED "{secrets.token_hex(_SEED_BYTES)}"'):
        stand.wire.command(f'BENC:SEED "{seed}"')
        yield


def check_condition(stand: Stand, found: Condition, given: Sequence[str]) -> None:
    """Raises HolecardError, with what to do instead, where these options or any playing are impossible."""
    if found.locked:
        raise HolecardError(f"{stand.url} is locked ({found.locked}): {way_out(stand.url, found)}")
    if found.arcade and given:
        raise HolecardError(
            f"{stand.url} is an arcade table, which takes no {' and no '.join(given)}: its owner sets the rules,"
            f" `holecard operator {stand.url} 'RULES casino' --key-file FILE`"
        )
    if not can_press(stand, found):
        raise HolecardError(
            f"{stand.url} is an arcade table, whose keys work only at the table itself: `holecard play` in a terminal"
            " shows what happens there, `holecard screen` takes its picture"
        )


def is_terminal() -> bool:
    """Whether a person can play here: on a terminal that can do more than print."""
    # textual reads stdin and draws on stderr, so all three must be one.
    streams = (sys.stdin, sys.stdout, sys.stderr)
    return all(stream is not None and stream.isatty() for stream in streams) and os.environ.get("TERM") != "dumb"


def check_rules(rules: str | None) -> None:
    """Raises UsageFault for a rule set that does not exist."""
    if rules is not None and rules not in RULES:
        raise UsageFault(f"--rules {rules}: one of {', '.join(RULES)}")


def check_seed(seed: str | None) -> None:
    """Raises UsageFault for what is not 1 to 32 bytes in hexadecimal."""
    if seed is not None and re.fullmatch(rf"(?:[0-9A-Fa-f]{{2}}){{1,{_SEED_BYTES}}}", seed) is None:
        raise UsageFault(f"--seed {seed}: 1 to {_SEED_BYTES} bytes in hexadecimal, two digits each")
