"""Lesson 2: one press of HIT, and what the table writes down of it, by its own clock."""

from holecard_host.stands import open_stand

with open_stand("sim://cpython") as stand:
    stand.wire.command('BENC:SHOE "2,10,3,7,4"')
    stand.wire.command("ROUN:BET 0,5;DEAL")
    stand.wire.ask("*OPC?")
    stand.wire.command("SYST:COMM:EVEN ON")
    stand.press("HIT")
    stand.wire.ask("*OPC?")
    events = stand.wire.take_events()

start = next(event.us for event in events if event.data["event"] == "key")
for event in events:
    # The clock begins again after 2^30 us, and may do so in between.
    apart = (event.us - start + 2**29) % 2**30 - 2**29
    print(f"{apart / 1000:9.1f} ms  {' '.join(str(value) for value in event.data.values())}")
