"""The wire and the power: what a host does to a table, on purpose or by accident."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from holecard import __version__

from ...errors import StandFault
from ...steps.compare import differences
from ..suite import Bench

_CUTS = 3
_NOISE = 3000
_FLOOD = 300
# Not in the noise: Ctrl-C leads to MicroPython's prompt on a bench, and is meant to; for what looks like a query a
# simulated table waits.
_NOT_NOISE = b"\x03?"


def identity(bench: Bench) -> None:
    fields = bench.steps.ask("*IDN?").split(",")
    good = [
        len(fields) == 4,
        fields[0] == "Holecard",
        len(fields) > 1 and fields[1].startswith("Table-"),
        len(fields) > 2 and bool(fields[2]),
    ]
    bench.measure("fields", sum(good), ",".join(fields))
    bench.measure("same_version", fields[-1] == __version__, f"{fields[-1]}, the suite is {__version__}")


def selftest(bench: Bench) -> None:
    bench.measure("errors", int(bench.steps.ask("SYST:ERR:COUN?")))
    bench.measure("sum", int(bench.steps.ask("*TST?")))


def robustness(bench: Bench) -> None:
    """Each attack leaves the port in disorder; then the table must answer, and the game must be as before."""
    wire, steps = bench.stand.wire, bench.steps
    steps.shoe(5, "K", 6, 7, 9)
    steps.bet(20)
    steps.deal()
    noise = bytes(byte for byte in bench.dice.randbytes(_NOISE) if byte not in _NOT_NOISE)

    def reopened() -> None:
        wire.send_raw(b"BENC:BANK 0,")
        wire.hang_up()
        wire.reopen()

    attacks: dict[str, Callable[[], Any]] = {
        "a flood of queries": lambda: wire.send_raw(b"*IDN?\n" * _FLOOD),
        "half a line": lambda: wire.send_raw(b"BENC:BANK 0,7"),
        "noise": lambda: wire.send_raw(noise + b"\n"),
        "every line ending": lambda: wire.send_raw(b"\r\n\n\r\r\n;;\n:\n"),
        "a line without end": lambda: wire.send_raw(b"A" * 5000),
        "a port that is re-opened in a line": reopened,
    }
    before = steps.state()
    silent, changed = [], []
    for name, attack in attacks.items():
        attack()
        try:
            wire.sync()
        except StandFault as fault:
            silent.append(f"{name}: {fault}")
            wire.reopen()
            wire.sync()
        steps.settle()
        different = list(differences(before, steps.state()))
        if different:
            changed.append(f"{name}: {different[0]}")
    bench.measure("silent", len(silent), "; ".join(silent))
    bench.measure("changed", len(changed), "; ".join(changed))
    wire.send_raw(b"X" * 300 + b"\n")
    refused = steps.ask("SYST:ERR?")
    bench.measure("overlong", refused.startswith("-363"), refused)


def power(bench: Bench) -> None:
    """The power goes while a hand is played, at different moments; the round comes back as it was."""
    steps = bench.steps
    lost: list[str] = []
    steps.bankroll(500)
    steps.shoe(5, "K", 4, 7, 2, 3, 10)
    steps.bet(20)
    steps.deal()
    before = steps.state()
    for _ in range(_CUTS):
        steps.wait(bench.dice.randrange(1, 200))
        steps.cut_power(bench.dice.randrange(50, 1500))
        lost += differences(before, steps.state())
    bench.show("after the power cuts")
    steps.act("HIT")
    bench.measure("lost", len(lost), "; ".join(lost[:3]))
    held = steps.state()["bankrolls"][0]
    steps.cut_power()
    bench.measure("money", steps.state()["bankrolls"][0] - held)
