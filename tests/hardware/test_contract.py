"""The board contract (firmware/holecard/boards): what the table may rely on, on every board."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from tests.hardware.support import MACHINES, Probe

WRAP = 1 << 30


@pytest.fixture(params=MACHINES)
def interpreter(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture
def probe(interpreter: str) -> Iterator[Probe]:
    probe = Probe(interpreter)
    yield probe
    probe.simulator.kill()


def number(probe: Probe, expression: str) -> int:
    return int(probe.ask(expression))


def test_it_has_a_name(probe: Probe, interpreter: str) -> None:
    assert probe.ask("board.name") == ("pi" if interpreter == "pi" else "pico")


def test_the_clock_counts_microseconds_and_wraps_at_2_to_30(interpreter: str) -> None:
    probe = Probe(interpreter, ticks=WRAP - 20_000)
    before = number(probe, "board.now()")
    probe.run(100_000)
    after = number(probe, "board.now()")
    assert 0 <= after < before < WRAP
    assert 100_000 <= (after - before) % WRAP < 120_000
    probe.simulator.kill()


@pytest.mark.parametrize("key", range(4))
def test_each_key_has_its_bit_while_its_pin_is_low(probe: Probe, key: int) -> None:
    assert number(probe, "board.keys()") == 0
    probe.simulator.schedule(probe.simulator.now, probe.pins.KEYS[key], True)
    assert number(probe, "board.keys()") == 1 << key
    probe.simulator.schedule(probe.simulator.now, probe.pins.KEYS[key], False)
    assert number(probe, "board.keys()") == 0


def test_all_keys_together(probe: Probe) -> None:
    for pin in probe.pins.KEYS:
        probe.simulator.schedule(0, pin, True)
    assert number(probe, "board.keys()") == 15


@pytest.mark.parametrize("mask", [0, 1, 6, 15, 8])
def test_lamps_light_exactly_the_mask(probe: Probe, mask: int) -> None:
    probe.ask("board.lamps(15)")
    probe.ask(f"board.lamps({mask})")
    assert probe.simulator.lamps == mask


def test_a_panel_write_arrives_whole_and_takes_its_time_on_the_bus(probe: Probe) -> None:
    before = number(probe, "board.now()")
    probe.ask("board.i2c_write(0x3C, b'\\x40' + bytes(range(128)))")
    took = number(probe, "board.now()") - before
    assert probe.simulator.panel.received == 129
    assert took > 130 * 9 * 1_000_000 // probe.pins.I2C_HZ


def test_a_bus_that_nobody_acknowledges_raises_oserror(probe: Probe) -> None:
    assert probe.ask("board.i2c_write(0x3D, b'\\x00\\xAF')").startswith("OSError")
    probe.simulator.plug_panel(False)
    assert probe.ask("board.i2c_write(0x3C, b'\\x00\\xAF')").startswith("OSError")
    probe.simulator.plug_panel(True)
    assert probe.ask("board.i2c_write(0x3C, b'\\x00\\xAF')") == "None"


@pytest.mark.parametrize("kind", ["nak", "timeout"])
def test_a_transfer_that_breaks_off_raises_oserror(probe: Probe, kind: str) -> None:
    probe.simulator.fail_transfers(kind, skip=1, count=1, kept=1)
    writes = ["board.i2c_write(0x3C, b'\\x00\\xAF')"] * 3
    assert [probe.ask(write).split()[0] for write in writes] == ["None", "OSError", "None"]
    assert probe.simulator.panel.received == 5


@pytest.mark.fault(14)
def test_fault_14_every_byte_arrives_unchanged_and_reading_never_waits(probe: Probe) -> None:
    every = bytes(range(256))
    assert probe.ask("collect(256) == bytes(range(256))", every) == "True"
    assert probe.ask("board.read_into(bytearray(8))") == "0"


def test_reading_takes_no_more_than_fits(probe: Probe) -> None:
    assert probe.ask("(board.read_into(bytearray(3)), board.read_into(bytearray(9)))", b"12345") == "(3, 2)"


@pytest.mark.fault(16)
@pytest.mark.parametrize("size", [40, 100])
def test_fault_16_writing_never_waits_for_a_host_that_does_not_read(probe: Probe, size: int) -> None:
    """More than a packet of 64 bytes goes into two buffers, and the host may stop between them."""
    probe.ask("1")
    probe.simulator.read_host(False)
    rx = f"kept.update(r=offer({size}, 100))\n".encode()
    probe.simulator.grant(probe.simulator.now + 5_000_000, rx=rx)
    probe.simulator.read_host(True)
    probe.run(10_000)
    probe.simulator.take_output()
    took, longest = (int(part) for part in probe.ask("kept['r']").strip("()").split(","))
    assert 0 < took <= 512
    assert longest < 10_000


@pytest.mark.parametrize("size", [1, 63, 64, 65, 128, 200])
def test_lines_of_any_length_arrive_whole(probe: Probe, size: int) -> None:
    """A packet of USB holds 64 bytes, and one that is full needs an empty one behind it."""
    assert probe.ask(f"'y' * {size - 1}") == "y" * (size - 1)
    assert probe.ask("1") == "1"


def test_entropy_has_the_length_asked_for_and_differs_at_every_start(interpreter: str) -> None:
    probe = Probe(interpreter)
    first = probe.ask("board.entropy(40)")
    assert probe.ask("len(board.entropy(40))") == "40"
    probe.simulator.kill()
    probe.start()
    assert probe.ask("board.entropy(40)") != first
    probe.simulator.kill()


def test_the_unique_id_stays(interpreter: str) -> None:
    probe = Probe(interpreter)
    first = probe.ask("board.unique_id()")
    probe.simulator.kill()
    probe.start()
    assert probe.ask("board.unique_id()") == first != "b''"
    probe.simulator.kill()


def test_what_was_saved_is_there_after_a_power_cut(probe: Probe) -> None:
    assert probe.ask("board.load('a')") == "None"
    probe.ask("board.save('a', b'one')")
    probe.ask("board.save('b', b'')")
    probe.ask("board.save('a', b'two')")
    probe.simulator.kill()
    probe.start()
    assert probe.ask("board.load('a')") == "b'two'"
    assert probe.ask("board.load('b')") == "b''"


def test_idle_waits_until_the_instant(probe: Probe) -> None:
    took, _ = eval(probe.ask("waited(30000)"))
    assert 30_000 <= took < 31_000
    took, _ = eval(probe.ask("waited(0)"))
    assert took < 500


def test_idle_ends_early_when_a_key_changes(probe: Probe) -> None:
    probe.simulator.schedule(probe.simulator.now + 20_000, probe.pins.KEYS[1], True)
    took, keys = eval(probe.ask("waited(900000)"))
    assert keys == 2
    assert 10_000 < took < 25_000


def test_idle_ends_early_when_bytes_arrive(probe: Probe) -> None:
    probe.simulator.grant(probe.simulator.now + 20_000, rx=b"kept.update(r=waited(900000))\n")
    assert 10_000 < int(probe.ask("kept['r'][0]", lines=2)) < 20_000


def test_the_steady_state_allocates_nothing(probe: Probe) -> None:
    assert number(probe, "allocated()") <= 0


def test_reset_starts_again_and_keeps_the_flash(probe: Probe) -> None:
    probe.ask("board.save('a', b'kept')")
    probe.ask("kept.update(a=1)")
    answer = probe.simulator.grant(probe.simulator.now + 1_000_000, rx=b"board.reset()\n")
    assert answer.why == "reset"
    assert probe.simulator.boots == 2
    assert probe.ask("(kept, board.load('a'))") == "({}, b'kept')"
