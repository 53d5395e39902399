"""UF2 files: taken apart, refused, joined."""

from __future__ import annotations

import hashlib
import struct

import pytest

from holecard_host import firmware_files, uf2
from holecard_host.errors import UsageFault

NAME = b"MicroPython v1.26.1 on 2025-09-11; Raspberry Pi Pico with RP2040\0"
DISK = bytes(range(256)) * (firmware_files.FS_BLOCK * firmware_files.FS_BLOCKS // 256)


def system(pages: int = 20, text: bytes = NAME) -> bytes:
    """A stand-in for MicroPython's image: one page with its name, the last sector not complete."""
    data = {page * 256: bytes([page & 255]) * 256 for page in range(pages)}
    data[256] = text.ljust(256, b"\0")
    blocks = []
    for number, (offset, page) in enumerate(sorted(data.items())):
        head = struct.pack("<8I", 0x0A324655, 0x9E5D5157, 0x2000, 0x10000000 + offset, 256, number, pages, 0xE48BFF56)
        blocks.append((head + page).ljust(508, b"\0") + struct.pack("<I", 0x0AB16F30))
    return b"".join(blocks)


def test_joined_it_holds_both_and_every_block_is_numbered() -> None:
    joined = uf2.join(system(), DISK)
    count = len(joined) // 512
    for index in range(count):
        fields = struct.unpack_from("<8I", joined, index * 512)
        assert fields[:3] == (0x0A324655, 0x9E5D5157, 0x2000)
        assert fields[4:] == (256, index, count, 0xE48BFF56)
    pages = uf2.parse(joined)
    assert b"".join(pages[0xA0000 + at] for at in range(0, len(DISK), 256)) == DISK
    first = uf2.parse(system())
    assert {offset: pages[offset] for offset in first} == first
    assert struct.unpack_from("<I", joined, (count - len(DISK) // 256) * 512 + 12)[0] == 0x100A0000


def test_sectors_are_complete_and_in_order() -> None:
    offsets = list(uf2.parse(uf2.join(system(), DISK)))
    assert offsets == sorted(offsets)
    sectors = {offset // 4096 for offset in offsets}
    assert len(offsets) == 16 * len(sectors)
    assert uf2.parse(uf2.join(system(), DISK))[31 * 256] == b"\xff" * 256


def test_the_same_parts_give_the_same_file() -> None:
    files = {"main.py": b"print(1)\n", "lib/a/b.mpy": bytes(9000)}
    pytest.importorskip("littlefs", reason="littlefs-python is not installed")
    digests = {hashlib.sha256(uf2.join(system(), firmware_files.image(files))).digest() for _ in range(2)}
    assert len(digests) == 1


def test_the_mark_of_an_earlier_record_goes() -> None:
    joined = uf2.parse(uf2.join(system(), DISK))
    assert [joined[at] for at in range(0x9F000, 0xA0000, 256)] == [b"\xff" * 256] * 16


def test_a_system_that_reaches_there_is_left_whole() -> None:
    whole = system(pages=0xA0000 // 256)
    joined = uf2.parse(uf2.join(whole, DISK))
    assert {at: joined[at] for at in uf2.parse(whole)} == uf2.parse(whole)


def patched(at: int, value: int) -> bytes:
    data = bytearray(system())
    struct.pack_into("<I", data, at, value)
    return bytes(data)


@pytest.mark.parametrize(
    ("data", "why"),
    [
        (b"", "no blocks of 512"),
        (system()[:-1], "no blocks of 512"),
        (patched(512, 0), "block 1 has no magic numbers"),
        (patched(512 + 508, 0), "block 1 has no magic numbers"),
        (patched(1024 + 28, 0xE48BFF59), "block 2 is for another chip: family 0xE48BFF59"),
        (patched(1024 + 8, 0), "block 2 is for another chip"),
        (patched(1024 + 20, 7), "block 2 calls itself 7 of 20, not 2 of 20"),
        (system()[:5120], "block 0 calls itself 0 of 20, not 0 of 10"),
        (patched(1024 + 12, 0x20000000), "not a page of the flash"),
        (patched(1024 + 16, 476), "not a page of the flash"),
        (patched(1024 + 12, 0x10000100), "0x10000100 comes twice"),
    ],
)
def test_what_is_no_whole_file_for_this_chip_is_refused(data: bytes, why: str) -> None:
    with pytest.raises(UsageFault, match=why):
        uf2.parse(data)


@pytest.mark.parametrize(
    ("data", "why"),
    [
        (
            system(text=b"MicroPython v1.26.1; Raspberry Pi Pico W with RP2040"),
            "not MicroPython for the Raspberry Pi Pico",
        ),
        (system(pages=0xA0000 // 256 + 1), "reaches to 0xA0100, into the file system at 0xA0000"),
    ],
)
def test_what_does_not_fit_together_is_refused(data: bytes, why: str) -> None:
    with pytest.raises(UsageFault, match=why):
        uf2.join(data, DISK, "some.uf2")


def test_a_file_system_of_another_size_is_refused() -> None:
    with pytest.raises(UsageFault, match="1000 bytes, not 1441792"):
        uf2.join(system(), bytes(1000))


def test_the_version_is_read_from_the_image() -> None:
    assert uf2.version(system()) == "1.26.1"
    assert uf2.version(system(text=b"")) == ""
