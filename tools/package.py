"""Write firmware/package.json, which `mip` installs from, and the compiled files that it names, in firmware/mpy.

python tools/package.py          write both
python tools/package.py --check  exit 1 when package.json is not what would be written
"""

import json
import shutil
import sys
from pathlib import Path

from holecard import __version__
from holecard.table.digest import INSTALLED
from holecard_host import firmware_files

FIRMWARE = Path(__file__).resolve().parent.parent / "firmware"
PACKAGE = FIRMWARE / "package.json"
FOLDER = "mpy"


def text():
    """package.json: where each file goes below lib, and where it is beside package.json."""
    names = sorted([*(name.replace(".", "/") + ".mpy" for name in firmware_files.joined().files), INSTALLED])
    whole = {"version": __version__, "deps": [], "urls": [[name, f"{FOLDER}/{name}"] for name in names]}
    return json.dumps(whole, indent=1) + "\n"


def main(arguments):
    """Write the files, or compare package.json."""
    if "--check" in arguments:
        if PACKAGE.read_text(encoding="utf-8") == text():
            return 0
        print(
            "package: firmware/package.json does not list the files that there are: run make package", file=sys.stderr
        )
        return 1
    PACKAGE.write_text(text(), encoding="utf-8")
    shutil.rmtree(FIRMWARE / FOLDER, ignore_errors=True)
    for name, data in firmware_files.compiled().items():
        if name.startswith(firmware_files.LIB):
            path = FIRMWARE / FOLDER / name.removeprefix(f"{firmware_files.LIB}/")
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(data)
    print(f"package: wrote firmware/package.json and firmware/{FOLDER}")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
