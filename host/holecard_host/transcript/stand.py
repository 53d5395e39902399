"""A stand without a table: it answers from a transcript, as long as it is asked what the transcript says.

Pins and transfers on the panel's bus that were recorded are what it shows. Nothing waits: its time is the transcript's.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

from ..errors import StandFault
from ..stands.base import Stand, key_index
from ..text import Lines
from ..twin.panel import panel_model
from ..wire import Wire
from .read import Deed, Script, load

_LAMPS = {"LAMP_BET": 1, "LAMP_HIT": 2, "LAMP_STAND": 4, "LAMP_DOUBLE": 8}
_PANEL = 0x3C
_MODE = "SYST:MODE?"


class FileStand(Stand):
    """Opens the transcript `path`, for file://PATH. Raises UsageFault when it is none."""

    def __init__(self, url: str, path: Path) -> None:
        super().__init__()
        self.url = url
        self._tape = _Tape(url, load(path))
        self.faults = None
        self.wire = Wire(url, url, port=self._tape, shared=False)
        self.identity = self.wire.sync()
        # Other stands ask this at first, so it is what comes first in their transcripts.
        bench = not self._tape.follows(_MODE) or self.wire.ask(_MODE) == "bench"
        self.capabilities = (
            frozenset({"wire", "clock", *(("bench", "commands") if bench else ())}) | self._tape.abilities()
        )

    def press(self, key: str | int, ms: int = 60, bounce_seed: int | None = None) -> None:
        if "pins" in self.capabilities:
            self._tape.do("press", key_index(key), ms, bounce_seed)
        else:
            from ..stands.base import KEYS  # noqa: PLC0415

            self.wire.command(f"BENC:PRES {KEYS[key_index(key)]},{ms}")
            self.wire.ask("*OPC?")

    def press_down(self, *keys: str | int) -> None:
        self._tape.do("press_down", *map(key_index, keys))

    def release(self, *keys: str | int) -> None:
        self._tape.do("release", *map(key_index, keys))

    def frame(self) -> bytes:
        if "panel" in self.capabilities:
            return self._tape.panel.frame()
        return bytes.fromhex(self.wire.ask("DISP:DATA?"))

    def lamps(self) -> int:
        return self._tape.lamps if "panel" in self.capabilities else self.wire.ask_int("DIAG:LAMP?")

    def advance(self, ms: float) -> None:
        self._tape.do("advance", ms)

    def now_us(self) -> int:
        return self._tape.now

    def cut(self) -> None:
        self._tape.do("cut")

    def restore(self) -> None:
        self._tape.do("restore")


class _Tape:
    """The transcript as a port: what pyserial's ports offer, as far as Wire uses it."""

    def __init__(self, url: str, script: Script) -> None:
        self.timeout = 0.0
        self.panel = panel_model("ssd1306", 0)
        self.lamps = 0
        self.now = 0
        self._url = url
        self._script = script
        self._next = 0
        self._output = bytearray()
        self._input = Lines()
        self._show(script.opening)

    def abilities(self) -> set[str]:
        """What the recorded stand must have had."""
        kinds = {str(record.get("dir")) for record in self._script.records}
        deeds = {deed.do for deed in self._script.deeds}
        found = {"panel"} if "bus" in kinds else {"framebuffer"}
        if "pin" in kinds:
            found.add("pins")
        if "cut" in deeds:
            found.add("power")
        return found

    def follows(self, line: str) -> bool:
        """Whether that is what the transcript says next."""
        return self._next < len(self._script.deeds) and self._script.deeds[self._next].line.partition(";")[0] == line

    def do(self, what: str, *arguments: Any) -> None:
        """Something beside the wire, which must be what comes next."""
        deed = self._step(f"{what} {list(arguments)}")
        if deed.do != what or deed.arguments != list(arguments):
            raise self._other(deed, f"{what} {list(arguments)}")
        self._play(deed)

    @property
    def in_waiting(self) -> int:
        return len(self._output)

    def read(self, size: int) -> bytes:
        data = bytes(self._output[:size])
        del self._output[:size]
        if not data and self.timeout:
            # Nothing will ever come: what it was asked has no answer in the transcript.
            raise StandFault(f"{self._url}: the transcript has no answer there")
        return data

    def write(self, data: bytes) -> int:
        for line in self._input.feed(data):
            text = line.replace("\x18", "").strip("\r")
            if text:
                self._answer(text)
        return len(data)

    def reset_input_buffer(self) -> None:
        self._output.clear()

    def close(self) -> None:
        self._output.clear()

    def _answer(self, line: str) -> None:
        if line.startswith("*CLS;*IDN?"):
            # How often a table must be asked for its name is a matter of the moment.
            identity = ";".join([self._script.identity] * line.count("*IDN?"))
            self._output += f'{identity};0,"No error"\n'.encode("latin-1")
            return
        deed = self._step(line)
        if deed.do or deed.line != line:
            raise self._other(deed, line)
        self._play(deed)

    def _step(self, wanted: str) -> Deed:
        if self._next >= len(self._script.deeds):
            raise StandFault(f"{self._url}: the transcript ends before {wanted}")
        self._next += 1
        return self._script.deeds[self._next - 1]

    def _play(self, deed: Deed) -> None:
        self.now = round(deed.until)
        self._show(deed.records)
        for record in deed.raw:
            self._output += record.encode("latin-1") + b"\n"

    def _show(self, records: list[dict[str, Any]]) -> None:
        for record in records:
            if record["dir"] == "bus" and record["address"] == _PANEL:
                self.panel.write(bytes.fromhex(record["data"]))
            elif record["dir"] == "glass":
                self._light(bytes.fromhex(record["picture"]))
            elif record.get("pin") in _LAMPS:
                bit = _LAMPS[record["pin"]]
                self.lamps = self.lamps | bit if record["level"] else self.lamps & ~bit

    def _light(self, frame: bytes) -> None:
        """What the glass showed when the recording began, on a panel that the table's driver has set up."""
        panel = self.panel
        panel.memory[:] = frame
        panel.lit = panel.charge_pump = panel.remap_columns = panel.remap_rows = True
        panel.write(b"\x00\x20\x00")  # horizontal addressing

    def _other(self, deed: Deed, got: str) -> StandFault:
        wanted = f"{deed.do} {deed.arguments}" if deed.do else deed.line
        place = f"{self._script.path}:{deed.number}"
        return StandFault(f"{self._url}: another program than the recorded one: {place} says {wanted}, not {got}")
