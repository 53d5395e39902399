"""A board with MicroPython's raw prompt on a pseudo-terminal, in miniature: it runs what it is sent, on a folder."""

from __future__ import annotations

import builtins
import errno
import hashlib
import io
import os
import pty
import select
import threading
import tty
from pathlib import Path
from types import SimpleNamespace
from typing import Any

PROMPT = b"raw REPL; CTRL-B to exit\r\n>"


class Implementation(tuple):
    """sys.implementation: a tuple with names."""

    _machine = "Raspberry Pi Pico with RP2040"
    _mpy = 4870


class RawRepl:
    """`port` is what to open; `table` answers *IDN? once main.py runs; `free` bytes of flash; `silent` says nothing."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.version = (1, 26, 1)
        self.implementation: Any = None
        self.free = 1_400_000
        self.silent = False
        self.running = False
        self.table = "Holecard,Table-pico,e660,0.1.0"
        self.corrupt = ""
        self.panels = {0x3C}
        self.low: set[int] = set()
        self.resets = 0
        self._raw = self._paste = False
        self._input = bytearray()
        self._globals: dict[str, Any] = {}
        self._master, slave = pty.openpty()
        tty.setraw(self._master)
        tty.setraw(slave)
        self._slave = slave
        self.port = os.ttyname(slave)
        self._over = threading.Event()
        self._thread = threading.Thread(target=self._serve, daemon=True)
        self._thread.start()

    def close(self) -> None:
        self._over.set()
        self._thread.join(5)
        os.close(self._master)
        os.close(self._slave)

    def files(self) -> dict[str, bytes]:
        """What is on the board."""
        found = sorted(path for path in self.root.rglob("*") if path.is_file())
        return {path.relative_to(self.root).as_posix(): path.read_bytes() for path in found}

    def put(self, name: str, data: bytes) -> None:
        """Put a file onto the board."""
        path = self.root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)

    def _serve(self) -> None:
        while not self._over.is_set():
            if select.select([self._master], [], [], 0.02)[0]:
                try:
                    data = os.read(self._master, 4096)
                except OSError:
                    return
                if not self.silent:
                    for byte in data:
                        self._take(byte)

    def _send(self, data: bytes) -> None:
        os.write(self._master, data)

    def _take(self, byte: int) -> None:
        if self.running:
            self._input.append(byte)
            if byte == 10:
                if b"*IDN?" in self._input:
                    self._send(self.table.encode() + b"\n")
                self._input.clear()
        elif byte == 1:
            self._raw, self._input = True, bytearray()
            self._send(PROMPT)
        elif byte in (2, 3):
            self._raw = self._raw and byte == 3
            self._input.clear()
            self._send(b"\r\n>>> ")
        elif self._raw and self._input == b"\x05A" and byte == 1:
            # A window that takes everything at once.
            self._input.clear()
            self._send(b"R\x01\xff\xff")
            self._paste = True
        elif self._raw and byte == 4:
            self._finish()
        else:
            self._input.append(byte)
            if not self._raw:
                self._send(b"\r\n>>> " if byte == 13 else bytes([byte]))

    def _finish(self) -> None:
        code = bytes(self._input).decode()
        self._input.clear()
        if not code:
            self._globals = {}
            self._send(b"OK\r\nMPY: soft reboot\r\n" + PROMPT)
            return
        self._send(b"\x04" if self._paste else b"OK")
        self._paste = False
        output: list[str] = []
        problem = ""
        try:
            exec(compile(code, "<stdin>", "exec"), self._namespace(output))
        except SystemExit:
            self.resets += 1
            self._raw, self.running = False, (self.root / "main.py").exists()
            return
        except Exception as error:
            text = f"[Errno {error.errno}] {errno.errorcode[error.errno]}" if isinstance(error, OSError) else str(error)
            problem = f"Traceback (most recent call last):\r\n{type(error).__name__}: {text}\r\n"
        self._send("".join(output).encode() + b"\x04" + problem.encode() + b"\x04>")

    def _namespace(self, output: list[str]) -> dict[str, Any]:
        def show(*values: object) -> None:
            output.append(" ".join(map(str, values)) + "\r\n")

        modules = {"os": self._os(), "sys": self._sys(), "machine": self._machine()}
        modules["gc"] = SimpleNamespace(collect=lambda: 0, mem_free=lambda: 230_000, mem_alloc=lambda: 10_000)
        modules["time"] = SimpleNamespace(sleep_ms=lambda ms: None)

        def load(name: str, *_: object) -> Any:
            return modules.get(name) or __import__(name)

        # In place: a function keeps the built-ins that it was defined with.
        offered = self._globals.setdefault("__builtins__", dict(vars(builtins)))
        offered.update({"__import__": load, "print": show, "open": self._open})
        return self._globals

    def _machine(self) -> SimpleNamespace:
        def reset() -> None:
            raise SystemExit

        def writeto(address: int, data: bytes) -> None:
            if address not in self.panels:
                raise OSError(errno.EIO, "")

        def pin(number: int, *_: int) -> SimpleNamespace:
            return SimpleNamespace(value=lambda: 0 if number in self.low else 1)

        pin.IN = pin.PULL_UP = 0  # type: ignore[attr-defined]
        return SimpleNamespace(reset=reset, Pin=pin, I2C=lambda number, **_: SimpleNamespace(writeto=writeto))

    def _sys(self) -> SimpleNamespace:
        return SimpleNamespace(implementation=self.implementation or Implementation(("micropython", self.version)))

    def _open(self, name: str, mode: str = "r") -> Any:
        if "w" in mode and self.free < 1000:
            raise OSError(errno.ENOSPC, "")
        if self.corrupt and name == self.corrupt + ".new":
            (self.root / name).write_bytes(b"")
            return io.BytesIO()
        return (self.root / name).open(mode)

    def _os(self) -> SimpleNamespace:
        def ilistdir(path: str) -> list[tuple[str, int, int]]:
            found = sorted((self.root / path.strip("/")).iterdir())
            return [(entry.name, 0x4000 if entry.is_dir() else 0x8000, 0) for entry in found]

        def remove(path: str) -> None:
            place = self.root / path
            place.rmdir() if place.is_dir() else place.unlink()

        return SimpleNamespace(
            ilistdir=ilistdir,
            stat=lambda path: (0x4000 if os.stat(self.root / path).st_mode & 0o40000 else 0x8000,),
            statvfs=lambda path: (4096, 4096, 352, self.free // 4096, 0, 0, 0, 0, 0, 255),
            remove=remove,
            rename=lambda old, new: os.replace(self.root / old, self.root / new),
            mkdir=lambda path: os.mkdir(self.root / path),
        )


def digest(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()
