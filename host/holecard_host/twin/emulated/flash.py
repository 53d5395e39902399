"""The flash chip: operations take their time, are counted, can be the last one, and are told to the outside."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from rp2040py.peripherals import ssi

from ..device.storage import ERASE_US, PROGRAM_US

if TYPE_CHECKING:
    from .clock import Clock

SECTOR = ssi.FLASH_SECTOR_SIZE
FLASH_SIZE = 2 << 20
# "Read unique ID" and where its answer begins: Winbond W25Q16JV, chapter 8.2.
_READ_ID, _ID_AT = 0x4B, 5
_ERASES = (ssi.CMD_SECTOR_ERASE, ssi.CMD_BLOCK_ERASE)


class Flash:
    """`cut`: let the power fail instead of the operation after this many, -1 never; `uid`: the chip's number, 8 bytes.

    `on_change(sector, bytes, programs, erases)` follows each operation; `on_cut()` takes its place.
    """

    def __init__(
        self,
        mcu: Any,
        clock: Clock,
        on_change: Callable[[int, bytes, int, int], None],
        on_cut: Callable[[], None],
        uid: bytes,
    ) -> None:
        self.cut = -1
        self.dead = False
        self.programs = 0
        self.erases = 0
        self._mcu = mcu
        self._clock = clock
        self._changed = on_change
        self._cut = on_cut
        self._apply = mcu.ssi._apply_command
        mcu.ssi._apply_command = self._operate
        self._uid = uid
        self._shift = mcu.ssi._shift_byte
        mcu.ssi._shift_byte = self._exchange

    def _exchange(self, byte: int) -> int:
        answer = int(self._shift(byte))
        command = self._mcu.ssi._tx_buffer
        at = len(command) - 1 - _ID_AT
        return self._uid[at] if command[0] == _READ_ID and 0 <= at < len(self._uid) else answer

    def _operate(self) -> None:
        command = self._mcu.ssi._tx_buffer
        operation = command[0] if len(command) >= 4 and self._mcu.ssi._write_enabled else 0
        if operation != ssi.CMD_PAGE_PROGRAM and operation not in _ERASES:
            self._apply()
            return
        if self.cut == 0 or self.dead:
            self.dead = True
            self._cut()
            return
        self.cut -= 1
        address = self._mcu.ssi._address_from_buffer()
        self._apply()
        count = 1
        if operation == ssi.CMD_PAGE_PROGRAM:
            self.programs += 1
            self._clock.spend(PROGRAM_US * 1000.0)
        else:
            count = 1 if operation == ssi.CMD_SECTOR_ERASE else ssi.FLASH_BLOCK_SIZE // SECTOR
            self.erases += count
            self._clock.spend(ERASE_US * 1000.0 * count)
        first = address // SECTOR
        for sector in range(first, first + count):
            data = bytes(self._mcu.flash[sector * SECTOR : (sector + 1) * SECTOR])
            self._changed(sector, data, self.programs, self.erases)
