"""`holecard audit`: a table's meters, accounts, last rounds and log."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Annotated, Any

import typer
from rich.console import Console
from rich.markup import escape
from rich.table import Table

from holecard_host.audit import Verdict, verdict
from holecard_host.audit import audit as look
from holecard_host.checkup import program
from holecard_host.stands import is_own, keep_one, open_stand
from holecard_host.text import dollars, printable

EXIT_WRONG = 1
# Narrower than this, a table of the rounds would break every card into a line of its own.
_WIDE = 72
_MONEY = ("wagered", "won")


def audit(
    url: Annotated[str, typer.Argument(metavar="URL", help="Where the table is, e.g. /dev/ttyACM0 or sim://cpython.")],
    as_json: Annotated[bool, typer.Option("--json", help="Print everything as JSON and nothing else.")] = False,
) -> None:
    """Meters, self-audit, last rounds and event log. Exit 0 when the accounts add up and nothing is locked, else 1."""
    with open_stand(url) as stand:
        found = look(stand.wire)
    ours = verdict(found["accounts"])
    if as_json:
        print(json.dumps({**found, "ok": ours.good, "verdict": ours.words}, indent=1))
    else:
        console = Console(highlight=False)
        _tell(console, found, ours)
        if is_own(url):
            console.print(f"\n{keep_one(url)}", style="dim", soft_wrap=True)
    if not ours.good:
        raise typer.Exit(EXIT_WRONG)


def _tell(console: Console, found: dict[str, Any], ours: Verdict) -> None:
    console.print(f"{_text(found['identity'])}, {_text(found['mode'])} mode")
    _tell_verdict(console, found, ours)
    console.print(f"Program: {escape(program(found['program']).text)}")
    if found["accounts"].get("known", True):
        _tell_money(console, found)
    else:
        console.print("Meters and last rounds: not read")
    console.print()
    console.print("Log, newest first: start, seconds since, event" if found["log"] else "Log: empty")
    if found["log"]:
        console.print(_grid(">s >t e", _log(found["log"])))
    if not ours.good:
        # On a small terminal the first lines are gone by now.
        console.print()
        _tell_verdict(console, found, ours)


def _tell_verdict(console: Console, found: dict[str, Any], ours: Verdict) -> None:
    colour = "green" if ours.good else "bold red"
    console.print(f"[{colour}]Accounts: {_text(ours.words)}[/]")
    if found["accounts"].get("locked"):
        console.print(f"[{colour}]The table is locked: {_text(found['accounts']['locked'])}[/]")
    if ours.remedy:
        console.print(f"What to do: {_text(ours.remedy)}")


def _tell_money(console: Console, found: dict[str, Any]) -> None:
    accounts = found["accounts"]
    console.print(
        f"Bankrolls {_money(accounts.get('bankrolls'))}, expected {_money(accounts.get('expected'))}"
        f" (paid in {_money(accounts.get('paid_in'))}, plus won, less wagered)"
    )
    console.print()
    console.print("Meters")
    console.print(_grid("m >n", _meters(found["meters"])))
    console.print()
    if console.width >= _WIDE:
        console.print("Last rounds, newest first" if found["rounds"] else "Last rounds: none")
        if found["rounds"]:
            console.print(_grid(">Back Rules Dealer >Seat >Bet Hands >Net", _rounds(found["rounds"])))
    else:
        _tell_rounds(console, found["rounds"])


def _grid(titles: str, rows: Iterator[tuple[str, ...]]) -> Table:
    """Columns without frames, which leave the room to what they hold. A title that begins with > is that of numbers;
    titles of one letter are not shown."""
    names = titles.split()
    grid = Table(box=None, show_header=max(map(len, names)) > len(">x"), pad_edge=False, padding=(0, 2, 0, 0))
    for name in names:
        number = name.startswith(">")
        grid.add_column(name.lstrip(">"), justify="right" if number else "left", no_wrap=number, overflow="fold")
    for row in rows:
        grid.add_row(*row)
    return grid


def _meters(meters: dict[str, Any]) -> Iterator[tuple[str, ...]]:
    for name, value in meters.items():
        text = _money(value) if name in _MONEY else _text(value)
        yield _text(name.replace("_", " ")), text


def _rounds(rounds: list[dict[str, Any]]) -> Iterator[tuple[str, ...]]:
    for back, one in enumerate(rounds):
        for number, seat in enumerate(one["seats"]):
            head = (str(back), one["rules"], _cards(one["dealer"], one["dealer_total"])) if not number else ("", "", "")
            yield *head, str(number), _money(seat["bet"]), _hands(seat), _net(seat["net"])


def _tell_rounds(console: Console, rounds: list[dict[str, Any]]) -> None:
    console.print("Last rounds, newest first" if rounds else "Last rounds: none")
    for back, one in enumerate(rounds):
        console.print(f"{back}: {one['rules']}, dealer {_cards(one['dealer'], one['dealer_total'])}")
        for number, seat in enumerate(one["seats"]):
            name = f"seat {number}: " if len(one["seats"]) > 1 else ""
            console.print(f"   {name}{_hands(seat)}")
            if seat["hands"]:
                console.print(f"   bet {_money(seat['bet'])}, net {_net(seat['net'])}")


def _hands(seat: dict[str, Any]) -> str:
    hands = " / ".join(
        f"{_cards(hand['cards'], hand['total'])} {_text(hand['outcome'].replace('_', ' '))}" for hand in seat["hands"]
    )
    return hands or "sits out"


def _cards(cards: list[str], total: int) -> str:
    return f"{' '.join(cards).replace('T', '10')} ({total})"


def _log(entries: list[dict[str, Any]]) -> Iterator[tuple[str, ...]]:
    for entry in entries:
        start, seconds, text = [
            _text("" if entry.get(key) is None else entry[key]) for key in ("start", "seconds", "text")
        ]
        yield start, seconds, text


def _text(value: object) -> str:
    return escape(printable(str(value)))


def _money(amount: object) -> str:
    return escape(dollars(amount))


def _net(amount: float) -> str:
    return ("+" if amount > 0 else "") + _money(amount)
