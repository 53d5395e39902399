"""What a Raspberry Pi has beside what every board has: sensors, strap, piezo, SPI, and how it says what it lacks
(docs/field-faults.md, 26 to 28)."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
from tests.hardware.faults import opened, play_a_round, same_as_wanted, settings, state, transfers
from tests.hardware.support import Probe, needs_luma

from holecard.boards import raspberry_pi_pins as pins
from holecard_host.errors import FirmwareCrash
from holecard_host.stands import open_stand
from holecard_host.transcript.record import recording
from holecard_host.twin.panel import PanelModel

pytestmark = needs_luma
URL = "sim://pi"
KEYS = ("BET", "HIT", "STAND", "DOUBLE")


@pytest.fixture
def probe() -> Iterator[Probe]:
    probe = Probe("pi")
    yield probe
    probe.simulator.kill()


# -- the same as a Pico


def photographs(url: str, **options: Any) -> tuple[list[bytes], list[bytes], list[int]]:
    """The glass after each press of a round, what went over the bus after the start, the lamps."""
    frames, lamps = [], []
    with opened(url, **options) as stand:
        stand.wire.command("BENC:RUL casino")
        stand.wire.command('BENC:SHOE "8,10,8,7,3,9,10"')
        stand.wire.ask("*OPC?")
        since = len(stand.faults.simulator.trace)
        for key in ("BET", "HIT", "BET", "HIT", "STAND", "STAND", "DOUBLE", "DOUBLE"):
            stand.press(key)
            stand.advance(700)
            stand.wire.ask("*OPC?")
            frames.append(stand.frame())
            lamps.append(stand.lamps())
        return frames, [one.data for one in transfers(stand, since)], lamps


@pytest.mark.parametrize("kind", ["ssd1306", "sh1106"])
def test_pictures_lamps_and_bytes_on_the_bus_are_those_of_a_pico(kind: str) -> None:
    options: dict[str, Any] = {}
    if kind == "sh1106":
        options = {"files": settings(panel="sh1106"), "panel": ("sh1106", 2)}
    pico, pi = photographs("sim://cpython", **options), photographs(URL, **options)
    assert len(set(pi[0])) > 5
    assert pi == pico


def test_a_panel_on_spi_shows_the_same() -> None:
    frames, sent, lamps = photographs(URL, files=settings(bus="spi"))
    assert (frames, lamps) == photographs("sim://cpython")[::2]
    assert sum(map(len, sent)) > 500


def test_nothing_is_known_of_a_panel_on_spi_and_it_is_drawn_again_all_the_same() -> None:
    with opened(URL, files=settings(bus="spi")) as stand:
        stand.faults.plug_panel(False)
        stand.press("BET")
        stand.faults.plug_panel(True)
        stand.advance(70_000)
        assert same_as_wanted(stand)


def test_luma_starts_the_panel() -> None:
    """Its own commands, in its own order, without the frame that it begins with."""
    from luma.core.interface.serial import noop  # noqa: PLC0415 - an extra
    from luma.oled.device import ssd1306  # noqa: PLC0415

    heard: list[bytes] = []

    class Listener(noop):
        def command(self, *values: int) -> None:
            heard.append(bytes(values))

    ssd1306(Listener()).persist = True
    with opened(URL) as stand:
        sent = [one.data for one in transfers(stand)]
    assert sent[0] == b"\0" + heard[0].removeprefix(b"\xae")
    assert max(map(len, sent)) == 129


# -- pins


@pytest.mark.parametrize(("name", "pin", "bit"), [("tap", pins.TAP, 16), ("wave", pins.WAVE, 32)])
def test_a_sensor_has_its_bit_when_the_settings_name_it(name: str, pin: int, bit: int) -> None:
    for wired in (False, True):
        probe = Probe("pi", files={"settings.json": b'{"%s": true}' % name.encode()} if wired else {})
        probe.simulator.schedule(0, pin, True)
        probe.simulator.schedule(0, pins.KEYS[1], True)
        assert probe.ask("board.keys()") == str(2 + bit if wired else 2)
        probe.simulator.kill()


def test_the_strap_makes_an_arcade_table_whatever_the_settings_say() -> None:
    probe = Probe("pi", files=settings(mode="bench"))
    assert probe.ask("board.mode") == "bench"
    probe.simulator.schedule(0, pins.STRAP, True)
    probe.run(1000)
    probe.simulator.kill()
    probe.start()
    assert probe.ask("board.mode") == "arcade"
    assert probe.ask("board.choose_mode('bench')") == "the strap holds it in arcade mode"
    probe.simulator.kill()


def test_an_arcade_table_whose_settings_are_gone_stays_closed() -> None:
    probe = Probe("pi", files=settings(mode="arcade"))
    assert probe.ask("board.mode") == "arcade"
    probe.simulator.kill()
    del probe.simulator.flash["settings.json"]
    probe.start()
    assert probe.ask("(board.mode, board.problem)") == "('arcade', 'settings: the file is gone')"
    probe.simulator.kill()


def test_notes_are_as_long_as_they_should_be(probe: Probe) -> None:
    probe.ask("(board.sound('win'), waited(100000), waited(100000), waited(100000))")
    tones = [((instant - probe.simulator.tones[0][0]) / 1000, hertz) for instant, hertz in probe.simulator.tones]
    wanted = [(0, 1047), (70, 1319), (140, 1568), (260, 0)]
    assert [hertz for _, hertz in tones] == [hertz for _, hertz in wanted]
    assert all(0 <= when - at <= 4 for (when, _), (at, _) in zip(tones, wanted, strict=True))


def test_sound_can_be_off() -> None:
    probe = Probe("pi", files={"settings.json": b'{"sound": false}'})
    probe.ask("board.sound('win')")
    probe.run(500_000)
    assert probe.simulator.tones == []
    probe.simulator.kill()


def test_closing_leaves_nothing_lit_and_nothing_sounding(probe: Probe) -> None:
    probe.ask("(board.lamps(15), board.sound('win'), board.i2c_write(0x3C, b'\\0\\xaf'))")
    assert probe.simulator.lamps == 15
    probe.ask("(board._glass.close(), board._pins.close())")
    assert (probe.simulator.lamps, probe.simulator.driven) == (0, 0)
    assert probe.simulator.tones[-1][1] == 0
    assert not probe.simulator.panel.lit


@pytest.mark.parametrize(
    ("fields", "problem"),
    [
        ({"bus": "uart"}, "settings: bus: i2c or spi"),
        ({"bus_number": "1"}, "settings: bus_number: a number from 0 to 99"),
        ({"serial": "COM3"}, 'settings: serial: "auto", "" or a path such as "/dev/serial0"'),
        ({"tcp": "everywhere"}, 'settings: tcp: "" or an address such as "127.0.0.1:5025"'),
        ({"pins": 1}, "settings: pins: no such field"),
    ],
)
def test_a_setting_that_cannot_be_is_named(fields: dict[str, object], problem: str) -> None:
    probe = Probe("pi", files=settings(**fields))
    assert probe.ask("board.problem") == problem
    probe.simulator.kill()


# -- the storage


@pytest.mark.parametrize("disk", ["early", "names"])
def test_promise_16_an_open_round_outlasts_a_power_cut(disk: str) -> None:
    """The third kind of disk has the tests of records in test_records.py, every operation those in test_pi_files.py."""
    seen = set()
    for operation in range(0, 24, 4):
        with opened(URL, disk=disk) as stand:
            stand.wire.command('BENC:RUL casino;:BENC:SHOE "5,9,4,8,2"')
            stand.wire.command("ROUN:BET 0,25;DEAL")
            stand.wire.ask("*OPC?")
            simulator = stand.faults.simulator
            simulator.cut_at_flash(operation)
            cut = simulator.grant(simulator.now + 2_000_000, rx=b"ROUN:ACT 0,HIT\n").why == "cut"
            stand.restore()
            seat = state(stand)["seats"][0]
            seen.add(len(seat["hands"][0]["cards"]))
            assert state(stand)["phase"] == "playing"
            if not cut:
                break
    assert seen == {2, 3}


# -- 26 to 28


@pytest.mark.fault(26)
def test_fault_26_levels_are_polled_and_no_edge_is_asked_for(probe: Probe) -> None:
    """A kernel that refuses edges is no reason not to see a press."""
    with pytest.raises(FirmwareCrash, match="Failed to add edge detection"):
        probe.ask(f"board._pins._gpio.add_event_detect({pins.KEYS[0]}, 32)")
    with opened(URL) as stand:
        play_a_round(stand)
        assert same_as_wanted(stand)


def pretend(monkeypatch: pytest.MonkeyPatch, model: str, refuse: Exception, at: str) -> str:
    """What a board says on that Pi when RPi.GPIO refuses, as it is loaded or as pins are set up."""
    from holecard.boards import raspberry_pi_faults, raspberry_pi_gpio  # noqa: PLC0415 - POSIX only

    class Refusing(ModuleType):
        BCM = IN = OUT = PUD_UP = LOW = 0

        def setwarnings(self, state: bool) -> None:
            pass

        def setmode(self, mode: int) -> None:
            pass

        def setup(self, *_: object, **__: object) -> None:
            raise refuse

    class Package(ModuleType):
        def __getattr__(self, name: str) -> Any:
            if at == "import" and name == "GPIO":
                raise refuse
            if name == "GPIO":
                return Refusing("GPIO")
            raise AttributeError(name)

    monkeypatch.setitem(sys.modules, "RPi", Package("RPi"))
    monkeypatch.setattr(raspberry_pi_faults, "read", lambda path: model.encode() + b"\0" if model else None)
    monkeypatch.setattr(raspberry_pi_faults.getpass, "getuser", lambda: "ada")
    with pytest.raises(raspberry_pi_faults.BoardFault) as fault:
        raspberry_pi_gpio.Pins([], True)
    assert "\n" not in str(fault.value)
    return str(fault.value)


PI5, PI4 = "Raspberry Pi 5 Model B Rev 1.0", "Raspberry Pi 4 Model B Rev 1.4"


@pytest.mark.fault(27)
@pytest.mark.parametrize(
    ("refuse", "at"),
    [
        (RuntimeError("Cannot determine SOC peripheral base address"), "setup"),
        (RuntimeError("This module can only be run on a Raspberry Pi!"), "import"),
    ],
)
def test_fault_27_on_a_pi_5_the_drop_in_is_named(monkeypatch: pytest.MonkeyPatch, refuse: Exception, at: str) -> None:
    said = pretend(monkeypatch, PI5, refuse, at)
    assert said == (
        f"RPi.GPIO does not run on this {PI5} ({refuse}): pip uninstall RPi.GPIO, then pip install rpi-lgpio"
    )


@pytest.mark.fault(28)
@pytest.mark.parametrize(
    ("refuse", "at", "said"),
    [
        (
            RuntimeError("No access to /dev/mem.  Try running as root!"),
            "setup",
            "no access to the pins (No access to /dev/mem. Try running as root!):"
            " sudo usermod -aG gpio ada, then log in again",
        ),
        (Exception("can not open gpiochip"), "import", "no access to the pins (can not open gpiochip): sudo usermod"),
        (Exception("GPIO busy"), "setup", "another program has the pins (GPIO busy): end it; a line"),
        (ImportError("No module named 'RPi'"), "import", "RPi.GPIO cannot be loaded (No module named 'RPi'): pip "),
    ],
)
def test_fault_28_pins_that_cannot_be_had_are_told_in_one_line(
    monkeypatch: pytest.MonkeyPatch, refuse: Exception, at: str, said: str
) -> None:
    assert pretend(monkeypatch, PI4, refuse, at).startswith(said)


@pytest.mark.fault(28)
@pytest.mark.parametrize(
    ("bus", "error", "said"),
    [
        ("i2c", FileNotFoundError(2, "No such file", "/dev/i2c-1"), "there is no /dev/i2c-1: switch it on with sudo"),
        ("i2c", PermissionError(13, "Denied", "/dev/i2c-1"), "no permission for /dev/i2c-1: sudo usermod -aG i2c "),
        (
            "spi",
            FileNotFoundError(2, "No such file"),
            "there is no /dev/spidev0.0: switch it on with sudo ",
        ),
        ("spi", PermissionError(13, "Permission denied"), "no permission for /dev/spidev0.0: sudo usermod -aG spi "),
    ],
)
def test_fault_28_a_bus_that_cannot_be_had_is_told_once_in_one_line(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], bus: str, error: OSError, said: str
) -> None:
    """By luma's own interfaces, which look at what the system says."""
    from holecard.boards.raspberry_pi_panel import Glass  # noqa: PLC0415 - POSIX only

    def refuse(*_: object) -> None:
        raise error

    class Gpio:
        OUT = LOW = HIGH = BCM = 0
        setup = output = setmode = cleanup = staticmethod(lambda *_: None)

    smbus2, spidev, package = ModuleType("smbus2"), ModuleType("spidev"), ModuleType("RPi")
    smbus2.__dict__.update(SMBus=refuse, i2c_msg=type("Message", (), {"write": None}))
    spidev.__dict__.update(SpiDev=type("SpiDev", (), {"open": refuse}))
    package.__dict__.update(GPIO=Gpio)
    for name, module in (("smbus2", smbus2), ("spidev", spidev), ("RPi", package), ("RPi.GPIO", Gpio)):
        monkeypatch.setitem(sys.modules, name, module)
    glass = Glass("ssd1306", bus, 0 if bus == "spi" else 1)
    for address in (0x3C, 0x3D, 0x3C):
        with pytest.raises(OSError):
            glass.write(address, b"\0\xaf")
    told = capsys.readouterr().err
    assert told.startswith("holecard: " + said)
    assert told.count("\n") == 1
    assert "the table goes on without a panel" in told


@pytest.mark.fault(28)
def test_fault_28_a_panel_that_does_not_answer_is_told_once_and_stops_nothing() -> None:
    with opened(URL, panel_address=0x50) as stand:
        journal = stand.faults.simulator.journal
        stand.press("HIT")
        stand.advance(5_000)
        assert state(stand)["phase"] != "betting"
        assert [line for line in journal if "no panel" in line] == [
            "holecard: no panel answers on /dev/i2c-1 at 0x3C or 0x3D: check its power, SDA (pin 3) and SCL (pin 5); "
            "i2cdetect -y 1 lists what answers; the table goes on without a panel"
        ]


def test_the_panel_model_is_the_one_of_every_stand() -> None:
    with opened(URL) as stand:
        panel = PanelModel()
        for one in transfers(stand):
            panel.write(one.data)
        assert panel.frame() == stand.frame()
        assert panel.unknown == []


def test_a_transcript_has_this_boards_pins_by_their_names(tmp_path: Path) -> None:
    path = tmp_path / "pi.jsonl"
    with recording(path), open_stand("sim://pi") as stand:
        stand.wire.ask("*OPC?")
        shown = stand.lamps()
        for key in ("BET", "HIT", "STAND", "DOUBLE"):
            stand.press(key)
            stand.wire.ask("*OPC?")
    rows = [json.loads(line) for line in path.read_text("ascii").splitlines()]
    levels = [(row["pin"], row["level"]) for row in rows if row.get("dir") == "pin"]
    lamps = ("LAMP_BET", "LAMP_HIT", "LAMP_STAND", "LAMP_DOUBLE")
    assert dict(levels[:4]) == {lamp: shown >> bit & 1 for bit, lamp in enumerate(lamps)}
    assert [pin for pin, level in levels if pin in KEYS and not level] == list(KEYS)
