"""What a Pico can have beside buttons and panel: piezo, sensors, watchdog, strap, and the way to the prompt."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.hardware.support import Probe

from holecard.boards import pico_pins
from holecard_host import firmware_files
from holecard_host.errors import FirmwareCrash
from holecard_host.twin.simulator import Simulator

MAIN = Path(__file__).parents[2] / "firmware" / "main.py"


# -- piezo


def notes(probe: Probe) -> list[tuple[int, int]]:
    """(milliseconds since the first, hertz) of what was heard since the last call."""
    tones = probe.simulator.tones
    heard = [(round((instant - tones[0][0]) / 1000), hertz) for instant, hertz in tones]
    tones.clear()
    return heard


def test_a_sound_plays_while_the_table_idles_and_holds_nobody_up(probe: Probe) -> None:
    before = int(probe.ask("board.now()"))
    probe.ask("board.sound('refused')")
    assert int(probe.ask("board.now()")) - before < 12_000
    probe.run(400_000)
    assert [hertz for _, hertz in notes(probe)] == [220, 0, 220, 0]


def test_notes_are_as_long_as_they_should_be(probe: Probe) -> None:
    probe.ask("(board.sound('win'), waited(100000), waited(100000), waited(100000))")
    starts = [(0, 1047), (70, 1319), (140, 1568), (260, 0)]
    heard = notes(probe)
    assert [hertz for _, hertz in heard] == [hertz for _, hertz in starts]
    assert all(0 <= when - wanted <= 4 for (when, _), (wanted, _) in zip(heard, starts, strict=True))


def test_a_new_sound_takes_the_place_of_the_old_one(probe: Probe) -> None:
    probe.ask("board.sound('blackjack')")
    probe.ask("board.sound('press')")
    probe.run(500_000)
    assert [hertz for _, hertz in notes(probe)] == [1047, 1800, 0]


def test_an_unknown_sound_is_a_bug(interpreter: str) -> None:
    probe = Probe(interpreter)
    with pytest.raises(FirmwareCrash, match="no such sound: boo"):
        probe.ask("board.sound('boo')")


def test_sound_can_be_off(interpreter: str) -> None:
    probe = Probe(interpreter, files={"settings.json": b'{"sound": false}'})
    probe.ask("board.sound('win')")
    probe.run(500_000)
    assert probe.simulator.tones == []
    probe.simulator.kill()


# -- sensors


@pytest.mark.parametrize(("name", "pin", "bit"), [("tap", pico_pins.TAP, 16), ("wave", pico_pins.WAVE, 32)])
def test_a_sensor_has_its_bit_when_the_settings_name_it(interpreter: str, name: str, pin: int, bit: int) -> None:
    for wired in (False, True):
        probe = Probe(interpreter, files={"settings.json": b'{"%s": true}' % name.encode()} if wired else {})
        assert probe.ask("board.keys()") == "0"
        probe.simulator.schedule(0, pin, True)
        probe.simulator.schedule(0, pico_pins.KEYS[1], True)
        assert probe.ask("board.keys()") == str(2 + bit if wired else 2)
        probe.simulator.kill()


# -- mode and watchdog


def test_the_strap_makes_an_arcade_table_whatever_the_settings_say(interpreter: str) -> None:
    probe = Probe(interpreter, files={"settings.json": b'{"mode": "bench"}'})
    assert probe.ask("board.mode") == "bench"
    probe.simulator.schedule(0, pico_pins.STRAP, True)
    assert probe.ask("board.mode") == "bench"
    probe.run(1000)
    probe.simulator.kill()
    probe.start()
    assert probe.ask("board.mode") == "arcade"
    probe.simulator.kill()


def test_promise_38_the_strap_selects_the_mode_and_no_outcome(interpreter: str, tmp_path: Path) -> None:
    """The same presses: the same money, cards and pixels, closed by a strap, by the settings, or not at all."""
    # The moments of the presses cut the shoe, to the microsecond, and a start with a strap takes another time.
    entry = tmp_path / "main.py"
    untimed = "from holecard.table.shoes import Shoes\nShoes.press = lambda shoes, now: None\n"
    entry.write_text(untimed + MAIN.read_text())
    told = []
    for strap, mode in ((True, "bench"), (True, "arcade"), (False, "arcade"), (False, "bench")):
        simulator = Simulator(interpreter, entry=entry, files={"settings.json": b'{"mode": "%s"}' % mode.encode()})
        simulator.schedule(0, pico_pins.STRAP, strap)
        simulator.grant(1000)
        simulator.start()
        simulator.grant(1_000_000)
        for key in (1, 1, 2, 2, 1, 1, 2):
            for level, us in ((True, 60_000), (False, 1_500_000)):
                simulator.schedule(simulator.now, pico_pins.KEYS[key], level)
                simulator.grant(simulator.now + us)
        simulator.grant(simulator.now + 9_000_000, rx=b"TABL:STAT?;HIST?;:DISP:DATA?\n", lines=1)
        told.append(simulator.take_output())
        simulator.kill()
    assert len(set(told)) == 1
    assert b"HC1" in told[0]


# -- the way to the prompt


def test_what_follows_ctrl_c_is_left_for_the_prompt(probe: Probe) -> None:
    buf = "[board.read_into(kept.setdefault('b', bytearray(9))), bytes(kept['b'][:2])]"
    assert probe.ask(f"({buf}, {buf})", b"x\x03\r\x01") == "([2, b'x\\x03'], [2, b'\\r\\x01'])"


def test_an_arcade_table_that_fails_starts_again_instead_of_ending(interpreter: str, tmp_path: Path) -> None:
    entry = tmp_path / "failing.py"
    entry.write_text(
        "import holecard.app\ndef run(board):\n    raise OSError(5)\nholecard.app.run = run\n" + MAIN.read_text()
    )
    simulator = Simulator(interpreter, entry=entry, files={"settings.json": b'{"mode": "arcade"}'})
    simulator.start()
    assert simulator.grant(1_000_000).why == "reset"
    simulator.kill()
    simulator = Simulator(interpreter, entry=entry)
    simulator.start()
    with pytest.raises(FirmwareCrash, match="OSError"):
        simulator.grant(1_000_000)


def test_the_installed_main_is_the_one_of_the_firmware() -> None:
    assert firmware_files.plain()["main.py"] == MAIN.read_bytes()
    assert {"lib/holecard/boards/settings.py", "lib/holecard/boards/piezo.py"} <= firmware_files.plain().keys()
