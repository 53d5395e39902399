"""What a worked round costs on each stand, from its set-up to the comparison, in seconds of this computer.

The stand is started before the clock. On the emulated chip every fifteenth case stands for all of them, since one takes
as long there as all of them together do elsewhere.
"""

from __future__ import annotations

from time import perf_counter

from holecard_host.accept.checks.game import case_files
from holecard_host.cases.model import load
from holecard_host.cases.runner import WAYS, run_cases
from holecard_host.errors import HolecardError, StandFault
from holecard_host.stands import Stand, open_stand

from .rows import Row

_SIMULATED = ("sim://cpython", "sim://micropython", "sim://pi")
_EMULATED = "rp2040://"
_EMULATED_STRIDE = 15


def measure(emulated: bool) -> tuple[list[Row], list[str]]:
    """The rows, and one reason for each stand that cannot be had here; the emulated chip only if it is asked for.

    Raises HolecardError when a case fails: what a wrong table costs says nothing.
    """
    found, missing = [], []
    for url in (*_SIMULATED, _EMULATED) if emulated else _SIMULATED:
        try:
            stand = open_stand(url)
        except StandFault as fault:
            missing.append(str(fault))
            continue
        with stand:
            found += [_mean(stand, by, _EMULATED_STRIDE if url == _EMULATED else 1) for by in WAYS]
    return found, missing


def _mean(stand: Stand, by: str, stride: int) -> Row:
    cases = [case for file in case_files() for case in load(file)][::stride]
    stand.wire.command("DISP:ANIM OFF")
    began = perf_counter()
    verdicts = list(run_cases(stand, cases, by))
    taken = perf_counter() - began
    failed = [f"{verdict.id}: {verdict.detail}" for verdict in verdicts if not verdict.passed]
    if failed:
        raise HolecardError(f"{stand.url}: {failed[0]}")
    return Row(f"cases: one on {stand.url}, by {by}, mean of {len(cases)}", round(taken / len(cases), 4), "s")
