"""What the command prints: in every encoding, and with an end of its own for a full disk and for a closed pipe."""

from __future__ import annotations

import io
import os
import sys
from collections.abc import Callable
from typing import Any

from holecard_host.errors import OutputFault

EXIT_BROKEN_PIPE = 141  # 128 + SIGPIPE


class _Stdout(io.TextIOWrapper):
    """Says that it cannot write in a way that no library takes for something else, and drops everything after."""

    def write(self, text: str) -> int:
        return self._try(super().write, text)

    def flush(self) -> None:
        self._try(super().flush)

    def _try(self, do: Callable[..., Any], *arguments: str) -> Any:
        try:
            return do(*arguments)
        except OSError as error:
            # What is kept back would be tried again when the program ends.
            os.dup2(os.open(os.devnull, os.O_WRONLY), self.fileno())
            if isinstance(error, BrokenPipeError):
                raise SystemExit(EXIT_BROKEN_PIPE) from None
            raise OutputFault(error) from None


def prepare() -> None:
    """Make stdout and stderr fit for everything that a file or a table may hold."""
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, name) is None:  # it was closed, and the next file that is opened would get its number
            setattr(sys, name, open(os.devnull, mode, encoding="utf-8"))  # noqa: SIM115 - as below
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")
    stdout = sys.stdout
    # A terminal on Windows is no file.
    if stdout is sys.__stdout__ and isinstance(stdout, io.TextIOWrapper) and not stdout.isatty():
        file = open(stdout.fileno(), "wb", closefd=False)  # noqa: SIM115 - for as long as the program runs
        sys.stdout = _Stdout(
            file,
            stdout.encoding,
            "backslashreplace",
            line_buffering=stdout.line_buffering,
            write_through=stdout.write_through,
        )


def flush() -> None:
    """Write what is still kept back. Raises OutputFault, and SystemExit when nobody reads it any more."""
    try:
        if sys.stdout is not None:
            sys.stdout.flush()
    except OSError as error:
        raise OutputFault(error) from None
