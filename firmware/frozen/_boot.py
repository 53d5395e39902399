"""The first thing a frozen build runs: mounts the flash, and makes a file system only where nothing ever was.

MicroPython's own _boot.py makes a new file system whenever it cannot mount the old one, and with it goes the table's
record. Here only a flash that is blank to its last byte, and from which no record is missing, gets one: that is a new
chip. Any other is left as it is, for somebody to look at; the table then says so and stays locked.

Nothing is printed: the serial port over USB does not exist yet.
"""

import rp2
import vfs

from holecard.boards import pico_mark


def _mount(flash) -> None:
    try:
        # The flash is programmed in pages of 256 bytes.
        files = vfs.VfsLfs2(flash, progsize=256)
    except OSError:
        if pico_mark.found() or not _blank(flash):
            return
        vfs.VfsLfs2.mkfs(flash, progsize=256)
        files = vfs.VfsLfs2(flash, progsize=256)
    vfs.mount(files, "/")


def _blank(flash) -> bool:
    blank = b"\xff" * flash.ioctl(5, 0)
    block = bytearray(blank)
    for number in range(flash.ioctl(4, 0)):
        flash.readblocks(number, block)
        if block != blank:
            return False
    return True


_mount(rp2.Flash())
