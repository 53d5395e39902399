"""Runs the checks and keeps what they measured."""

from __future__ import annotations

import random
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field

from ..errors import LOST, HolecardError, Unsupported
from ..picture import Picture
from ..stands import Stand
from ..steps import Steps
from .limits import Limit

PASSED, FAILED, SKIPPED, ERROR = "passed", "failed", "skipped", "error"
_RESTARTED = "the table has started again by itself in the middle"
_WORST = (ERROR, FAILED, PASSED)


@dataclass(frozen=True)
class Measurement:
    """One value and what it may be; `detail` says what was found, where a number does not."""

    name: str
    value: float
    limit: Limit
    detail: str = ""

    @property
    def outcome(self) -> str:
        return PASSED if self.limit.keeps(self.value) else FAILED

    def __str__(self) -> str:
        return f"{self.name} is {self.limit.shown(self.value)}"


@dataclass
class Result:
    """What came of one check: `why` is one line, empty when it passed."""

    check: str
    title: str
    turn: int
    outcome: str = PASSED
    why: str = ""
    seconds: float = 0.0
    measurements: list[Measurement] = field(default_factory=list)
    screens: list[tuple[str, Picture]] = field(default_factory=list)


@dataclass(frozen=True)
class Check:
    """One check: its name is the first part of the names of its measurements."""

    name: str
    title: str
    run: Callable[[Bench], None]
    needs: tuple[str, ...] = ()


class Bench:
    """What a check works with. `dice` are the same for the same seed."""

    def __init__(self, stand: Stand, check: str, result: Result, limits: dict[str, Limit], seed: str) -> None:
        self.stand = stand
        self.steps = Steps(stand)
        self.dice = random.Random(seed)
        self._check = check
        self._result = result
        self._limits = limits

    def measure(self, name: str, value: float, detail: str = "") -> None:
        """Record a value; its limits are those of CHECK.NAME."""
        full = f"{self._check}.{name}"
        self._result.measurements.append(Measurement(full, value, self._limits[full], detail))

    def show(self, title: str, picture: Picture | None = None) -> Picture:
        """Keep a picture for the report, by default what the panel shows now."""
        picture = picture or self.steps.picture()
        self._result.screens.append((title, picture))
        return picture

    def has(self, *capabilities: str) -> bool:
        """Whether the stand has these."""
        return not self.stand.missing(*capabilities)


def run(
    stand: Stand, checks: Sequence[Check], limits: dict[str, Limit], *, seed: int = 0, repeat: int = 1
) -> Iterator[Result]:
    """Run all checks `repeat` times, with the seeds `seed`, `seed` + 1 ... and yield each result as it is known.

    A lost stand ends the run: its check is an error, the rest is not run. So does Ctrl-C, which goes on from here when
    the check in which it came has been yielded. Other faults end only their check.
    """
    for turn in range(repeat):
        for check in checks:
            result = Result(check.name, check.title, turn)
            bench = Bench(stand, check.name, result, limits, f"{seed + turn}:{check.name}")
            began = time.monotonic()
            lost = False
            interrupted: BaseException | None = None
            try:
                lost = _carry_out(check, bench, result)
            except (KeyboardInterrupt, SystemExit) as error:
                interrupted = error
                result.outcome, result.why = ERROR, "interrupted"
            result.seconds = time.monotonic() - began
            _judge(result)
            yield result
            if interrupted is not None:
                raise interrupted
            if lost:
                return


def _carry_out(check: Check, bench: Bench, result: Result) -> bool:
    """Run one check and put into `result` how it ended. Returns whether the stand is lost."""
    started: int | None = None
    try:
        bench.stand.require("bench", *check.needs)
        bench.steps.fresh()
        started = _starts(bench.stand)
        check.run(bench)
    except Unsupported as lacking:
        result.outcome, result.why = SKIPPED, str(lacking)
    except LOST as error:
        result.outcome, result.why = ERROR, str(error)
        return True
    except HolecardError as error:
        result.outcome, result.why = FAILED, str(error)
    except Exception as error:  # an answer that no check expects; the others may still tell more
        result.outcome, result.why = FAILED, f"the check broke off: {type(error).__name__}: {error}"
    if started is not None and _starts(bench.stand) not in (started, None):
        result.outcome = FAILED
        result.why = "; ".join(filter(None, [_RESTARTED, result.why]))
    return False


def _starts(stand: Stand) -> int | None:
    """How often the table has started by itself, by its log, which no check clears; None if it does not tell."""
    try:
        return int(stand.wire.ask_json("SYST:LOG?")["start"]) - stand.restarts
    except (HolecardError, KeyError, TypeError, ValueError):
        return None


def _judge(result: Result) -> None:
    bad = [one for one in result.measurements if one.outcome == FAILED]
    if bad and result.outcome == PASSED:
        result.outcome = FAILED
    told = [f"{one}, limit {one.limit}{f' ({one.detail})' if one.detail else ''}" for one in bad]
    result.why = "; ".join(filter(None, [result.why, *told]))


def worst(results: Sequence[Result]) -> str:
    """The outcome of the whole run."""
    return next((outcome for outcome in _WORST if any(result.outcome == outcome for result in results)), SKIPPED)
