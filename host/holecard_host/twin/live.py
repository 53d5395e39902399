"""A simulated table in use: the simulator, its serial port, and the thread that moves bytes between them.

Virtual time passes only when somebody wants something: a request runs the device until the answer is complete, a press
until the key has settled. With `realtime` the same grants follow the wall clock instead.
"""

from __future__ import annotations

import contextlib
import os
import random
import secrets
import select
import socket
import threading
import time
from collections.abc import Callable, Mapping, MutableMapping

from ..errors import HolecardError, StandFault
from .pacer import SLICE_SECONDS, Pacer
from .port import LineCounter, Port, open_port
from .process import stand_url
from .simulator import Simulator

# A request gets at most this much of the device's time.
LIMIT_US = 15_000_000
# A line that comes in pieces is delivered in pieces, but a write that the system split is put together first.
_JOIN_SECONDS = 0.02
# Bytes for the device at a time: a flood must not take the memory of the twin, which shares it with the firmware.
_PIECE = 512
# After a release: longer than the 20 ms for which a contact must rest before the table believes it.
SETTLE_US = 30_000
_BOUNCE_US = 5_000
# No finger is quicker.
_LEAST_PRESS_US = 40_000
# With a person at the table a request may run ahead of the wall clock by this much, so that scripts stay quick.
_AHEAD_US = 50_000
# What the table gets to take in a request while the host does not read.
_UNREAD_US = 200_000


class LiveTwin:
    """Everything the stands need. Safe to use from several threads. Options are those of `Simulator`.

    Without a `seed` virtual time repeats itself to the byte, and a person gets other cards every time.
    """

    def __init__(
        self,
        interpreter: str = "cpython",
        *,
        realtime: bool = False,
        entry: str | os.PathLike[str] | None = None,
        ticks: int | None = None,
        seed: str | None = None,
        panel_address: int = 0x3C,
        panel: tuple[str, int] = ("ssd1306", 0),
        files: Mapping[str, bytes] | None = None,
        keep: MutableMapping[str, bytes] | None = None,
        strap: bool = False,
        disk: str = "late",
        trace: bool = False,
    ) -> None:
        if seed is None:
            seed = secrets.token_hex(16) if realtime else "0"
        if ticks is None and realtime:
            ticks = 0  # as a real one
        self.simulator = Simulator(
            interpreter,
            entry=entry,
            ticks=ticks,
            seed=seed,
            panel_address=panel_address,
            panel=panel,
            files=files,
            keep=keep,
            strap=strap,
            disk=disk,
            trace=trace,
        )
        self.realtime = realtime
        self.lock = threading.RLock()
        self.fault: HolecardError | None = None
        self._silent = False
        self._muted = False
        self._backlog = bytearray()
        self._counter = LineCounter()
        self._wake_read, self._wake_write = socket.socketpair()
        self._wake_read.setblocking(False)
        self._closing = False
        self._free_at: dict[int, int] = {}
        self.port: Port = open_port()
        try:
            self.simulator.start()
            # Let the firmware start before the first request: until it waits for something to do.
            self.simulator.grant(LIMIT_US, idle=True)
            self._pacer = Pacer(self.simulator.now)
        except HolecardError:
            self.close()
            raise
        self._thread = threading.Thread(target=self._serve, name="holecard-pump", daemon=True)
        self._thread.start()

    def close(self) -> None:
        """End the device and hang up its port. Harmless when repeated."""
        if self._closing:
            return
        self._closing = True
        self._poke()
        thread = getattr(self, "_thread", None)
        if thread is not None and thread is not threading.current_thread():
            thread.join(5)
        self.simulator.kill()
        if thread is not None and thread is not threading.current_thread():
            # Whatever it was waiting for has ended with the device; nothing may be closed under its feet.
            thread.join(5)
        self.port.close()
        self._wake_read.close()
        self._wake_write.close()

    def health(self) -> None:
        """Raise what keeps the table from answering: FirmwareCrash, or StandFault when it is off or stays silent."""
        self.check()
        if not self.simulator.powered:
            raise StandFault(f"the table on {stand_url(self.simulator.interpreter)} is switched off")
        if self._silent:
            self._silent = False
            raise StandFault(f"the table did not answer within {LIMIT_US // 1_000_000} s of its own time")

    def check(self) -> None:
        """Raise FirmwareCrash, or what else ended the simulation, if anything did."""
        if self.fault is not None:
            raise self.fault

    # What a person or a test does

    def press(self, key: int, ms: int = 60, bounce_seed: int | None = None) -> None:
        """Press a key (0..3: BET, HIT, STAND, DOUBLE) for `ms` milliseconds and wait until it has settled.

        With `bounce_seed` the contact bounces for up to 5 ms at both ends, in a pattern that the seed determines.
        """
        with self.lock:
            start = self._free(key)
            end = start + ms * 1000
            self._edge(key, start, True, bounce_seed)
            self._edge(key, end, False, None if bounce_seed is None else bounce_seed + 1)
            settled = end + SETTLE_US
            if not self.realtime:
                self._run(settled)
        if self.realtime:
            self._follow(settled)

    def hold(self, down: bool, *keys: int) -> None:
        """Press keys and keep them down, or let them go: at once, and all at the same instant."""
        with self.lock:
            instant = self._free(*keys)
            self._free_at.update(dict.fromkeys(keys, instant + (_LEAST_PRESS_US if down else SETTLE_US)))
            for key in keys:
                self._edge(key, instant, down, None)
            if not self.realtime:
                self._run(instant + SETTLE_US)
        self._poke()

    def advance(self, ms: float) -> None:
        """Let `ms` milliseconds pass on the device; with `realtime` this takes that long."""
        with self.lock:
            end = self._now() + int(ms * 1000)
            if not self.realtime:
                self._run(end)
        if self.realtime:
            self._follow(end)

    def now_us(self) -> int:
        """Microseconds since the simulation began."""
        with self.lock:
            return self.simulator.now

    def listen(self, listener: Callable[[str], None]) -> None:
        """Let `listener` hear every record of the device, see Simulator.listeners; it is called from any thread."""
        with self.lock:
            self.simulator.listeners.append(listener)
            # What it is and shows already, which no later record tells.
            listener(f"b {self.simulator.now} {self.simulator.interpreter}")
            listener(f"l {self.simulator.now} {self.simulator.driven}")
            listener(f"s {self.simulator.now} {self.simulator.panel.frame().hex()}")

    def forget(self, listener: Callable[[str], None]) -> None:
        """The end of `listen`."""
        with self.lock:
            self.simulator.listeners.remove(listener)

    def frame(self) -> bytes:
        """What the glass shows, 1,024 page-major bytes."""
        with self.lock:
            return self.simulator.panel.frame()

    def lamps(self) -> int:
        """Mask of the lamps that are lit."""
        with self.lock:
            return self.simulator.lamps

    def cut(self) -> None:
        """Switch the power off."""
        with self.lock:
            self.simulator.kill()
            self._backlog.clear()

    def restore(self) -> None:
        """Switch the power on again; nothing happens when it is on."""
        with self.lock:
            self.check()
            if not self.simulator.powered:
                # What was pressed in the dark is down from the first moment on.
                self._grant(self._now())
                self._counter = LineCounter()
                self.simulator.start()
                if not self.realtime:
                    self._grant(self.simulator.now + LIMIT_US, idle=True)

    def powered(self) -> bool:
        """Whether the power is on."""
        with self.lock:
            return self.simulator.powered

    def fail_transfers(self, kind: str = "nak", skip: int = 0, count: int = 1, kept: int = 0) -> None:
        """See Simulator.fail_transfers."""
        with self.lock:
            self.simulator.fail_transfers(kind, skip=skip, count=count, kept=kept)

    def plug_panel(self, plugged: bool) -> None:
        """See Simulator.plug_panel."""
        with self.lock:
            self.simulator.plug_panel(plugged)

    def read_host(self, reading: bool) -> None:
        """False: as if the host had stopped reading; the table's output waits in the device."""
        with self.lock:
            self._muted = not reading
            self._grant(self.simulator.now)
        self._poke()

    def cut_at_flash(self, operations: int) -> None:
        """See Simulator.cut_at_flash."""
        with self.lock:
            self.simulator.cut_at_flash(operations)

    # Inside

    def _now(self) -> int:
        soonest = self.simulator.soonest
        return max(soonest, self._pacer.target(self.simulator.now)) if self.realtime else soonest

    def _free(self, *keys: int) -> int:
        """The instant at which all these keys can be moved: now, but not before the table believes their last move.

        Where the machine is too slow for the wall clock, virtual time hardly passes between two moves.
        """
        return max([self._now(), *(self._free_at.get(key, 0) for key in keys)])

    def _edge(self, key: int, instant: int, down: bool, bounce_seed: int | None) -> None:
        pin = self.simulator.pins.KEYS[key]
        self.simulator.schedule(instant, pin, down)
        if bounce_seed is None:
            return
        bounce = random.Random(bounce_seed)
        at = instant
        while (at := at + bounce.randint(20, 900)) < instant + _BOUNCE_US:
            self.simulator.schedule(at, pin, not down)
            at += bounce.randint(20, 400)
            self.simulator.schedule(at, pin, down)

    def _run(self, until: int) -> None:
        """Virtual time: run to `until`, through resets and power cuts by injected faults."""
        while True:
            answer = self._grant(until)
            if answer >= until:
                return

    def _follow(self, until: int) -> None:
        """Real time: wait until the pump has carried the device there."""
        while True:
            self.check()
            left = until - self.now_us()
            if left <= 0:
                return
            time.sleep(max(left / 1e6, SLICE_SECONDS / 2))

    def _grant(self, until: int, rx: bytes = b"", lines: int = 0, idle: bool = False) -> int:
        self.check()
        try:
            answer = self.simulator.grant(until, rx=rx, lines=lines, idle=idle)
            self._drain()
        except HolecardError as error:
            self.fault = error
            # The hang-up reaches a client that waits for an answer at once.
            self.port.close()
            self._poke()
            raise
        if lines and answer.why in ("until", "reset", "watchdog") and not self.realtime:
            self._silent = True
        return answer.now

    def _drain(self) -> None:
        for _ in range(2):
            self._backlog += self.simulator.take_output()
            if self._backlog and not self._muted:
                del self._backlog[: self.port.write(bytes(self._backlog))]
            reading = not self._muted and not self._backlog
            if reading != self.simulator.stop_tx:
                return
            self.simulator.read_host(reading)
            if reading:
                # A grant of no time: the device hands over what it had to keep.
                self.simulator.grant(self.simulator.now)

    def _poke(self) -> None:
        with contextlib.suppress(OSError):
            self._wake_write.send(b"x")

    def _serve(self) -> None:
        try:
            while not self._closing and self.fault is None:
                self._serve_once()
        except HolecardError:
            pass  # kept in self.fault, for whoever waits for an answer
        except (OSError, ValueError):
            # The port was closed under the feet of select: by close(), or after a crash that another thread met.
            if not self._closing and self.fault is None:
                raise

    def _serve_once(self) -> None:
        outlets = self.port.outlets() if self._backlog and not self._muted else []
        timeout = SLICE_SECONDS if self.realtime else self.port.patience
        wake = self._wake_read.fileno()
        readable, _, _ = select.select([*self.port.sockets(), wake], outlets, [], timeout)
        if wake in readable:
            self._wake_read.recv(4096)
        with self.lock:
            if self._closing or self.fault is not None:
                return
            data = self.port.read()
            while data and data[-1] not in b"\r\n":
                if not select.select(self.port.sockets(), [], [], _JOIN_SECONDS)[0]:
                    break
                data += self.port.read()
            # Asked after the read: what a newcomer has written already is not taken for his predecessor's.
            if self.port.arrived():
                self._forget()
            for start in range(0, len(data) or 1, _PIECE):
                self._deliver(data[start : start + _PIECE])

    def _forget(self) -> None:
        """For a new client: what the one before did not read, and what the device has not read of it, is gone."""
        self._backlog.clear()
        self._counter = LineCounter()
        self.simulator.drop_input()

    def _deliver(self, data: bytes) -> None:
        lines = self._counter.feed(data)
        now = self.simulator.now
        if self.realtime:
            target = self._pacer.target(now)
            if data:
                self._grant(max(target, now + _AHEAD_US), rx=data, lines=lines, idle=not lines)
            elif target > now:
                self._grant(target)
        elif data and self._muted:
            # No answer can come, and a table that has one to send does not rest.
            self._grant(now + _UNREAD_US, rx=data, idle=True)
        elif data:
            self._grant(now + LIMIT_US, rx=data, lines=lines, idle=not lines)
        elif self._backlog:
            self._grant(now)
