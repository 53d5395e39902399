"""Notices that the firmware has ended: MicroPython then prints a traceback and its prompt over the serial port."""

from __future__ import annotations

_PROMPT = b"\r\n>>> "
_BANNER = b"MicroPython v"
_TRACEBACK = b"Traceback (most recent call last):"
_KEEP = 4096


class Ending:
    """Feed it what the chip sends; `near` once a traceback has begun, `over` once the prompt has come."""

    def __init__(self) -> None:
        self._tail = bytearray()

    @property
    def near(self) -> bool:
        return _TRACEBACK in self._tail

    @property
    def over(self) -> bool:
        return self._tail.endswith(_PROMPT) and _BANNER in self._tail

    def feed(self, data: bytes) -> None:
        self._tail += data
        del self._tail[:-_KEEP]

    def report(self) -> str:
        """The traceback; "" when the firmware left for the prompt without one."""
        start = self._tail.rfind(_TRACEBACK)
        if start < 0:
            return ""
        text = self._tail[start : self._tail.find(_BANNER, start)]
        return text.decode("utf-8", "replace").replace("\r\n", "\n").strip()
