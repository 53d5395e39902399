"""A model of the flash chip, for CPython and MicroPython alike: blocks that are erased whole, pages that are
programmed, a count of both, and a machine that stops at any of these operations.

A program only clears bits; setting one is a fault, which the model notes in `faults`. A cut leaves the operation in
hand in one of several states (`PROGRAM_CUTS`, `ERASE_CUTS`), and from then on every access raises PowerCut.
"""

from hashlib import sha256

BLOCKS = 352
BLOCK = 4096
PAGE = 256
# The sector before the file system, which holds the mark of boards/pico_mark.py.
BEFORE = -1
_BLANK = b"\xff" * BLOCK

PROGRAM = "program"
ERASE = "erase"
# clean: nothing happened; torn: the first bytes only; bits: some of the bits that were to be cleared; noise: the first
# bytes, then bits cleared by chance.
PROGRAM_CUTS = ("clean", "torn", "bits", "noise")
# half: the first part is erased, the rest as before; noise: the rest is bits by chance.
ERASE_CUTS = ("clean", "half", "noise")


class PowerCut(Exception):
    """The power is off."""


class Operation:
    """One program of a page or erase of a block, about to happen: where, and on what."""

    def __init__(self, kind, block, offset, data, blocks):
        self.kind = kind
        self.block = block
        self.offset = offset
        self.data = data
        self.blocks = blocks

    def cuts(self):
        return PROGRAM_CUTS if self.kind == PROGRAM else ERASE_CUTS

    def cut(self, how, label):
        """The blocks as a cut of this operation leaves them; what is chance depends on `label` (bytes) alone."""
        blocks = dict(self.blocks)
        if how == "clean":
            return blocks
        old = blocks.get(self.block, _BLANK)
        chance = _chance(label + how.encode(), 2 + BLOCK)
        if self.kind == ERASE:
            at = 1 + (chance[0] * 256 + chance[1]) % (BLOCK - 1)
            blocks[self.block] = _BLANK[:at] + (old[at:] if how == "half" else chance[2 + at :])
            return blocks
        before = old[self.offset : self.offset + PAGE]
        at = 1 + chance[0] % (PAGE - 1)
        dice = chance[2 : 2 + PAGE]
        if how == "torn":
            page = _both(before, self.data[:at] + _BLANK[: PAGE - at])
        elif how == "bits":
            page = _both(before, _either(self.data, dice))
        else:
            page = _both(before, self.data[:at] + dice[at:])
        blocks[self.block] = _replaced(old, self.offset, page)
        return blocks


class Flash:
    """The chip.

    blocks    number -> bytes; a block that is missing is blank. The bytes never change, so a shallow copy is a snapshot
    programs, erases   number -> how often
    faults    what no chip can do and the file system asked for, in words
    watch     called with each Operation before it happens, None for nobody
    cut_at    (number of operations until then, how) or None
    """

    def __init__(self, blocks=None):
        self.blocks = dict(blocks or {})
        self.programs = {}
        self.erases = {}
        self.faults = []
        self.watch = None
        self.cut_at = None
        self.operations = 0
        self.off = False

    def alive(self):
        """PowerCut if the power is off."""
        if self.off:
            raise PowerCut

    def read(self, block, offset, size):
        self.alive()
        return self.blocks.get(block, _BLANK)[offset : offset + size]

    def program(self, block, offset, data):
        """Whole pages, one operation each."""
        if offset % PAGE or len(data) % PAGE:
            self.faults.append("a program of " + str(len(data)) + " bytes at " + str(offset))
        for at in range(0, len(data), PAGE):
            page = bytes(data[at : at + PAGE])
            self._begin(Operation(PROGRAM, block, offset + at, page, self.blocks))
            old = self.blocks.get(block, _BLANK)
            new = _both(old[offset + at : offset + at + PAGE], page)
            if new != page:
                self.faults.append("block " + str(block) + ", " + str(offset + at) + ": a 0 programmed to 1")
            self.blocks[block] = _replaced(old, offset + at, new)
            self.programs[block] = self.programs.get(block, 0) + 1

    def erase(self, block):
        self._begin(Operation(ERASE, block, 0, b"", self.blocks))
        self.blocks[block] = _BLANK
        self.erases[block] = self.erases.get(block, 0) + 1

    def _begin(self, operation):
        self.alive()
        if self.watch:
            operation.blocks = dict(self.blocks)
            self.watch(operation)
        if self.cut_at and self.cut_at[0] == self.operations:
            self.blocks = operation.cut(self.cut_at[1], str(self.operations).encode())
            self.off = True
            raise PowerCut
        self.operations += 1


def _both(one, other):
    # As numbers: byte by byte would be a hundred times slower.
    return (int.from_bytes(one, "little") & int.from_bytes(other, "little")).to_bytes(len(one), "little")


def _either(one, other):
    return (int.from_bytes(one, "little") | int.from_bytes(other, "little")).to_bytes(len(one), "little")


def _replaced(block, offset, page):
    return block[:offset] + page + block[offset + len(page) :]


def _chance(label, size):
    data = b""
    number = 0
    while len(data) < size:
        data += sha256(label + str(number).encode()).digest()
        number += 1
    return data[:size]
