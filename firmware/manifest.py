"""What a frozen build of MicroPython for the Pico contains: FROZEN_MANIFEST of the port rp2 names this file.

It does not include the port's own manifest, because that one brings the _boot.py which formats the flash.
"""

freeze("$(PORT_DIR)/modules", "rp2.py")  # noqa: F821 - offered by MicroPython's build
freeze("frozen", "_boot.py")  # noqa: F821
package("holecard")  # noqa: F821
module("main.py")  # noqa: F821
