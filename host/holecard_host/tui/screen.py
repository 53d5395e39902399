"""What `play` and `watch` have in common on a terminal: how they end."""

from __future__ import annotations

import asyncio
import contextlib
import os
import signal
import threading
import time
from collections.abc import Iterator
from types import FrameType
from typing import ClassVar

from textual.app import App
from textual.binding import Binding

from holecard_host import signals
from holecard_host.errors import HolecardError, InternalFault, StandFault

_LOOK_SECONDS = 0.5
_GRACE_SECONDS = 2.0
_EXIT_HANGUP = 129  # 128 + SIGHUP


class TableApp(App[None]):
    """A full-screen program.

    `fault` holds what ended it: a HolecardError, a bug's exception, KeyboardInterrupt for Ctrl-C, SystemExit for other
    signals; None when the person quit.
    """

    TITLE = "Holecard"
    ENABLE_COMMAND_PALETTE = False
    BINDINGS: ClassVar = [Binding("ctrl+c", "interrupt", show=False, priority=True)]

    def __init__(self) -> None:
        super().__init__()
        self.fault: BaseException | None = None
        self._wakes: asyncio.AbstractEventLoop | None = None

    def show(self) -> None:
        """Run until it ends. Raises what ended it, InternalFault for a bug, StandFault for an end without a reason."""
        threading.Thread(target=_end_with_the_terminal, name="holecard-terminal", daemon=True).start()
        with self._signals():
            try:
                self.run()
            except Exception as error:
                self.fault = self.fault or error
        if isinstance(self.fault, Exception) and not isinstance(self.fault, HolecardError):
            raise InternalFault(self.fault) from self.fault
        if self.fault is not None:
            raise self.fault
        if self.return_code:
            raise StandFault("the terminal interface ended unexpectedly")

    def on_mount(self) -> None:
        """From here on a signal can be obeyed; one that came before is obeyed now."""
        self._wakes = asyncio.get_running_loop()
        if self.fault is not None:
            self.exit(return_code=1)

    def action_interrupt(self) -> None:
        """Ctrl-C ends it as it ends every other command."""
        self.end(KeyboardInterrupt())

    def end(self, error: BaseException) -> None:
        """End for this reason, unless there is one already: the first is the reason of those that follow."""
        self.fault = self.fault or error
        self.exit(return_code=1)

    def _handle_exception(self, error: Exception) -> None:
        # textual's own way is to print a traceback when it has given the terminal back; this gives it back and no more.
        self.end(error)
        self.panic()

    @contextlib.contextmanager
    def _signals(self) -> Iterator[None]:
        """Signals end the program in good order, not whatever they happen to interrupt, from the first moment on."""
        before = {}
        for name in signals.NAMES:
            number = getattr(signal, name, None)
            if number is not None and signal.getsignal(number) != signal.SIG_IGN:
                with contextlib.suppress(ValueError):  # not the main thread
                    before[number] = signal.signal(number, self._signalled)
        try:
            yield
        finally:
            for number, handler in before.items():
                signal.signal(number, handler)

    def _signalled(self, number: int, frame: FrameType | None) -> None:
        error = KeyboardInterrupt() if number == signal.SIGINT else SystemExit(128 + number)
        self.fault = self.fault or error
        if self._wakes is not None:
            with contextlib.suppress(RuntimeError):  # it has ended by itself in the meantime
                self._wakes.call_soon_threadsafe(self.end, error)


def _end_with_the_terminal() -> None:
    """End the process when its terminal is gone: textual then waits for ever for what nobody will write."""
    if not os.isatty(0):
        return
    while os.isatty(0):
        time.sleep(_LOOK_SECONDS)
    # The hang-up signal, where it comes, may still end the game in good order.
    time.sleep(_GRACE_SECONDS)
    os._exit(_EXIT_HANGUP)
