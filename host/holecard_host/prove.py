"""Follows a table and writes the public log of its shoes, for `holecard verify`. docs/fairness.md describes the log."""

from __future__ import annotations

import contextlib
import os
import secrets
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Any

from holecard.table.fairness import HEADER, MOST_HOST
from holecard_host.errors import HolecardError, OutputFault, ScpiError, UsageFault
from holecard_host.outfile import is_special

if TYPE_CHECKING:
    from holecard_host.wire import Event, Wire

_ORDER = {"commit": 0, "cut": 1, "round": 2, "reveal": 3}
_SETTINGS_CONFLICT = -221
# Events after which there may be something new.
_TELLING = ("power", "commit", "cut", "settled", "void", "reveal", "dropped")


class Gap(HolecardError):
    """Something was missed that the table cannot tell any more. Exit code 1; what was written stays good."""


class PublicLog:
    """The log in `path`, which grows by whole lines in their order. Raises UsageFault for a file that is none."""

    def __init__(self, path: Path) -> None:
        self.path = path
        try:
            self._new = not path.exists()
            # Neither a device that never ends nor a pipe that never begins.
            if is_special(path) and not path.is_dir():
                raise UsageFault(f"{path}: is no file")
            # Line by line on the disk: a log that ends with a power cut is a good log.
            self._file = path.open("a+", encoding="ascii", newline="\n")
            self._file.seek(0)
            text = self._file.read()
        except UnicodeDecodeError:
            raise UsageFault(f"{path}: is no log of a table; name a file that is not there yet") from None
        except OSError as error:
            raise UsageFault(f"{path}: cannot be written: {error.strerror or error}") from None
        whole = text[: text.rfind("\n") + 1]
        self.lines = whole.splitlines()
        if self.lines and self.lines[0] != HEADER:
            raise UsageFault(f"{path}: is no log of a table; name a file that is not there yet")
        if len(whole) < len(text):
            self._file.truncate(len(whole))

    def close(self) -> None:
        """Leaves no file behind where none was and nothing has been written. Harmless when repeated."""
        with contextlib.suppress(OSError):  # told by `add`
            self._file.close()
        if self._new and not self.lines:
            self.path.unlink(missing_ok=True)

    def add(self, head: list[str], told: Iterable[str]) -> list[str]:
        """Appends what is new of `told`, in whatever order it comes; `head` begins a log that is empty. The new lines.

        Raises Gap when something between the log and what is told is missing, OutputFault for a full disk.
        """
        known = set(self.lines)
        news = sorted({line for line in told if line not in known}, key=_place)
        before = self.lines[-1].split() if len(self.lines) > 1 else []
        if not before:
            news = [line for line in news if _place(line)[0] > _after(head)]
            if news:
                news[:0] = head[len(self.lines) :]
        fresh = []
        for line in news:
            if before and line.split()[0] in _ORDER:
                # A log that goes on knows what the table may have forgotten; older lines than its last are no news.
                if before[0] in _ORDER and _place(line) <= _place(" ".join(before)):
                    continue
                self._check(before, line.split())
            fresh.append(line)
            before = line.split()
        if fresh:
            try:
                self._file.write("".join(line + "\n" for line in fresh))
                self._file.flush()
                os.fsync(self._file.fileno())
            except OSError as error:
                raise OutputFault(OSError(error.errno, error.strerror, str(self.path))) from None
            self.lines += fresh
        return fresh

    def _check(self, before: list[str], line: list[str]) -> None:
        """Whether `line` may follow `before`, both in words."""
        step = before[0]
        number = int(before[1]) if len(before) > 1 else 0
        rounds = int(before[2]) if step == "round" else 0
        kind, same = line[0], int(line[1]) == number
        if kind == "commit":
            fits = step in ("reveal", "chain", HEADER) and int(line[1]) == number + 1
        elif kind == "cut":
            fits = same and step == "commit"
        elif kind == "round":
            fits = same and step in ("cut", "round") and int(line[2]) == rounds + 1
        else:
            fits = same and step in ("commit", "cut", "round") and int(line[3]) == rounds
        if not fits:
            raise Gap(
                f"{self.path}: ends with {' '.join(before[:2])}, and the table goes on with {' '.join(line[:2])}: what"
                " was between was missed. The log is good as far as it goes; begin another one."
            )


def _place(line: str) -> tuple[int, int, int]:
    words = line.split()
    return int(words[1]), _ORDER.get(words[0], -1), int(words[2]) if words[0] == "round" else 0


def _after(head: list[str]) -> int:
    """The number of the shoe that a log with this head goes on from."""
    return int(head[1].split()[1]) if len(head) > 1 else 0


class Follower:
    """Asks the table on `wire` for what belongs into `log`; `cut`: adds a number of this computer to every cut."""

    def __init__(self, wire: Wire, log: PublicLog, cut: bool = False) -> None:
        self._wire = wire
        self._log = log
        self._cut = cut
        self._added = 0
        wire.command("SYST:COMM:EVEN ON")

    def step(self, first: bool = False) -> list[str]:
        """Takes what has happened since the last step. The lines that are new in the log. Raises as PublicLog.add."""
        events = self._wire.take_events()
        if any(event.data.get("event") == "power" for event in events):
            self._added = 0  # what was added and not yet cut, is forgotten
        if not first and not any(event.data.get("event") in _TELLING for event in events):
            return []
        told = [line for event in events if (line := _line(event))]
        answer = self._wire.ask_json("FAIR:LOG?")
        head = [line for line in answer if line.split()[0] in (HEADER, "chain")]
        told += [line for line in answer if line not in head]
        told += self._rounds()
        new = self._log.add(head, told)
        self._add_to_cut()
        return new

    def _rounds(self) -> list[str]:
        rounds = []
        for back in range(self._wire.ask_record("FAIR:SHOE?")["recalled"]):
            try:
                line = self._wire.ask(f"FAIR:ROUN? {back}")
            except ScpiError as error:
                if error.code != _SETTINGS_CONFLICT:
                    raise
                continue  # stacked
            if line in self._log.lines:
                break
            rounds.append(line)
        return rounds

    def _add_to_cut(self) -> None:
        """Once the promise is in the log: the number must not be known before."""
        if not self._cut:
            return
        shoe = self._wire.ask_record("FAIR:SHOE?")
        if shoe["state"] == "committed" and shoe["shoe"] != self._added:
            try:
                self._wire.command(f'FAIR:CUT "{secrets.token_hex(MOST_HOST)}"')
            except ScpiError as error:
                if error.code != _SETTINGS_CONFLICT:
                    raise
                return  # somebody was quicker
            self._added = shoe["shoe"]


def _line(event: Event) -> str:
    """The line of the log that an event tells, "" for any other."""
    data: dict[str, Any] = event.data
    fields = {
        "commit": ("shoe", "commitment", "rules"),
        "cut": ("shoe", "presses", "host"),
        "reveal": ("shoe", "secret", "rounds"),
    }
    kind = data.get("event")
    if kind == "void":
        return str(data["line"])
    return " ".join([str(kind), *(str(data[name]) for name in fields[kind])]) if kind in fields else ""
