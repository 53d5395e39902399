"""Freezes the table into MicroPython for the Pico:

    make -C ports/rp2 BOARD=RPI_PICO FROZEN_MANIFEST=/path/to/holecard/firmware/manifest.py

It does not include the port's own manifest, because that one brings the _boot.py which formats the flash.
"""

freeze("$(PORT_DIR)/modules", "rp2.py")  # noqa: F821 - offered by MicroPython's build
freeze("frozen", "_boot.py")  # noqa: F821
package("holecard")  # noqa: F821
module("main.py")  # noqa: F821
