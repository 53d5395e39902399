"""What a frozen build of MicroPython for the Pico contains: FROZEN_MANIFEST of the port rp2 names this file.

It does not include the port's own manifest, because that one brings the _boot.py which formats the flash.
"""

import os

_PI = ("__main__", "boards/raspberry_pi")


def _modules():
    # MicroPython reads a manifest in its own folder.
    return sorted(
        os.path.relpath(os.path.join(folder, name), "holecard")
        for folder, _, names in os.walk("holecard")
        for name in names
        if name.endswith(".py")
    )


freeze("$(PORT_DIR)/modules", "rp2.py")  # noqa: F821 - offered by MicroPython's build
freeze("frozen", "_boot.py")  # noqa: F821
# Not what a Raspberry Pi runs, on CPython.
package("holecard", files=[name for name in _modules() if not name.startswith(_PI)])  # noqa: F821
module("main.py")  # noqa: F821
