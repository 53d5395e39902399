"""A simulated table: one of this process's own, or one that `holecard sim --name NAME` keeps."""

from __future__ import annotations

from ..twin.holder import RemoteTwin
from ..twin.live import LiveTwin
from ..wire import TIMEOUT_SECONDS, Wire
from .base import CAPABILITIES, PRESS_MS, Stand, key_index


class SimStand(Stand):
    """Drives a twin, which is also what injects its faults; `timeout` as in Wire."""

    def __init__(self, url: str, twin: LiveTwin | RemoteTwin, timeout: float = TIMEOUT_SECONDS) -> None:
        super().__init__()
        self.url = url
        self.twin = self.faults = twin
        try:
            self.wire = Wire(
                twin.port.url,
                url,
                health=twin.health,
                clock=twin.now_us,
                listen=twin.listen,
                shared=isinstance(twin, RemoteTwin),
                timeout=timeout,
            )
            try:
                self.identity = self.wire.sync()
                by_mode = self._by_mode()
            except BaseException:
                self.wire.close()
                raise
        except BaseException:
            twin.close()
            raise
        lacking = {"bench", "commands"} - by_mode | ({"clock"} if twin.realtime else set())
        self.capabilities = frozenset(CAPABILITIES) - lacking

    def press(self, key: str | int, ms: int = PRESS_MS, bounce_seed: int | None = None) -> None:
        self.wire.did("press", key_index(key), ms, bounce_seed)
        self.twin.press(key_index(key), ms, bounce_seed)

    def press_down(self, *keys: str | int) -> None:
        pressed = [key_index(key) for key in keys]
        self.wire.did("press_down", *pressed)
        self.twin.hold(True, *pressed)

    def release(self, *keys: str | int) -> None:
        released = [key_index(key) for key in keys]
        self.wire.did("release", *released)
        self.twin.hold(False, *released)

    def frame(self) -> bytes:
        self.twin.check()
        return self.twin.frame()

    def lamps(self) -> int:
        self.twin.check()
        return self.twin.lamps()

    def advance(self, ms: float) -> None:
        self.wire.did("advance", ms)
        self.twin.advance(ms)

    def now_us(self) -> int:
        return self.twin.now_us()

    def cut(self) -> None:
        self.wire.did("cut")
        self.twin.cut()

    def restore(self) -> None:
        self.wire.did("restore")
        self.restarts += 1
        self.twin.restore()
        self.identity = self.wire.sync()

    def close(self) -> None:
        self.wire.close()
        self.twin.close()
