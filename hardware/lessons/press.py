"""Lesson 2: what the firmware makes of a contact that bounces. Change BOUNCE and look again."""

from holecard.table.keys import HIT, PRESS, RELEASE, Keys

# (low?, microseconds): a cheap arcade switch that is pressed and let go, as an oscilloscope shows it.
BOUNCE = [(1, 300), (0, 200), (1, 100), (0, 700), (1, 900), (0, 100), (1, 40_000), (0, 2_000), (1, 1_500), (0, 40_000)]
SAMPLE_US = 100

keys, now, edges = Keys(), 0, 0
keys.feed(0, now)
for low, microseconds in BOUNCE:
    edges += 1
    for _ in range(microseconds // SAMPLE_US):
        now += SAMPLE_US
        found = keys.feed(HIT if low else 0, now)
        for name, kind in (("press", PRESS), ("release", RELEASE)):
            if found >> kind & HIT:
                print(f"{now / 1000:6.1f} ms: {name}")
print(f"{edges} edges on the wire")
