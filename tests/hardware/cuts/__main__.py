"""Cuts under the interpreter that runs this, the counts as one line of JSON.

python tests/hardware/cuts/__main__.py ROOT quick|full
"""

import json
import sys

ROOT, HOW_MUCH = sys.argv[1:3]
sys.path[:0] = [ROOT, ROOT + "/firmware"]

from tests.hardware.cuts import cutting, moving, scenes  # noqa: E402 - the folder comes from the command line

# Points of a quick run, bits that are flipped in each of two scenes (0: all), and every how many-th cut has second
# cuts: MicroPython takes about ten times as long for each.
_QUICK = {"cpython": 240, "micropython": 40}
_FLIPS = {"quick": {"cpython": 80, "micropython": 13}, "full": {"cpython": 0, "micropython": 1024}}
_DEEP = {"quick": {"cpython": 6, "micropython": 6}, "full": {"cpython": 1, "micropython": 12}}
_FLIPPED = 3


def main():
    interpreter = sys.implementation.name
    most = 0 if HOW_MUCH == "full" else _QUICK[interpreter]
    scripts = [scene.script() for scene in scenes.SCENES]
    counts = cutting.Counts()
    cutting.cut_everywhere(scripts, counts, most, _DEEP[HOW_MUCH][interpreter])
    for script in scripts[_FLIPPED :: len(scripts) // 2]:
        cutting.flip_bits(script, counts, _FLIPS[HOW_MUCH][interpreter])
    trace = cutting.Trace(scripts[_FLIPPED], cutting.aged())
    moving.cut_moves(trace, counts, *((1, 1) if most else (6, 4)))
    print(json.dumps(counts.summary()))


main()
