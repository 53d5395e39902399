"""The power is cut at every operation of the flash, under the real littlefs, in both of its bindings.

The numbers of cut points go to build/power-cuts.json.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from tests.hardware.support import needs_micropython

from holecard_host.twin.process import micropython_path

pytest.importorskip("littlefs", reason="littlefs-python is not installed")

from tests.hardware.cuts import cutting, disk, flash, powered, scenes

ROOT = Path(__file__).parents[2]
BUILD = ROOT / "build"
# Objects are twice as long as on the Pico, and every operation is remembered.
HEAP = "heapsize=128m"

interpreters = pytest.mark.parametrize(
    "name", ["littlefs-python", pytest.param("VfsLfs2", marks=needs_micropython)], ids=["cpython", "micropython"]
)


def counted(name: str, how_much: str) -> dict[str, Any]:
    """The counts of a run, which build/power-cuts.json takes up. Several workers may do so at once."""
    interpreter = [sys.executable] if name != "VfsLfs2" else [str(micropython_path()), "-X", HEAP]
    script = [*interpreter, str(Path(cutting.__file__).with_name("__main__.py")), str(ROOT), how_much]
    parts = BUILD / "power-cuts"
    parts.mkdir(parents=True, exist_ok=True)
    part = parts / f"{name}-{how_much}.json"
    part.unlink(missing_ok=True)
    done = subprocess.run(script, capture_output=True, text=True, timeout=7200, check=False)
    assert done.returncode == 0, done.stdout[-2000:] + done.stderr[-4000:]
    counts: dict[str, Any] = json.loads(done.stdout.splitlines()[-1])
    _replace(part, counts)
    whole = {part.stem: json.loads(part.read_text(encoding="utf-8")) for part in sorted(parts.glob("*.json"))}
    _replace(BUILD / "power-cuts.json", whole)
    return counts


def _replace(path: Path, content: dict[str, Any]) -> None:
    new = path.with_suffix(f".{os.getpid()}")
    new.write_text(json.dumps(content, indent=1) + "\n", encoding="utf-8")
    new.replace(path)


@interpreters
def test_promise_16_a_cut_at_any_flash_operation_loses_nothing(name: str) -> None:
    counts = counted(name, "quick")
    assert counts["first_failures"] == []
    assert counts["cut_points"] >= (240 if name == "littlefs-python" else 40)
    assert {"program, torn", "program, bits", "program, noise"} <= counts["by_kind"].keys()
    assert any(kind.startswith("moving: ") for kind in counts["by_kind"])
    assert counts["second_cuts"] > 20
    assert counts["bit_flips"] > 20


@pytest.mark.long
@interpreters
def test_promise_16_every_cut_every_second_cut_and_every_bit(name: str) -> None:
    counts = counted(name, "full")
    assert counts["first_failures"] == []
    assert counts["cut_points"] > 3 * counts["operations"]


def test_a_save_that_can_lose_the_record_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    good = disk.files.Files.save

    def careless(self: Any, name: str, data: bytes) -> None:
        if name == "a/bhot" and "a" in disk.files.os.listdir("/"):
            for folder in "ab":
                if "bhot" in disk.files.os.listdir(folder):
                    disk.files.os.remove(folder + "/bhot")
        good(self, name, data)

    monkeypatch.setattr(disk.files.Files, "save", careless)
    counts = cutting.Counts()
    cutting.cut_everywhere([scene.script() for scene in scenes.SCENES[:2]], counts, 60, 10)
    assert any("came back locked" in failure for failure in counts.failures)


# -- the model ---------------------------------------------------------------------------------------------------------


def test_a_program_only_clears_bits_and_says_so() -> None:
    chip = flash.Flash()
    chip.program(3, 256, b"\x0f" * 256)
    chip.program(3, 256, b"\x03" * 256)
    assert (chip.read(3, 256, 2), chip.faults) == (b"\x03\x03", [])
    chip.program(3, 256, b"\xf3" * 256)
    assert (chip.read(3, 256, 2), len(chip.faults)) == (b"\x03\x03", 1)
    chip.erase(3)
    assert chip.read(3, 0, 4096) == b"\xff" * 4096
    assert (chip.programs, chip.erases, chip.operations) == ({3: 3}, {3: 1}, 4)


@pytest.mark.parametrize("how", ["torn", "bits", "noise"])
def test_a_cut_program_changes_its_page_and_nothing_else(how: str) -> None:
    chip = flash.Flash({3: bytes(256) + b"\xf0" * 256 + b"\xff" * 3584})
    chip.cut_at = (0, how)
    with pytest.raises(flash.PowerCut):
        chip.program(3, 256, b"\x50" * 256)
    after = chip.blocks[3]
    assert after[:256] + after[512:] == bytes(256) + b"\xff" * 3584
    page = after[256:512]
    assert page not in (b"\xf0" * 256, b"\x50" * 256)
    assert all(byte & ~0xF0 == 0 for byte in page)
    if how != "noise":
        assert all(byte & 0x50 == 0x50 for byte in page)


@pytest.mark.parametrize("how", ["half", "noise"])
def test_a_cut_erase_leaves_the_end_of_its_block(how: str) -> None:
    chip = flash.Flash({3: bytes(4096), 4: bytes(4096)})
    chip.cut_at = (0, how)
    with pytest.raises(flash.PowerCut):
        chip.erase(3)
    assert chip.blocks[3][0] == 0xFF
    assert chip.blocks[3] != b"\xff" * 4096
    assert chip.blocks[4] == bytes(4096)


def test_without_power_everything_raises_until_it_is_back() -> None:
    script = scenes.SCENES[0].script()
    trace = cutting.Trace(script, cutting.aged())
    number = len(trace.operations) - 1
    step, operation = trace.operations[number]
    chip = flash.Flash(cutting.aged())
    chip.cut_at = (number, "torn")
    machine = powered.Machine(chip)
    with pytest.raises(flash.PowerCut):
        for line in script.steps:
            machine.do(line)
    for access in (machine.step, lambda: machine.board.load("table"), lambda: machine.board.save("table", b"")):
        with pytest.raises(flash.PowerCut):
            access()
    # What lies there is what a cut of the remembered operation gives.
    assert chip.blocks == operation.cut("torn", str(number).encode())
    again = powered.Machine(flash.Flash(chip.blocks))
    trace.place(again.state(), again.history(), (step, step + 1))


def test_a_save_of_both_copies_seldom_erases_in_both_folders() -> None:
    """An erase takes as long as a card, and without care the two folders' blocks are full at the same save each time.
    Records that grow and shrink as much as these let that happen now and then."""
    chip = flash.Flash(cutting.aged())
    disk.mount(chip)
    files = disk.files.Files(disk.pico_mark.found, disk.pico_mark.leave)

    def erases(name: str, data: bytes) -> int:
        before = sum(chip.erases.values())
        files.save(name, data)
        return sum(chip.erases.values()) - before

    erases("a/hot", bytes(150)), erases("b/hot", bytes(150))
    saves = [(f"r{number // 4 % 12}" if number % 4 == 3 else "hot", bytes(150 + number % 60)) for number in range(400)]
    found = [(erases(f"a/{name}", data), erases(f"b/{name}", data)) for name, data in saves]
    assert sum(map(any, found)) > 30
    assert sum(map(all, found)) < 5
