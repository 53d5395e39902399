"""Puts the firmware onto a board that runs MicroPython: only what changed, checked by digest, and started."""

from __future__ import annotations

import hashlib
import os
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from holecard.boards.settings import NAME as SETTINGS

from . import devices, ports
from .errors import StandFault
from .firmware_files import LIB, MAIN
from .prompt import Facts, Prompt

# The oldest version whose compiled files have today's format (mpy 6.3), and the format itself.
OLDEST = (1, 23, 0)
MPY = 6
ANSWER_SECONDS = 30.0
_OURS = f"{LIB}/holecard"
# Python looks in the top folder first: a copy there would hide the one in lib.
_HIDING = "holecard"
_SPARE_BLOCKS = 8  # for the record, and for littlefs itself
_UNPLUG = "unplug it, hold BET and DOUBLE, and plug it in again"

Report = Callable[[str, int, int], None]


@dataclass
class Plan:
    """What has to be done: paths to write (in this order), to remove (deepest first), folders to make; what stays."""

    write: list[str] = field(default_factory=list)
    remove: list[str] = field(default_factory=list)
    folders: list[str] = field(default_factory=list)
    same: list[str] = field(default_factory=list)


@dataclass(frozen=True)
class Done:
    """What was done, and what then answered `*IDN?`."""

    plan: Plan
    facts: Facts
    sent: int
    identity: str


def plan(files: Mapping[str, bytes], there: Mapping[str, str]) -> Plan:
    """Compare the files with the digests on the board ("" for a folder)."""
    result = Plan()
    folders = sorted({os.path.dirname(path) for path in files} - {""})
    wanted = sorted({part for folder in folders for part in _parents(folder)})
    result.folders = [folder for folder in wanted if there.get(folder) != ""]
    # main.py last: until then the board starts what it had, or nothing.
    for path in sorted(files, key=lambda path: (path == MAIN, path)):
        same = there.get(path) == hashlib.sha256(files[path]).hexdigest()
        (result.same if same else result.write).append(path)
    # A stale app.py would be imported instead of the app.mpy beside it.
    ours = [path for path in there if path.startswith(_OURS + "/")]
    result.remove = sorted((path for path in ours if path not in files and path not in wanted), reverse=True)
    return result


def _parents(folder: str) -> list[str]:
    parts = folder.split("/")
    return ["/".join(parts[: count + 1]) for count in range(len(parts))]


def check(facts: Facts, port: str) -> None:
    """Raise StandFault when this board cannot run the firmware."""
    if facts.name != "micropython":
        raise StandFault(f"{port}: runs {facts.name}, and the table needs MicroPython")
    if "RP2040" not in facts.machine and "RP2350" not in facts.machine:
        raise StandFault(
            f"{port}: is a {facts.machine or 'board without a name'}, and the table needs a Raspberry Pi Pico"
        )
    if facts.version < OLDEST or facts.mpy != MPY:
        oldest = ".".join(map(str, OLDEST))
        raise StandFault(
            f"{port}: runs MicroPython {facts.version_text}, and the table needs {oldest} or newer:"
            " https://micropython.org/download/RPI_PICO/"
        )


def check_space(files: Mapping[str, bytes], todo: Plan, facts: Facts, port: str) -> None:
    """Raise StandFault when the files do not fit beside what is there. Nothing has been touched by then."""
    blocks = sum(1 + len(files[path]) // facts.block for path in todo.write) + 2 * len(todo.folders) + _SPARE_BLOCKS
    # A file that is replaced needs its room twice for a moment, so nothing is counted as given back.
    need = blocks * facts.block
    if need > facts.flash_free:
        raise StandFault(
            f"{port}: not enough space: {need // 1024} KiB are needed and {facts.flash_free // 1024} KiB of"
            f" {facts.flash // 1024} KiB are free; remove files of other programs first"
        )


def flash(port: str, files: Mapping[str, bytes], report: Report, *, wait: float = ANSWER_SECONDS) -> Done:
    """Bring the board on `port` to exactly these files, restart it and wait until the table answers.

    `report(what, done, of)` tells how far it is. Raises StandFault, after which the command can simply be repeated.
    """
    with open_prompt(port) as board:
        facts = board.facts()
        check(facts, port)
        looked = 0

        def found(_: str) -> None:
            nonlocal looked
            looked += 1
            report("comparing", looked, len(files))

        there = board.digests((MAIN, SETTINGS, _OURS, _HIDING), found)
        if _HIDING in there:
            raise StandFault(f"{port}: /{_HIDING} in the top folder would be started instead of {_OURS}: move it away")
        todo = plan(files, there)
        check_space(files, todo, facts, port)
        sent = _carry_out(board, files, todo, report)
        _verify(board, files, todo, report)
        board.restart()
    return Done(todo, facts, sent, _wait_for_table(port, wait, report))


def check_port(port: str) -> None:
    """Raise StandFault, with the reason, for a port that cannot be opened. Nothing is sent to it."""
    ports.open_port(port, port, 1.0, 1.0).close()


def open_prompt(port: str) -> Prompt:
    """The prompt, also of a board on which a table runs, as far as it lets go. Raises StandFault."""
    status, answer = devices.identify(port)
    try:
        return Prompt(port)
    except StandFault as fault:
        if status == devices.TABLE:
            raise StandFault(f"{port}: a table runs there ({answer}) and keeps the port: {_UNPLUG}") from None
        if status == devices.SILENT:
            raise StandFault(
                f"{port}: no MicroPython answers there; install it first (https://micropython.org/download/RPI_PICO/),"
                " or make one file of both: holecard image"
            ) from None
        raise fault from None


def _carry_out(board: Prompt, files: Mapping[str, bytes], todo: Plan, report: Report) -> int:
    total = sum(len(files[path]) for path in todo.write)
    sent = 0
    for path in todo.remove:
        board.remove(path)
    for folder in todo.folders:
        board.make_folder(folder)
    for path in todo.write:
        report(path, sent, total)
        board.write(path, files[path])
        sent += len(files[path])
    report("copied", sent, total)
    return sent


def _verify(board: Prompt, files: Mapping[str, bytes], todo: Plan, report: Report) -> None:
    if not (todo.write or todo.remove):
        return
    checked = 0

    def found(_: str) -> None:
        nonlocal checked
        checked += 1
        report("verifying", checked, len(files))

    left = plan(files, board.digests((MAIN, SETTINGS, _OURS), found))
    if left.write or left.remove:
        raise StandFault(f"{board.port}: {(left.write + left.remove)[0]} is not what was sent: run the command again")


def _wait_for_table(port: str, seconds: float, report: Report) -> str:
    """Ask until the table answers: its port comes and goes while the board starts."""
    began = time.monotonic()
    answer = ""
    while (waited := time.monotonic() - began) < seconds:
        report("starting", int(waited), int(seconds))
        status, answer = devices.identify(port)
        if status == devices.TABLE:
            return answer
        time.sleep(0.2)
    raise StandFault(
        f"{port}: everything is on the board, but no table answered within {seconds:g} s"
        + (f"; it says {answer.strip()[:80]!r}" if answer.strip() else "")
    )
