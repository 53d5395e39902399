"""Lesson 2: one press of HIT on a simulated table, and what it sends to the panel."""

from holecard.boards.pico_pins import I2C_HZ
from holecard_host.stands import open_stand

FULL_FRAME = 1037  # what a driver sends that always sends everything

with open_stand("sim://cpython") as stand:
    stand.wire.command('BENC:SHOE "2,10,3,7,4"')
    stand.wire.command("ROUN:BET 0,5;DEAL")
    stand.wire.ask("*OPC?")
    panel = stand.twin.simulator.panel
    sent, write = [], panel.write
    panel.write = lambda data: (sent.append(len(data)), write(data))
    before = stand.panel()
    stand.press("HIT")
    stand.wire.ask("*OPC?")
    after = stand.panel()

print(after.to_text())
changed = sum(before.pixel(x, y) != after.pixel(x, y) for x in range(128) for y in range(64))
# A byte takes nine bits; each transfer begins with the panel's address.
milliseconds = (sum(sent) + len(sent)) * 9 * 1000 / I2C_HZ
print(f"{changed} pixels changed, {sum(sent)} bytes in {len(sent)} transfers, {milliseconds:.1f} ms on the bus")
print(f"a full frame: {FULL_FRAME} bytes, {FULL_FRAME * 9 * 1000 / I2C_HZ:.1f} ms")
