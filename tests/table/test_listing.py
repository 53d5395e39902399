"""Imports from a list of the files: the same modules, and afterwards everything as before."""

from __future__ import annotations

import subprocess
from pathlib import Path

from tests.table.test_micropython import MICROPYTHON, needs_micropython

from holecard import listing

FIRMWARE = Path(__file__).parents[2] / "firmware"

PROGRAM = """
import sys
sys.path[:] = [{root!r}]
import holecard
from holecard import listing
print(listing.begin())
listing._ROOT = {root!r}
print(listing.begin())
import holecard.table.table
try:
    import holecard.table.nowhere
except ImportError as error:
    print(error)
print(holecard.table.table.__file__)
listing.end()
print([m.__path__ for m in sys.modules.values() if "listed" in getattr(m, "__path__", "")])
import holecard.table.softbuf
print(holecard.__path__, holecard.table.softbuf.__file__)
"""


@needs_micropython
def test_modules_come_from_the_list_and_later_ones_from_the_disk() -> None:
    root = str(FIRMWARE)
    run = subprocess.run(
        [str(MICROPYTHON), "-X", "heapsize=480k", "-c", PROGRAM.format(root=root)],
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
    )
    assert (run.stderr, run.stdout.splitlines()) == (
        "",
        [
            "False",
            "True",
            "no module named 'holecard.table.nowhere'",
            "/listed/holecard/table/table.py",
            "[]",
            f"{root}/holecard {root}/holecard/table/softbuf.py",
        ],
    )


def test_elsewhere_nothing_happens() -> None:
    assert not listing.begin()
