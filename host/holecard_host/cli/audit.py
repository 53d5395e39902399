"""`holecard audit`: a table's meters, accounts, last rounds and log."""

from __future__ import annotations

import json
from typing import Annotated, Any

import typer
from rich.console import Console
from rich.markup import escape
from rich.table import Table

from holecard_host.audit import audit as look
from holecard_host.checkup import program
from holecard_host.stands import open_stand
from holecard_host.text import printable

EXIT_WRONG = 1


def audit(
    url: Annotated[str, typer.Argument(metavar="URL", help="Where the table is, e.g. /dev/ttyACM0 or sim://cpython.")],
    as_json: Annotated[bool, typer.Option("--json", help="Print everything as JSON and nothing else.")] = False,
) -> None:
    """Meters, self-audit, last rounds and event log. Exit 0 when the accounts add up and nothing is locked, else 1."""
    with open_stand(url) as stand:
        found = look(stand.wire)
    good = found["accounts"].get("ok") is True and not found["accounts"].get("locked")
    if as_json:
        print(json.dumps({**found, "ok": good}, indent=1))
    else:
        _tell(found, good)
    if not good:
        raise typer.Exit(EXIT_WRONG)


def _tell(found: dict[str, Any], good: bool) -> None:
    console = Console()
    console.print(f"{_text(found['identity'])}, {_text(found['mode'])} mode", soft_wrap=True, highlight=False)
    meters = Table("meter", "count", title="Meters", title_justify="left")
    for name, value in found["meters"].items():
        meters.add_row(_text(name.replace("_", " ")), _money(value) if name in ("wagered", "won") else _text(value))
    console.print(meters)
    accounts = found["accounts"]
    verdict = "[green]add up[/]" if good else "[red]do not add up[/]"
    if accounts.get("locked"):
        verdict = f"[red]locked: {_text(accounts['locked'])}[/]"
    console.print(f"Program: {escape(program(found['program']).text)}", highlight=False)
    there, wanted = _money(accounts.get("bankrolls")), _money(accounts.get("expected"))
    console.print(f"Accounts: bankrolls {there}, expected {wanted}: {verdict}", highlight=False)
    rounds = Table("back", "rules", "dealer", "seat", "bet", "hands", "net", title="Last rounds", title_justify="left")
    for back, one in enumerate(found["rounds"]):
        dealer = f"{' '.join(one['dealer'])} ({one['dealer_total']})"
        for number, seat in enumerate(one["seats"]):
            first = number == 0
            head = (str(back), one["rules"], dealer) if first else ("", "", "")
            hands = " / ".join(f"{' '.join(h['cards'])} ({h['total']}) {h['outcome']}" for h in seat["hands"])
            rounds.add_row(*head, str(number), _money(seat["bet"]), hands or "sits out", _money(seat["net"]))
    console.print(rounds)
    log = Table("start", "seconds", "event", title="Log, newest first", title_justify="left")
    for entry in found["log"]:
        log.add_row(*[_text("" if entry.get(key) is None else entry[key]) for key in ("start", "seconds", "text")])
    console.print(log)


def _text(value: object) -> str:
    return escape(printable(str(value)))


def _money(dollars: object) -> str:
    if not isinstance(dollars, (int, float)):
        return _text(dollars)
    return f"{dollars:,.2f}" if dollars % 1 else f"{int(dollars):,}"
