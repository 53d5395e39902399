"""Faults of the field 13 to 16 and 19, the serial port's (docs/field-faults.md), on whole tables."""

from __future__ import annotations

import json
import random
import statistics
from pathlib import Path

import pytest
import serial
from tests.hardware.faults import mark, on_all, on_all_long, on_simulated, opened, settings, state, transfers

from holecard.boards import pico_pins
from holecard_host.errors import StandFault
from holecard_host.stands import Stand
from holecard_host.twin.simulator import Simulator
from holecard_host.wire import Wire

MAIN = Path(__file__).parents[2] / "firmware" / "main.py"
EVERY_BYTE = bytes(range(256))
CTRL_C = b"\x03"


def send(stand: Stand, data: bytes) -> None:
    """Bytes as they are, and time for the table to take them."""
    stand.wire._port.write(data)
    stand.wire._port.flush()
    stand.advance(300)


def read_all(stand: Stand) -> bytes:
    """Every byte that has come; asks for the time last, to know the end."""
    port = stand.wire._port
    port.timeout = 120
    port.write(b"SYST:VERS?\n")
    return bytes(port.read_until(b"1999.0\n"))


def acts_on_a_press(stand: Stand) -> bool:
    """Whether a press changes the glass, while the wire cannot be asked."""
    before = stand.frame()
    stand.press("BET")
    stand.advance(60)
    return stand.frame() != before


@pytest.mark.fault(13)
@on_all
def test_fault_13_half_a_line_stops_nothing_and_its_rest_may_come_any_time(url: str) -> None:
    with opened(url) as stand:
        send(stand, b"*ID")
        assert acts_on_a_press(stand)
        send(stand, b"N?")
        assert acts_on_a_press(stand)
        stand.wire._port.write(b"\n")
        assert read_all(stand).startswith(b"Holecard,")


@pytest.mark.fault(13)
@on_simulated
def test_fault_13_neither_a_line_without_end_nor_a_flood_stops_anything(url: str) -> None:
    with opened(url) as stand:
        send(stand, b"TABL:STAT?;" * 60)  # more than a line may have
        assert acts_on_a_press(stand)
        send(stand, b"x" * 2_000)
        assert acts_on_a_press(stand)
        send(stand, b"\n")
        assert stand.wire.sync().startswith("Holecard,")
        send(stand, b"*IDN?\n" * 200)
        assert acts_on_a_press(stand)
        assert read_all(stand).count(b"Holecard,") == 200


@pytest.mark.fault(14)
@pytest.mark.parametrize("end", [b"\n", b"\r", b"\r\n", b"\n\r", b"\r\r\n", b" \n", b"\t\r\n"])
@on_simulated
def test_fault_14_every_line_ending_is_one_and_answers_end_in_lf(url: str, end: bytes) -> None:
    with opened(url) as stand:
        stand.wire._port.write(b"SYST:TIME?" + end + b"*IDN?" + end)
        answers = read_all(stand).split(b"\n")
        assert answers[0].isdigit()
        assert answers[1].startswith(b"Holecard,")
        assert answers[2:] == [b"1999.0", b""]
        assert stand.wire.ask("SYST:ERR?") == '0,"No error"'


@pytest.mark.fault(14)
@on_simulated
def test_fault_14_every_printable_byte_arrives_as_what_it_is(url: str) -> None:
    with opened(url) as stand:
        for code in range(0x20, 0x7F):
            char = chr(code)
            stand.wire._port.write(f"A{char}B\nSYST:ERR?\n".encode())
            answer = read_all(stand).decode().upper()
            # An error tells back what it did not understand, as far as these do not end it.
            told = f"A{char}B".upper() if char not in " ;?\"'" else {"?": "A?B", '"': "A'B"}.get(char, "A")
            assert answer.startswith("-1")
            assert told in answer.splitlines()[0], char
            assert answer.count("\n") == 2
            stand.wire.command("*CLS")


@pytest.mark.fault(14)
@on_all_long
def test_fault_14_after_any_bytes_the_next_line_is_understood(url: str) -> None:
    noise = EVERY_BYTE.replace(CTRL_C, b"")  # which asks a test bench for its prompt
    with opened(url) as stand:
        chance = random.Random(3)
        for _ in range(1 if url.startswith("rp2040") else 8):
            send(stand, noise + bytes(chance.choice(noise) for _ in range(200)))
            assert acts_on_a_press(stand)
        assert stand.wire.sync().startswith("Holecard,")


# -- the byte 0x03


@pytest.mark.fault(15)
@on_all
def test_fault_15_in_play_ctrl_c_is_a_byte_like_any_other(url: str) -> None:
    with opened(url, files=settings(mode="arcade")) as stand:
        for data in (b"*IDN?\n" + CTRL_C, CTRL_C * 5, b"\r\x03\r\x01\x04"):
            send(stand, data)
        assert acts_on_a_press(stand)
        stand.wire._port.write(b"\n")
        assert read_all(stand).startswith(b"Holecard,")  # the one that was asked between
        stand.wire._port.write(b"*CLS\n*CLS\x03\n")
        stand.wire._port.write(b"SYST:ERR?\n")
        assert read_all(stand).startswith(b'-101,"Invalid character"\n')
        assert stand.faults.simulator.boots == 1


def boot(interpreter: str, *pins: int) -> Simulator:
    """A Pico that starts main.py with these pins held low."""
    simulator = Simulator(interpreter, entry=MAIN)
    for pin in pins:
        simulator.schedule(0, pin, True)
    simulator.grant(1000)
    simulator.start()
    return simulator


@pytest.mark.fault(15)
@pytest.mark.parametrize("held", [(), (0,), (3,), (0, 1, 2, 3)])
def test_fault_15_other_keys_than_the_outer_two_start_the_game(interpreter: str, held: tuple[int, ...]) -> None:
    simulator = boot(interpreter, *(pico_pins.KEYS[key] for key in held))
    simulator.grant(1_000_000)
    simulator.grant(9_000_000, rx=b"*IDN?\n", lines=1)
    assert simulator.take_output().startswith(b"Holecard,Table-pico,")
    simulator.kill()


@pytest.mark.fault(15)
def test_fault_15_the_outer_keys_held_at_power_on_lead_to_the_prompt(interpreter: str) -> None:
    simulator = boot(interpreter, pico_pins.KEYS[0], pico_pins.KEYS[3])
    with pytest.raises(StandFault, match="left for MicroPython's prompt"):
        simulator.grant(2_000_000)


@pytest.mark.fault(15)
def test_fault_15_but_not_on_an_arcade_table(interpreter: str) -> None:
    simulator = boot(interpreter, pico_pins.KEYS[0], pico_pins.KEYS[3], pico_pins.STRAP)
    simulator.grant(1_000_000)
    simulator.grant(9_000_000, rx=b"*IDN?\n", lines=1)
    assert simulator.take_output().startswith(b"Holecard,")
    simulator.kill()


@pytest.mark.fault(15)
@pytest.mark.parametrize("rx", [b"\x03", b"\r\x03\r\x01", b"*IDN?\n\x03", b"ROUN:BET 0,5\x03\n"])
def test_fault_15_in_bench_mode_ctrl_c_leads_to_the_prompt(interpreter: str, rx: bytes) -> None:
    simulator = boot(interpreter)
    simulator.grant(1_000_000)
    with pytest.raises(StandFault, match="left for MicroPython's prompt"):
        simulator.grant(2_000_000, rx=rx)
    simulator.kill()


# -- a host that does not read, and one that goes


def reactions(stand: Stand, times: int) -> list[int]:
    """Microseconds from each press to the first bytes of its picture on the bus."""
    found = []
    for _ in range(times):
        at, since = stand.now_us(), mark(stand)
        stand.press("BET")
        found.append(transfers(stand, since)[0].at - at)
        stand.advance(100)
    return found


@pytest.mark.fault(16)
@on_all
def test_fault_16_a_host_that_never_reads_costs_no_time_and_events_are_dropped_whole_and_told(url: str) -> None:
    few = url.startswith("rp2040")
    with opened(url) as stand:
        stand.wire.command("SYST:COMM:EVEN ON")
        stand.wire.take_events()
        usual = reactions(stand, 2 if few else 8)
        last = stand.wire.take_events()[-1].seq
        stand.faults.read_host(False)
        send(stand, b"TABL:STAT?\n" * 3 + b"DISP:DATA?\n" * 2)
        stand.advance(200)  # to make so many answers takes the chip its time, whether somebody reads them or not
        silent = reactions(stand, 2 if few else 60)
        assert statistics.median(silent) <= statistics.median(usual) + 4_000
        assert max(silent) <= max(usual) + 8_000
        stand.faults.read_host(True)
        stand.advance(3_000)
        lines = read_all(stand).decode().splitlines()
        assert [len(line) for line in lines].count(2048) == 2
        missing = 0
        for line in lines:
            if line.startswith("!EVT "):
                sequence, _, text = line[5:].split(" ", 2)
                event = json.loads(text)
                missing += event["count"] if event["event"] == "dropped" else 0
                assert int(sequence) == last + missing if event["event"] == "dropped" else last + missing + 1
                last = int(sequence) if event["event"] != "dropped" else last
        if not few:
            assert missing > 0
            assert int(stand.wire.ask("SYST:EVEN:DROP?")) == missing


@pytest.mark.fault(19)
@pytest.mark.parametrize("half", [b"*ID", b"SYST:TI", b'BENC:SHOE "10,9', b"\xff\x00 ", b"TABL:STAT?;" * 40])
@on_simulated
def test_fault_19_a_host_that_comes_back_finds_the_next_line(url: str, half: bytes) -> None:
    with opened(url) as stand:
        stand.wire.command("SYST:COMM:EVEN ON")
        stand.wire.close()
        with serial.Serial(stand.faults.port.url, exclusive=True) as port:
            port.write(b"DISP:DATA?\n" + half)  # it goes in the middle of its line, and of the table's
        stand.press("BET")
        stand.wire = Wire(stand.faults.port.url, health=stand.faults.health)
        assert stand.wire.sync().startswith("Holecard,")
        assert stand.wire.ask("*IDN?").startswith("Holecard,")
        assert state(stand)["phase"] == "betting"
        assert stand.wire.ask("SYST:ERR?") == '0,"No error"'
