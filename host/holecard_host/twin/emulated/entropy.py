"""The ring oscillator, whose random bit MicroPython reads for os.urandom."""

from __future__ import annotations

import hashlib
from typing import Any

from rp2040py.peripherals.peripheral import UnimplementedPeripheral

_RANDOMBIT = 0x1C
_ADDRESS = 0x40060


class RingOscillator(UnimplementedPeripheral):  # type: ignore[misc]  # untyped package
    """Bits that depend on `seed` alone; an empty seed is an oscillator that is stuck."""

    def __init__(self, mcu: Any, seed: str) -> None:
        super().__init__(mcu, "ROSC_BASE")
        self.seed = seed.encode()
        self.drawn = 0
        self._block = 0
        mcu.peripherals[_ADDRESS] = self

    def read_uint32(self, offset: int) -> int:
        if offset != _RANDOMBIT or not self.seed:
            return int(super().read_uint32(offset))
        if self.drawn % 256 == 0:
            digest = hashlib.sha256(self.seed + b"/%d" % (self.drawn // 256)).digest()
            self._block = int.from_bytes(digest, "little")
        bit = self._block >> self.drawn % 256 & 1
        self.drawn += 1
        return bit
