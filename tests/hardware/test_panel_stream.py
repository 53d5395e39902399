"""The bytes that reach a panel, recorded for both controllers, and the heap that sending them takes.

After a wanted change of the driver: HOLECARD_UPDATE_GOLDEN=1, and read every line that is different.
"""

from __future__ import annotations

import itertools
import os
import subprocess
from pathlib import Path

import pytest
from tests.hardware.support import FIRMWARE, needs_micropython
from tests.hardware.test_panel_driver import PANELS, Bench, draw

import holecard
from holecard_host.twin.process import micropython_path

TRIED_ON = "panel driver"
GOLDEN = Path(__file__).parent / "golden"


def listing(bench: Bench, title: str) -> list[str]:
    """The transfers since the last call, one a line: hexadecimal bytes, runs of data as 00*50."""
    lines = [f"# {title}"]
    for sent in bench.log:
        runs = [(byte, len(list(group))) for byte, group in itertools.groupby(sent)] if sent[0] == 0x40 else []
        text = " ".join(f"{byte:02X}" if count == 1 else f"{byte:02X}*{count}" for byte, count in runs)
        lines.append(text or sent.hex(" ").upper())
    bench.log.clear()
    return lines


def record(panel: tuple[str, int]) -> str:
    """What is sent from power-on through a few changes."""
    bench = Bench(panel=panel)
    draw(bench, 0, 0, b"\xff" * 40)
    draw(bench, 7, 120, b"\x18" * 8)
    bench.flush()
    lines = listing(bench, "set up, every page once from the last to the first but one, on")
    draw(bench, 3, 50, b"\x55" * 10)
    bench.flush()
    lines += listing(bench, "ten columns of page 3, from column 50")
    draw(bench, 5, 0, b"\x01")
    draw(bench, 5, 127, b"\x02")
    bench.flush()
    lines += listing(bench, "the first and the last column of page 5")
    bench.driver.contrast(0x08)
    bench.driver.on(False)
    bench.driver.on()
    lines += listing(bench, "dimmed, off, on")
    bench.driver.refresh()
    bench.driver.flush_some()
    lines += listing(bench, "refreshed: set up again while it is lit")
    return "\n".join(lines) + "\n"


@pytest.mark.fault(5)
@pytest.mark.parametrize("panel", PANELS, ids=lambda panel: f"{panel[0]}-{panel[1]}")
def test_fault_05_the_stream_is_the_recorded_one(panel: tuple[str, int]) -> None:
    path = GOLDEN / f"{panel[0]}-{panel[1]}.txt"
    text = record(panel)
    if os.environ.get("HOLECARD_UPDATE_GOLDEN"):
        path.write_text(text, encoding="ascii")
    assert text == path.read_text(encoding="ascii")


@pytest.mark.fault(6)
@pytest.mark.parametrize("offset", [0, 2, 4])
def test_fault_06_no_byte_to_an_sh1106_is_a_window_or_a_mode(offset: int) -> None:
    commands = set()
    for line in (GOLDEN / f"sh1106-{offset}.txt").read_text(encoding="ascii").splitlines():
        if line.startswith("00 "):
            codes = bytes.fromhex(line)[1:]
            index = 0
            while index < len(codes):
                commands.add(codes[index])
                index += 2 if codes[index] in (0x81, 0xA8, 0xAD, 0xD3, 0xD5, 0xD9, 0xDA, 0xDB) else 1
    assert not commands & {*range(0x20, 0x30), 0x8D}
    assert {0xB0, 0xB7} <= commands


@needs_micropython
@pytest.mark.parametrize("panel", PANELS, ids=lambda panel: f"{panel[0]}-{panel[1]}")
def test_sending_allocates_nothing(panel: tuple[str, int]) -> None:
    root = Path(holecard.__file__).parent.parent
    start = (
        f"import sys; sys.path[:] = ['.frozen', {str(root)!r}, {str(FIRMWARE)!r}]; import flushes; flushes.run{panel}"
    )
    run = subprocess.run(
        [micropython_path(), "-X", "heapsize=192k", "-c", start], capture_output=True, text=True, check=True
    )
    assert run.stdout.split() == ["0", "250"]


@needs_micropython
def test_the_machine_code_finds_what_its_reference_finds() -> None:
    root = Path(holecard.__file__).parent.parent
    start = f"import sys; sys.path[:] = ['.frozen', {str(root)!r}, {str(FIRMWARE)!r}]; import differences"
    run = subprocess.run([micropython_path(), "-c", start], capture_output=True, text=True, check=True)
    assert int(run.stdout) > 10_000
