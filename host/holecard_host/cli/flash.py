"""`holecard flash`: the firmware onto a Pico that runs MicroPython."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from holecard_host.cli.image import settings_file
from holecard_host.errors import UsageFault

if TYPE_CHECKING:
    from rich.progress import TaskID

SLOWER = "Plain sources: the Pico compiles them at every start, which takes about 6 seconds instead of 1."


def flash(
    port: Annotated[str, typer.Argument(metavar="PORT", help="Serial port of the Pico, e.g. /dev/ttyACM0 or COM3.")],
    source: Annotated[
        bool, typer.Option("--source", help="Plain .py files, to be edited on the Pico; it then starts more slowly.")
    ] = False,
    settings: Annotated[Path | None, typer.Option(metavar="FILE.json", help="Settings to put on the Pico.")] = None,
) -> None:
    """Put the table onto a Pico: copy what changed, verify it, start it. The Pico's record and settings stay."""
    from holecard_host import deploy, firmware_files  # noqa: PLC0415

    if "://" in port and not port.startswith("socket://"):
        raise UsageFault(f"{port}: a serial port is needed, e.g. /dev/ttyACM0 or COM3")
    # All that is wrong with the arguments is told before the compiler is looked for.
    chosen = settings_file(settings)
    deploy.check_port(port)
    files = {**(firmware_files.plain() if source else firmware_files.compiled()), **chosen}
    with _Meter() as meter:
        done = deploy.flash(port, files, meter.report)
    plan = done.plan
    print(f"MicroPython {done.facts.version_text} on {done.facts.machine}")
    print(f"{len(plan.write)} files copied ({done.sent} bytes), {len(plan.same)} unchanged, {len(plan.remove)} removed")
    if source:
        print(SLOWER)
    print(done.identity)


class _Meter:
    """Progress on stderr: a bar in a terminal, nothing in a pipe."""

    def __init__(self) -> None:
        from rich.console import Console  # noqa: PLC0415
        from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn  # noqa: PLC0415

        columns = (TextColumn("{task.description:34}"), BarColumn(), TextColumn("{task.percentage:>3.0f}%"))
        console = Console(stderr=True)
        # In a pipe it would still end with an empty line.
        self._progress = Progress(
            *columns, TimeElapsedColumn(), console=console, transient=True, disable=not console.is_terminal
        )
        self._task: TaskID | None = None
        self._what = ""

    def report(self, what: str, done: int, total: int) -> None:
        """What is being done, and how much of it."""
        if self._task is None:
            self._task = self._progress.add_task(what)
        self._progress.update(self._task, description=what, completed=done, total=max(total, 1))

    def __enter__(self) -> _Meter:
        self._progress.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._progress.stop()
