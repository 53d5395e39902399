"""Carries out a script on a table."""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from ..errors import LOST, HolecardError
from ..golden import Screens
from ..stands import Stand
from ..steps import Step, Steps, perform
from ..steps.step import Place
from .load import Script

SCREENS = "screens"


@dataclass(frozen=True)
class Done:
    """A step that was carried out, how long that took by the wall clock, and why it failed; "" if it did not."""

    step: Step
    seconds: float
    problem: str = ""


def run_script(script: Script, stand: Stand, left: Path | None = None, update_screens: bool = False) -> Iterator[Done]:
    """Carry out one step after another and yield each; ends with the first that fails.

    Golden screens are in the folder `screens` beside the script; what differs is left in `left`. Raises Unsupported for
    a stand that cannot do what the script needs. What a stand raises that is lost says at which step that was.
    """
    stand.require(*script.needs)
    steps = Steps(stand)
    if script.fresh:
        stand.require("bench")
        steps.fresh()
    else:
        steps.listen()
    place = Place(script.path.parent, Screens(script.path.parent / SCREENS, left, update_screens))
    for step in script.steps:
        began = time.monotonic()
        problem = ""
        try:
            perform(steps, step, place)
        except HolecardError as error:
            problem = f"{step.where}: {error}"
            if isinstance(error, LOST):
                error.args = (problem,)
                raise
        yield Done(step, time.monotonic() - began, problem)
        if problem:
            return
