"""`python -m bench`: the rules core, the device, the wear of its flash and the wire, measured into build/bench.json.

Exit 1 if a budget is missed.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from rich.console import Console

from holecard_host.errors import HolecardError, StandFault
from holecard_host.twin.emulated import needs

from . import cases, device, engines, rows, speed, values, wire


def main(arguments: list[str] | None = None) -> int:
    """Measure, print, write; 0 if every budget is kept, 1 if not, 2 if an engine to compare with is missing."""
    parser = argparse.ArgumentParser(prog="bench", description="the rules core and the device, measured")
    parser.add_argument("--rounds", type=int, default=30_000, help="rounds per engine and repetition (%(default)s)")
    parser.add_argument("--repetitions", type=int, default=9, help="runs of every engine, in turn (%(default)s)")
    parser.add_argument("--value-rounds", type=int, default=2_000_000, help="rounds per check value (%(default)s)")
    parser.add_argument("--output", type=Path, default=Path("build/bench.json"), help="result file (%(default)s)")
    parser.add_argument(
        "--table", type=Path, default=Path("firmware/README.md"), help="where the device's rows go (%(default)s)"
    )
    parser.add_argument(
        "--device",
        action=argparse.BooleanOptionalAction,
        default=True,
        help="measure the table on the emulated chip (two to five minutes)",
    )
    parser.add_argument(
        "--wear",
        action=argparse.BooleanOptionalAction,
        default=True,
        help="count what play costs the flash (half a minute)",
    )
    parser.add_argument(
        "--wire",
        action=argparse.BooleanOptionalAction,
        default=True,
        help="time the host's side of the wire, the worked rounds on every stand and the acceptance suite (2 minutes)",
    )
    chosen = parser.parse_args(arguments)
    try:
        found = speed.measure(engines.OURS, engines.OTHERS, chosen.rounds, chosen.repetitions)
    except engines.MissingEngine as missing:
        print(f"bench: {missing} is not installed; `make bench` installs it, or pip install {missing}", file=sys.stderr)
        return 2
    found += values.measure(chosen.value_rounds)
    without_wear = "" if chosen.wear else "--no-wear"
    if chosen.wear:
        try:
            from . import wear  # noqa: PLC0415 - needs an extra
        except ImportError as error:
            without_wear = f"{error.name} is not installed"
        else:
            found += wear.measure()
    without_wire, without_stands = "" if chosen.wire else "--no-wire", []
    if chosen.wire:
        try:
            found += wire.measure()
        except (ImportError, StandFault) as error:
            without_wire = str(error)
        on_stands, without_stands = cases.measure(emulated=chosen.device)
        found += on_stands
    lacking = needs.missing() if chosen.device else "--no-device"
    try:
        found += device.measure_simulated()
    except StandFault as fault:
        lacking = f"{lacking}; {fault}" if lacking else str(fault)
    if not lacking:
        found += device.measure()
        rows.put(found, chosen.table, "device: ")
    rows.write(found, chosen.output)
    rows.show(found, Console())
    if lacking:
        print(f"skipped the device: {lacking}")
    if without_wear:
        print(f"skipped the wear of the flash: {without_wear}")
    if without_wire:
        print(f"skipped the wire: {without_wire}")
    for reason in without_stands:
        print(f"skipped the worked rounds on a stand: {reason}")
    print(f"written to {chosen.output}")
    return 0 if all(row.ok for row in found) else 1


if __name__ == "__main__":
    try:
        sys.exit(main())
    except HolecardError as error:
        sys.exit(f"bench: {error}")
