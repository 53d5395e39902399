"""The ring oscillator, whose random bit MicroPython reads for os.urandom."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from typing import Any

from rp2040py.peripherals.peripheral import UnimplementedPeripheral

_RANDOMBIT = 0x1C
_ADDRESS = 0x40060


class RingOscillator(UnimplementedPeripheral):
    """Bits that depend on `seed` alone, but for the first, which is 0. A seed that begins with
    "stuck" is an oscillator that gives nothing but 0.

    `on_first` is called with the first bit: up to there every start is the same, whatever the seed.
    """

    not_state = ("seed", "_block", "_block_at", "_stuck")

    def __init__(self, mcu: Any, seed: str) -> None:
        super().__init__(mcu, "ROSC_BASE")
        self.seed = seed.encode()
        self._stuck = seed.startswith("stuck")
        self.on_first: Callable[[], None] | None = None
        self.drawn = 0
        self._block = 0
        self._block_at = -1
        mcu.peripherals[_ADDRESS] = self

    def read_uint32(self, offset: int) -> int:
        if offset != _RANDOMBIT:
            return int(super().read_uint32(offset))
        bit = self._bit(self.drawn) if self.drawn and not self._stuck else 0
        if not self.drawn and self.on_first is not None:
            self.on_first()
        self.drawn += 1
        return bit

    def _bit(self, index: int) -> int:
        if index // 256 != self._block_at:
            self._block_at = index // 256
            digest = hashlib.sha256(self.seed + b"/%d" % self._block_at).digest()
            self._block = int.from_bytes(digest, "little")
        return self._block >> index % 256 & 1
