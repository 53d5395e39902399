"""UF2 files for the RP2040: taken apart, checked, and joined from MicroPython's image and a file system of ours.

Format: https://github.com/microsoft/uf2. One file holds blocks of 512 bytes, each with 256 bytes of flash. The file
system goes in whole, blank sectors too: what an older one left in the flash could otherwise pass for a newer state of
this one (littlefs keeps two copies of every directory and believes the higher number). Sectors are always complete, as
the chip's boot program needs them (RP2040 datasheet, erratum RP2040-E14).
"""

from __future__ import annotations

import struct
from collections.abc import Mapping

from .errors import UsageFault
from .firmware_files import FS_BLOCK, FS_BLOCKS, FS_START

FLASH = 0x10000000
FLASH_SIZE = 2 << 20
FAMILY = 0xE48BFF56  # RP2040
PAGE = 256
_BLOCK = 512
_FAMILY_PRESENT = 0x2000
_MAGIC = (0x0A324655, 0x9E5D5157, 0x0AB16F30)
_HEAD = struct.Struct("<8I")
# What MicroPython calls itself on the board whose file system lies at FS_START; a Pico W keeps it elsewhere.
_BOARD = b"Raspberry Pi Pico with RP2040"


def parse(data: bytes, name: str = "the image") -> dict[int, bytes]:
    """The pages of a UF2 file: 256 bytes by their offset in the flash.

    Raises UsageFault, naming the block, for anything but a whole RP2040 file.
    """
    if not data or len(data) % _BLOCK:
        raise UsageFault(f"{name}: not a UF2 file: {len(data)} bytes are no blocks of {_BLOCK}")
    count = len(data) // _BLOCK
    pages: dict[int, bytes] = {}
    for index in range(count):
        block = data[index * _BLOCK : (index + 1) * _BLOCK]
        magic, second, flags, address, size, number, total, family = _HEAD.unpack_from(block)
        if (magic, second, *struct.unpack_from("<I", block, _BLOCK - 4)) != _MAGIC:
            raise UsageFault(f"{name}: not a UF2 file: block {index} has no magic numbers")
        if not flags & _FAMILY_PRESENT or family != FAMILY:
            raise UsageFault(f"{name}: block {index} is for another chip: family 0x{family:08X}, not an RP2040")
        if (number, total) != (index, count):
            raise UsageFault(f"{name}: block {index} calls itself {number} of {total}, not {index} of {count}")
        offset = address - FLASH
        if size != PAGE or offset % PAGE or not 0 <= offset < FLASH_SIZE:
            raise UsageFault(f"{name}: block {index} has {size} bytes for 0x{address:08X}: not a page of the flash")
        if offset in pages:
            raise UsageFault(f"{name}: block {index}: 0x{address:08X} comes twice")
        pages[offset] = block[_HEAD.size : _HEAD.size + PAGE]
    return pages


def build(pages: Mapping[int, bytes]) -> bytes:
    """A UF2 file of these pages, every sector that has one filled up with blank pages."""
    sectors = sorted({offset - offset % FS_BLOCK for offset in pages})
    offsets = [sector + page for sector in sectors for page in range(0, FS_BLOCK, PAGE)]
    blank = b"\xff" * PAGE
    blocks = []
    for number, offset in enumerate(offsets):
        head = _HEAD.pack(*_MAGIC[:2], _FAMILY_PRESENT, FLASH + offset, PAGE, number, len(offsets), FAMILY)
        body = (head + pages.get(offset, blank)).ljust(_BLOCK - 4, b"\0")
        blocks.append(body + struct.pack("<I", _MAGIC[2]))
    return b"".join(blocks)


def check(micropython: bytes, name: str = "the image") -> dict[int, bytes]:
    """The pages of MicroPython for the Pico. Raises UsageFault for another file, and for one with no room beside it."""
    pages = parse(micropython, name)
    code = b"".join(pages[offset] for offset in sorted(pages))
    if _BOARD not in code:
        raise UsageFault(f"{name}: not MicroPython for the Raspberry Pi Pico (RPI_PICO)")
    end = max(pages) + PAGE
    if end > FS_START:
        raise UsageFault(f"{name}: reaches to 0x{end:X}, into the file system at 0x{FS_START:X}")
    return pages


def join(micropython: bytes, disk: bytes, name: str = "the image") -> bytes:
    """MicroPython's UF2 file and a littlefs image for FS_START in one file. Raises UsageFault when they do not fit."""
    pages = check(micropython, name)
    end = max(pages) + PAGE
    if len(disk) != FS_BLOCK * FS_BLOCKS:
        raise UsageFault(f"the file system has {len(disk)} bytes, not {FS_BLOCK * FS_BLOCKS}")
    system = {FS_START + at: disk[at : at + PAGE] for at in range(0, len(disk), PAGE)}
    # Whoever writes everything anew wants a first day: the mark of an earlier record (boards/pico_mark.py) goes too.
    if end <= FS_START - FS_BLOCK:
        system[FS_START - FS_BLOCK] = b"\xff" * PAGE
    return build(pages | system)


def version(micropython: bytes) -> str:
    """The version that an image of MicroPython gives, e.g. "1.26.1"; "" when it gives none."""
    pages = parse(micropython)
    code = b"".join(pages[offset] for offset in sorted(pages))
    _, found, rest = code.partition(b"MicroPython v")
    return rest.split(b" ", 1)[0].decode("ascii", "replace") if found else ""
