"""The ways onto a Pico, proved on the emulated chip: the joined image starts, and `flash` reaches a real prompt."""

from __future__ import annotations

import asyncio
import re
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.hardware.emulated import needs_chip

from holecard import __version__
from holecard_host import deploy, firmware_files, uf2
from holecard_host.checkup import at_the_prompt

pytestmark = [needs_chip, pytest.mark.long]
# The chip is emulated at a twentieth of its speed, less on a busy machine.
PATIENCE = 300.0


def micropython() -> Path:
    from holecard_host.twin.emulated import uf2 as resolver  # noqa: PLC0415 - needs the emulator

    return resolver.find(download=False)


def test_the_joined_image_starts_and_plays(tmp_path: Path) -> None:
    from rp2040py.boards import BoardSpec  # noqa: PLC0415
    from rp2040py.device import BaseDevice  # noqa: PLC0415

    path = tmp_path / "table.uf2"
    path.write_bytes(uf2.join(micropython().read_bytes(), firmware_files.image(firmware_files.compiled())))
    got = bytearray()

    async def run() -> None:
        device = BaseDevice(board=BoardSpec(image=path))
        device.cdc.on_serial_data = got.extend
        await device.astart(timeout=PATIENCE)
        for byte in b"\n*IDN?;:TABL:RUL?\n":
            device.cdc.send_serial_byte(byte)
        deadline = time.monotonic() + PATIENCE
        while b"\n" not in got and time.monotonic() < deadline:
            await asyncio.sleep(0.2)
        device.stop()

    asyncio.run(run())
    identity, _, rules = got.decode().partition(";")
    assert re.fullmatch(rf"Holecard,Table-pico,[0-9a-f]+,{re.escape(__version__)}", identity)
    assert rules.startswith("{")


@pytest.fixture
def prompt(tmp_path: Path) -> Iterator[str]:
    """The port of an emulated Pico with everything but main.py on it, and a file that must go."""
    files = firmware_files.compiled()
    del files[firmware_files.MAIN]
    files["lib/holecard/app.py"] = b"stale = True\n"
    disk = tmp_path / "disk.img"
    disk.write_bytes(firmware_files.image(files))
    arguments = ["micropython", "--image", str(micropython()), "--littlefs", str(disk), "--pty"]
    process = subprocess.Popen(
        [sys.executable, "-m", "rp2040py", *arguments], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
    )
    try:
        assert process.stdout is not None
        for line in process.stdout:
            found = re.search(r"(/dev/\S+\d)", line)
            if found:
                yield found[1]
                return
        pytest.fail("the emulator tells no port")
    finally:
        process.kill()
        process.wait()


def test_flash_copies_what_is_missing_and_the_table_answers(prompt: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(deploy.Prompt.__init__, "__defaults__", (PATIENCE / 3,))
    with deploy.open_prompt(prompt) as board:
        found = {finding.what: finding for finding in at_the_prompt(board)}
    assert found["board"].state == "good"
    assert "RP2040" in found["board"].text
    assert found["panel"].state == "bad", "nothing is on the bus of this chip"
    done = deploy.flash(prompt, firmware_files.compiled(), lambda *_: None, wait=PATIENCE)
    assert done.plan.write == ["main.py"]
    assert done.plan.remove == ["lib/holecard/app.py"]
    assert done.identity.startswith("Holecard,Table-pico,")
