"""`holecard run`: scripts of steps on a table."""

from __future__ import annotations

import contextlib
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from rich.console import Console

from holecard_host import outfile
from holecard_host.cli.files import check_apart, check_file, check_folder
from holecard_host.cli.record import Record
from holecard_host.errors import HolecardError, OutputFault, Unsupported, UsageFault
from holecard_host.reports import junit
from holecard_host.script import Script, load, run_script
from holecard_host.stands import open_stand
from holecard_host.text import printable
from holecard_host.transcript.record import recording

if TYPE_CHECKING:
    from holecard_host.stands import Stand

EXIT_FAILED = 1
_LEFT = Path("holecard-failures")


def run(
    files: Annotated[list[Path], typer.Argument(metavar="FILE.yaml...", help="Scripts.")],
    url: Annotated[str, typer.Argument(metavar="URL", help="Where the table is, e.g. sim://cpython or /dev/ttyACM0.")],
    update_screens: Annotated[
        bool, typer.Option("--update-screens", help="Write golden screens instead of comparing with them.")
    ] = False,
    junit_xml: Annotated[Path | None, typer.Option("--junit", metavar="FILE.xml", help="Write JUnit XML.")] = None,
    failure_dir: Annotated[
        Path | None,
        typer.Option(metavar="DIR", help=f"Where the screen of a failed script is left (default: {_LEFT})."),
    ] = None,
    record: Record = None,
) -> None:
    """Carry out scripts. Exit 0 if all pass, 1 if a step fails, 2 for one that is malformed or needs another stand."""
    check_apart([*files, url], [junit_xml, record])
    scripts = [load(path) for path in files]
    if junit_xml is not None:
        check_file(junit_xml)
    if failure_dir is not None:
        check_folder(failure_dir)
    console = Console(highlight=False, soft_wrap=True)
    results: list[junit.Result] = []
    fault: BaseException | None = None
    try:
        with recording(record), open_stand(url) as stand:
            # One by one into the list: what has run before a stand is lost is still reported.
            left = [(failure_dir or _LEFT) / name for name in _names(files)]
            results.extend(
                _one(script, stand, console, place, update_screens) for script, place in zip(scripts, left, strict=True)
            )
    except (HolecardError, KeyboardInterrupt, SystemExit) as error:
        fault = error
        why = f"not run: {error if isinstance(error, HolecardError) else 'interrupted'}"
        results += [junit.Result(url, script.name, 0, "error", why) for script in scripts[len(results) :]]
    if junit_xml is not None:
        junit.write(junit_xml, "holecard run", results)
    if fault is not None:
        raise fault
    counts = {outcome: sum(result.outcome == outcome for result in results) for outcome in junit.OUTCOMES}
    console.print(", ".join(f"{count} {outcome}" for outcome, count in counts.items() if count), style="bold")
    if counts["failed"]:
        raise typer.Exit(EXIT_FAILED)
    if counts["skipped"]:
        raise typer.Exit(Unsupported.exit_code)


def _names(files: Sequence[Path]) -> list[str]:
    """What the pictures of each script are called: several may have the same name, in other folders."""
    names = [path.stem for path in files]
    return [name if names.count(name) == 1 else f"{name}-{place}" for place, name in enumerate(names, 1)]


def _one(script: Script, stand: Stand, console: Console, left: Path, update: bool) -> junit.Result:
    console.print(printable(f"{script.path}: {script.name}"), style="bold", markup=False)
    lines, problem, seconds = [], "", 0.0
    try:
        for done in run_script(script, stand, left, update):
            word = "FAILED" if done.problem else "ok"
            lines.append(printable(f"  {word:6}  {done.step}"))
            console.print(lines[-1], style="bold red" if done.problem else None, markup=False)
            seconds += done.seconds
            problem = done.problem
    except Unsupported as lacking:
        console.print(f"  skipped: {lacking}", style="yellow", markup=False)
        return junit.Result(stand.url, script.name, seconds, "skipped", str(lacking))
    if problem:
        first, *rest = problem.splitlines()
        console.print(printable(first), style="red", markup=False)
        if rest:
            console.print("\n".join(rest), markup=False)
        console.print(_screen(script, stand, left), markup=False)
    return junit.Result(
        stand.url, script.name, seconds, "failed" if problem else "passed", problem, output="\n".join(lines)
    )


def _screen(script: Script, stand: Stand, left: Path) -> str:
    """The screen on which a script has failed: where it is left as a file, and as text."""
    try:
        picture = stand.panel()
    except HolecardError as error:
        return f"the screen cannot be read: {error}"
    path = left.with_name(f"{left.name}.png")
    with contextlib.suppress(UsageFault, OutputFault):
        outfile.write(path, picture.to_png())
        return f"the screen ({path}):\n{picture.to_text('braille')}"
    return picture.to_text("braille")
