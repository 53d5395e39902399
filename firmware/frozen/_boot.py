"""The first thing a frozen build runs: mounts the flash, and formats it never.

MicroPython's own _boot.py makes a new file system whenever it cannot mount the old one, and with it goes the table's
record. Here a flash that cannot be mounted is left as it is, for somebody to look at.
"""

import rp2
import vfs

try:
    # The flash is programmed in pages of 256 bytes.
    vfs.mount(vfs.VfsLfs2(rp2.Flash(), progsize=256), "/")
except OSError as error:
    print("Holecard: the flash cannot be mounted (" + str(error) + ") and was left as it is.")
    print("A new chip, or nothing to lose? import vfs, rp2; vfs.VfsLfs2.mkfs(rp2.Flash(), progsize=256), then reset.")

del rp2, vfs
