"""Signals that end the program: the first of them decides its exit code, whatever its exception is turned into.

An exception that is raised wherever a signal happens to come does not always get through: an import wraps it in another
one, a C extension forgets it, and what is cleared away after it may fail and take its place.
"""

from __future__ import annotations

import signal
from types import FrameType

NAMES = ("SIGINT", "SIGTERM", "SIGHUP")  # not every system has the last
code = 0
"""128 + the number of the first signal that came, as shells report it; 0 while there was none."""


def install() -> None:
    """From now on SIGINT raises KeyboardInterrupt and the others raise SystemExit."""
    for name in NAMES:
        number = getattr(signal, name, None)
        # What is ignored from the beginning stays so, as SIGHUP by nohup; but a script's background job starts with
        # SIGINT ignored, and `holecard sim` must still end by it.
        if number is not None and (name == "SIGINT" or signal.getsignal(number) != signal.SIG_IGN):
            signal.signal(number, _end)


def done() -> None:
    """The program has said all: what comes now ends it at once and without a word."""
    for name in NAMES:
        number = getattr(signal, name, None)
        if number is not None and signal.getsignal(number) is _end:
            signal.signal(number, signal.SIG_DFL)


def _end(number: int, frame: FrameType | None) -> None:
    global code  # noqa: PLW0603 - a process has one end
    code = code or 128 + number
    if number == signal.SIGINT:
        raise KeyboardInterrupt
    # A terminal that is closed may tell twice; the second must not interrupt what the first has to clear away.
    for name in NAMES[1:]:
        other = getattr(signal, name, None)
        if other is not None:
            signal.signal(other, signal.SIG_IGN)
    raise SystemExit(128 + number)
