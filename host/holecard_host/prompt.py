"""MicroPython's prompt on a serial port: runs code there and keeps files, through mpremote.

Whatever goes wrong, from a busy port to a board that is pulled out, comes back as StandFault in words.
"""

from __future__ import annotations

import ast
import contextlib
import io
import struct
from collections.abc import Callable, Iterator
from types import TracebackType
from typing import Any, Self

from . import locks, ports
from .errors import StandFault

READ_SECONDS = 10.0
_CHUNK = 2048  # bytes in one order; four times as many characters at worst, which the heap holds easily

_FACTS = """\
import sys, os, gc
gc.collect()
v = os.statvfs('/')
i = sys.implementation
print(repr((i[0], tuple(i[1])[:3], getattr(i, '_machine', ''), getattr(i, '_mpy', 0) & 255,
    v[0], v[0] * v[2], v[0] * v[3], gc.mem_free(), gc.mem_free() + gc.mem_alloc())))
"""

# One line a file, so that a slow board shows that it is alive. A file that is not there has no line.
_DIGESTS = """\
import hashlib, binascii
def d(p):
    h = hashlib.sha256()
    b = bytearray(512)
    m = memoryview(b)
    with open(p, 'rb') as f:
        while True:
            n = f.readinto(b)
            if not n:
                break
            h.update(m[:n])
    return binascii.hexlify(h.digest()).decode()
def w(p):
    for e in os.ilistdir(p or '/'):
        n = p + '/' + e[0] if p else e[0]
        if e[1] & 0x4000:
            print(repr((n, '')))
            w(n)
        else:
            print(repr((n, d(n))))
def t(p):
    try:
        s = os.stat(p)[0]
    except OSError:
        return
    print(repr((p, '' if s & 0x4000 else d(p))))
    if s & 0x4000:
        w(p)
import os
"""


class Facts:
    """What a board says about itself; sizes in bytes."""

    def __init__(self, fields: tuple[Any, ...]) -> None:
        self.name: str = fields[0]
        self.version: tuple[int, ...] = tuple(fields[1])
        self.machine: str = fields[2]
        self.mpy: int = fields[3]
        self.block, self.flash, self.flash_free, self.heap_free, self.heap = fields[4:]

    @property
    def version_text(self) -> str:
        return ".".join(map(str, self.version))


class Prompt:
    """The raw prompt of a board on `port`. Raises StandFault when the port is busy or no MicroPython answers."""

    def __init__(self, port: str, seconds: float = READ_SECONDS) -> None:
        try:
            from mpremote.transport_serial import SerialTransport  # noqa: PLC0415 - an extra
        except ImportError:
            raise StandFault('this needs mpremote: pip install "holecard[flash]"') from None
        self.port = port
        self._seconds = seconds
        self._lock = locks.hold(port)
        try:
            # mpremote keeps to itself why a port does not open.
            ports.open_port(port, port, seconds, seconds).close()
            with self._plainly("the port does not open"):
                self._board = SerialTransport(port, timeout=seconds)
            with self._plainly("there is no MicroPython prompt"):
                self._board.enter_raw_repl(soft_reset=True, timeout_overall=seconds)
        except BaseException:
            self._let_go()
            raise

    def close(self) -> None:
        """Leave the prompt as a person finds it, and the port."""
        with contextlib.suppress(Exception):
            self._board.exit_raw_repl()
        with contextlib.suppress(Exception):
            self._board.close()
        self._let_go()

    def _let_go(self) -> None:
        if self._lock is not None:
            self._lock.release()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def run(self, code: str, on_line: Callable[[str], None] | None = None) -> str:
        """Run code and return what it prints; `on_line` gets each line as it comes."""
        line = bytearray()

        def take(data: bytes) -> None:
            if data == b"\n" and on_line is not None:
                on_line(line.decode("utf-8", "replace").strip("\r\x04"))
                line.clear()
            else:
                line.extend(data)

        with self._plainly("the board stopped answering"):
            output: bytes = self._board.exec(code, data_consumer=take if on_line else None)
        return output.decode("utf-8", "replace")

    def facts(self) -> Facts:
        """What the board is, and how much is free. Raises StandFault for an answer that is none."""
        text = self.run(_FACTS)
        try:
            return Facts(ast.literal_eval(text.strip()))
        except (ValueError, SyntaxError, TypeError):
            raise StandFault(f"{self.port}: an answer that no MicroPython gives: {text[:60]!r}") from None

    def digests(self, tops: tuple[str, ...], on_file: Callable[[str], None] | None = None) -> dict[str, str]:
        """SHA-256 in hexadecimal of every file at and below these paths; folders have an empty one."""
        found: dict[str, str] = {}

        def take(text: str) -> None:
            name, digest = ast.literal_eval(text)
            found[name] = digest
            if on_file is not None:
                on_file(name)

        self.run(_DIGESTS)
        for top in tops:
            self.run(f"t({top!r})", take)
        return found

    def write(self, path: str, data: bytes) -> None:
        """Replace a file; until its new content is complete and checked, the old one stays."""
        new = path + ".new"
        open_it = f"import os\nf = open({new!r}, 'wb')\n"
        # Most files fit into one order, which saves the round trips.
        pieces = [data[start : start + _CHUNK] for start in range(0, len(data), _CHUNK)] or [b""]
        for number, piece in enumerate(pieces):
            begin = "" if number else open_it
            end = f"f.close()\nos.rename({new!r}, {path!r})\n" if number == len(pieces) - 1 else ""
            self.run(f"{begin}f.write({piece!r})\n{end}")

    def make_folder(self, path: str) -> None:
        """Make a folder, unless it is there."""
        self.run(f"import os\ntry:\n os.mkdir({path!r})\nexcept OSError as e:\n if e.args[0] != 17:\n  raise")

    def remove(self, path: str) -> None:
        """Remove a file or an empty folder."""
        self.run(f"import os\nos.remove({path!r})")

    def restart(self) -> None:
        """Reset the board, which ends the connection, and close the port."""
        with contextlib.suppress(Exception):
            self._board.exec_raw_no_follow("import machine, time\ntime.sleep_ms(100)\nmachine.reset()")
        with contextlib.suppress(Exception):
            self._board.close()

    @contextlib.contextmanager
    def _plainly(self, what: str) -> Iterator[None]:
        """Turn the many ways in which mpremote fails into one; what it prints in passing is of no use to anybody."""
        from mpremote.transport import TransportError, TransportExecError  # noqa: PLC0415

        try:
            with contextlib.redirect_stdout(io.StringIO()):
                yield
        except TransportExecError as error:
            lines = error.error_output.strip().splitlines() or ["no reason given"]
            text = lines[-1]
            if "ENOSPC" in text or text.endswith("OSError: 28"):
                text = "there is no space left on its flash"
            raise StandFault(f"{self.port}: the board refused: {text}") from None
        except (TransportError, struct.error) as error:
            raise StandFault(f"{self.port}: {what} ({error})") from None
        except ports.LOST:
            raise StandFault(f"{self.port}: the board went away") from None
