"""The state of a chip as bytes, so that the same start need not be run twice.

A chip is built the same way every time, so its parts are found again by the way to them: for each part the values that
are plain data are written down, and what connects the parts is left as it was built.
"""

from __future__ import annotations

import hashlib
import io
import pickle
import zlib
from collections import deque
from collections.abc import Iterator
from importlib.metadata import version
from pathlib import Path
from typing import TYPE_CHECKING, Any

from .flash import FLASH_SIZE, SECTOR

if TYPE_CHECKING:
    from .chip import Chip

_PLAIN = (int, float, str, bytes, bytearray, type(None))
_TYPES = (("collections", "deque"), ("builtins", "bytearray"))
_CORE = (
    *("banked_sp", "cycles", "event_registered", "waiting", "n", "c", "z", "v", "break_rewind", "pm", "sp_sel"),
    *("n_priv", "current_mode", "ipsr", "interrupt_nmi_mask", "pending_interrupts", "enabled_interrupts"),
    *("pending_nmi", "pending_pend_sv", "pending_svcall", "pending_systick", "interrupts_updated"),
    *("vtor", "shpr2", "shpr3"),
)
_PIN = ("_raw_input_value", "_driven", "ctrl", "pad_value", "irq_enable_mask", "irq_force_mask", "irq_status")
_OURS = __name__.rpartition(".")[0]


Records = list[tuple[str, int, str]]
"""What a chip told the outside: kind, instant of its own clock (us), content."""


class Unusable(Exception):
    """The bytes are no snapshot of this chip."""


class _Unpickler(pickle.Unpickler):
    """Takes nothing but plain data and the enumerations of the emulator."""

    def find_class(self, module: str, name: str) -> Any:
        if (module, name) in _TYPES or module.startswith("rp2040py."):
            return super().find_class(module, name)
        raise pickle.UnpicklingError(f"{module}.{name} in a snapshot")


def source_digest() -> str:
    """Changes with everything that could make an old snapshot wrong, except what the flash holds."""
    digest = hashlib.sha256(version("rp2040py").encode())
    for path in sorted(Path(__file__).parent.glob("*.py")):
        digest.update(path.read_bytes())
    return digest.hexdigest()


def save(chip: Chip, records: Records) -> bytes:
    """The chip's state, together with what it told the outside so far. It must not be running."""
    mcu = chip.mcu
    now = chip.clock.nanos
    first = chip.blank
    state = {
        "core": {name: getattr(mcu.core, name) for name in _CORE},
        "registers": list(mcu.core.registers),
        "priorities": list(mcu.core.interrupt_priorities),
        "sram": bytes(mcu.sram),
        "usb": bytes(mcu.usb_dpram),
        "flash": {number: data for number, data in _sectors(chip) if data != first[number]},
        "pins": [[getattr(pin, name) for name in _PIN] for pin in (*mcu.gpio, *mcu.qspi)],
        "parts": [
            {name: value for name, value in part.__dict__.items() if name not in _left_out(part) and _is_data(value)}
            for part in _parts(chip)
        ],
        "now": now,
        "alarms": [(chip.clock.alarms.index(alarm), due) for alarm, due in chip.clock.due.items() if due > now],
        "records": records,
    }
    return zlib.compress(pickle.dumps(state), 1)


def load(chip: Chip, data: bytes) -> Records:
    """Bring a chip at power-on into that state; returns what it told the outside until then. Raises Unusable."""
    try:
        state = _Unpickler(io.BytesIO(zlib.decompress(data))).load()
    except (zlib.error, pickle.UnpicklingError, EOFError, AttributeError, ImportError) as error:
        raise Unusable(str(error)) from None
    mcu = chip.mcu
    for alarm in chip.clock.alarms:
        alarm.cancel()
    chip.clock.spend(state["now"])
    mcu.sram[:] = state["sram"]
    mcu.usb_dpram[:] = state["usb"]
    for number, sector in state["flash"].items():
        mcu.flash[number * SECTOR : (number + 1) * SECTOR] = sector
    for part, values in zip(_parts(chip), state["parts"], strict=True):
        part.__dict__.update(values)
    chip.pins.quiet = True
    for pin, values in zip((*mcu.gpio, *mcu.qspi), state["pins"], strict=True):
        for name, value in zip(_PIN, values, strict=True):
            setattr(pin, name, value)
        pin.check_for_updates()
    chip.pins.quiet = False
    for name, value in state["core"].items():
        setattr(mcu.core, name, value)
    for number, value in enumerate(state["registers"]):
        mcu.core.registers[number] = value
    for number, value in enumerate(state["priorities"]):
        mcu.core.interrupt_priorities[number] = value
    for index, due in state["alarms"]:
        chip.clock.alarms[index].schedule(due - state["now"])
    records: Records = state["records"]
    return records


def _sectors(chip: Chip) -> Iterator[tuple[int, bytes]]:
    flash = chip.mcu.flash
    for number in range(FLASH_SIZE // SECTOR):
        yield number, bytes(flash[number * SECTOR : (number + 1) * SECTOR])


def _parts(chip: Chip) -> Iterator[Any]:
    """Every part that keeps its state in Python, always in the same order."""
    mcu = chip.mcu
    seen: set[int] = set()
    queue: deque[Any] = deque([*mcu.peripherals.values(), mcu.sio, mcu.ppb])
    queue.extend((chip.bus, chip.serial, chip.pins, chip.flash, chip.entropy))
    while queue:
        part = queue.popleft()
        if isinstance(part, (list, tuple)):
            queue.extend(part)
        elif id(part) not in seen and _is_part(part):
            seen.add(id(part))
            yield part
            queue.extend(value for name, value in sorted(part.__dict__.items()) if not _is_data(value))


def _is_part(value: Any) -> bool:
    kind = type(value)
    ours = kind.__module__.startswith(("rp2040py.", _OURS)) and ".native" not in kind.__module__
    return ours and hasattr(value, "__dict__") and kind.__name__ not in ("Clock", "Protocol", "ConsoleLogger")


def _is_data(value: Any) -> bool:
    if isinstance(value, (list, tuple, deque)):
        return all(_is_data(item) for item in value)
    return isinstance(value, _PLAIN)


def _left_out(part: Any) -> tuple[str, ...]:
    return getattr(part, "not_state", ())
