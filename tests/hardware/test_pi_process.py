"""`python -m holecard` as a process of its own, on this computer's clock, files and network; only pins and panel are
stood in for."""

from __future__ import annotations

import contextlib
import json
import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from tests.hardware.support import needs_luma

from holecard_host import operator as orders
from holecard_host.errors import StandFault
from holecard_host.stands import Stand, open_stand
from holecard_host.twin.panel import PanelModel

pytestmark = [needs_luma, pytest.mark.skipif(sys.platform != "linux", reason="a Raspberry Pi runs Linux")]
HERE = Path(__file__).parent
ROOT = HERE.parents[1]
PATHS = [HERE / "pi_modules", ROOT / "firmware", ROOT / "host"]
SECONDS = 30


def free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as server:
        return int(server.getsockname()[1])


class Process:
    """The table, started; its panel and lamps are in `told`."""

    def __init__(self, folder: Path, *options: str, paths: list[Path] = PATHS) -> None:
        self.folder = folder
        self.port = free_port()
        self.told = folder / "told"
        environment = {**os.environ, "PYTHONPATH": os.pathsep.join(map(str, paths)), "HOLECARD_TEST_PI": str(self.told)}
        self.popen = subprocess.Popen(
            [
                *(sys.executable, "-m", "holecard", "--records", str(folder / "records")),
                *("--serial", "", "--tcp", str(self.port), *options),
            ],
            env=environment,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )

    def stand(self) -> Stand:
        """The table over TCP, once it is there."""
        end = time.monotonic() + SECONDS
        while True:
            with contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", self.port), timeout=1):
                break
            assert self.popen.poll() is None, self.popen.communicate()
            assert time.monotonic() < end
            time.sleep(0.02)
        return open_stand(f"socket://127.0.0.1:{self.port}")

    def panel(self) -> PanelModel:
        """What the panel shows by now."""
        panel = PanelModel()
        for line in self.told.read_text().splitlines():
            kind, *rest = line.split()
            if kind == "panel":
                panel.write(bytes.fromhex(rest[1]))
        return panel

    def lamps(self) -> int:
        return int([line.split()[1] for line in self.told.read_text().splitlines() if line.startswith("lamps")][-1])

    def end(self, number: int = signal.SIGTERM) -> tuple[int, str]:
        """Send a signal; the exit code, and what it said."""
        self.popen.send_signal(number)
        out, error = self.popen.communicate(timeout=SECONDS)
        return self.popen.returncode, out + error


@pytest.fixture
def started(tmp_path: Path) -> Iterator[Any]:
    processes: list[Process] = []

    def start(*options: str, **more: Any) -> Process:
        processes.append(Process(tmp_path, *options, **more))
        return processes[-1]

    yield start
    for process in processes:
        process.popen.kill()
        process.popen.communicate()


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_a_signal_ends_it_with_nothing_lost_and_nothing_lit(started: Any, number: int) -> None:
    process = started()
    with process.stand() as stand:
        assert stand.wire.ask("*IDN?").startswith("Holecard,Table-pi,")
        stand.wire.command("DISP:ANIM OFF;:BENC:RUL casino")
        stand.wire.command('BENC:SHOE "10,9,7,8,2"')
        stand.wire.command("ROUN:BET 0,25;DEAL;ACT 0,HIT")
        before = stand.wire.ask_record("TABL:STAT?")
        shown = stand.wire.ask("*OPC?;:DISP:DATA?").partition(";")[2].lower()
        assert process.panel().frame().hex() == shown  # read after *OPC? has waited for it
        # Not asked whether it has written everything: that is what the signal does.
        code, said = process.end(number)
    assert (code, said) == (0, "")
    assert not process.panel().lit
    assert process.lamps() == 0
    again = started()
    with again.stand() as stand:
        after = stand.wire.ask_record("TABL:STAT?")
    assert (after["seats"], after["bankrolls"]) == (before["seats"], before["bankrolls"])


def test_a_table_that_was_killed_goes_on_where_it_was(started: Any) -> None:
    process = started()
    with process.stand() as stand:
        stand.wire.command('DISP:ANIM OFF;:BENC:SHOE "10,9,7,8,2"')
        stand.wire.command("ROUN:BET 0,25;DEAL")
        before = stand.wire.ask_record("TABL:STAT?")["seats"]
        assert process.end(signal.SIGKILL)[0] == -signal.SIGKILL
    with started().stand() as stand:
        assert stand.wire.ask_record("TABL:STAT?")["seats"] == before


def test_two_tables_do_not_share_their_records(started: Any) -> None:
    first = started()
    with first.stand():
        second = started()
        out, error = second.popen.communicate(timeout=SECONDS)
    assert (second.popen.returncode, out) == (3, "")
    assert error.startswith("holecard: another table keeps its records in ")
    assert len(error.splitlines()) == 1


def test_the_command_line_comes_before_the_settings(started: Any, tmp_path: Path) -> None:
    (tmp_path / "records").mkdir()
    (tmp_path / "records" / "settings.json").write_text(json.dumps({"mode": "arcade", "panel": "sh1106"}))
    process = started("--mode", "bench")
    with process.stand() as stand:
        assert stand.wire.ask("SYST:MODE?") == "bench"
        assert stand.wire.ask("SYST:SETT?") == '{"problem":""}'
    assert "panel 60 00aead8b" in process.told.read_text()  # the SH1106's converter


@pytest.mark.parametrize(
    ("content", "problem"),
    [
        ("{", "settings: not JSON"),
        ("[1]", "settings: not a JSON object"),
        (" " * 600, "settings: over 512 bytes"),
        (None, "the settings cannot be read: "),
    ],
    ids=["cut", "list", "long", "folder"],
)
def test_the_command_line_counts_whatever_the_settings_are(
    started: Any, tmp_path: Path, content: str | None, problem: str
) -> None:
    path = tmp_path / "records" / "settings.json"
    path.parent.mkdir()
    path.mkdir() if content is None else path.write_text(content)
    process = started("--mode", "arcade", "--panel", "sh1106")  # and, as always here, --tcp and --serial
    with process.stand() as stand:
        assert stand.wire.ask("SYST:MODE?") == "arcade"
        assert stand.wire.ask_record("SYST:SETT?")["problem"].startswith(problem)
    assert "panel 60 00aead8b" in process.told.read_text()


def test_an_arcade_table_whose_settings_are_gone_stays_closed_with_options_too(started: Any, tmp_path: Path) -> None:
    settings = tmp_path / "records" / "settings.json"
    settings.parent.mkdir()
    settings.write_text('{"mode": "arcade"}')
    process = started("--panel", "sh1106")
    with process.stand() as stand:
        assert stand.wire.ask("SYST:MODE?") == "arcade"
    process.end()
    settings.unlink()
    with started("--panel", "sh1106").stand() as stand:
        assert stand.wire.ask("SYST:MODE?") == "arcade"
        assert stand.wire.ask("SYST:SETT?") == '{"problem":"settings: the file is gone"}'


def test_an_order_that_restarts_the_table_starts_it_anew(started: Any, tmp_path: Path) -> None:
    (tmp_path / "records").mkdir()
    own = {"operator_id": "owner", "operator_key": "17" * 32}
    (tmp_path / "records" / "settings.json").write_text(json.dumps(own))
    process = started()
    with process.stand() as stand:
        assert stand.wire.ask("SYST:MODE?") == "bench"
        orders.order(stand.wire, orders.Key("owner", b"\x17" * 32), "MODE arcade")
        with contextlib.suppress(StandFault):  # it hangs up when it starts again
            for _ in range(100):
                stand.wire.ask("*IDN?")
                time.sleep(0.05)
    with process.stand() as stand:
        assert stand.wire.ask("SYST:MODE?") == "arcade"
    assert process.end()[0] == 0


def test_an_order_that_the_command_line_undoes_at_every_restart_is_refused(started: Any, tmp_path: Path) -> None:
    (tmp_path / "records").mkdir()
    settings = tmp_path / "records" / "settings.json"
    settings.write_text(json.dumps({"operator_id": "owner", "operator_key": "17" * 32}))
    before = settings.read_bytes()
    process = started("--mode", "bench")
    with process.stand() as stand:
        with pytest.raises(orders.OrderRefused, match="the option --mode holds it in bench mode"):
            orders.order(stand.wire, orders.Key("owner", b"\x17" * 32), "MODE arcade")
        assert settings.read_bytes() == before
        assert stand.wire.ask("SYST:MODE?") == "bench"
    assert process.end()[0] == 0


@pytest.mark.parametrize(
    ("options", "code", "line"),
    [
        (("--tcp", "nonsense"), 2, "holecard: --tcp 127.0.0.1:nonsense: "),
        (("--records", "/proc/nowhere"), 3, "holecard: the records cannot be kept in /proc/nowhere "),
        (("--serial", "COM3"), 2, "holecard: --serial COM3: "),
        (("--bus", "uart"), 2, "holecard: argument --bus: invalid choice: 'uart' "),
        (("--panle=sh1106",), 2, "holecard: unrecognized arguments: --panle=sh1106; see `python -m holecard --help`"),
        (("--records",), 2, "holecard: argument --records: expected one argument; see `python -m holecard --help`"),
        (("play",), 2, "holecard: argument do: invalid choice: 'play' "),
    ],
)
def test_what_cannot_be_is_one_line(started: Any, options: tuple[str, ...], code: int, line: str) -> None:
    process = started(*options)
    out, error = process.popen.communicate(timeout=SECONDS)
    assert (process.popen.returncode, out) == (code, "")
    assert error.startswith(line)
    assert len(error.splitlines()) == 1


@pytest.mark.fault(27)
def test_fault_27_a_computer_that_is_no_pi_is_told_so_in_one_line(started: Any, tmp_path: Path) -> None:
    module = tmp_path / "other" / "RPi"
    module.mkdir(parents=True)
    (module / "__init__.py").write_text("")
    (module / "GPIO.py").write_text('raise RuntimeError("This module can only be run on a Raspberry Pi!")\n')
    process = started(paths=[tmp_path / "other", *PATHS[1:]])
    out, error = process.popen.communicate(timeout=SECONDS)
    assert (process.popen.returncode, out) == (3, "")
    assert error == (
        "holecard: this is no Raspberry Pi (This module can only be run on a Raspberry Pi!):"
        " holecard play runs the same table on any computer\n"
    )
