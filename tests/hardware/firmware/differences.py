"""The machine code of `spans` against its reference `softspans`, on MicroPython: prints how often they agreed."""

from holecard.drivers import softspans, spans

SIZE = 40
same = 0
a = bytearray(SIZE)
for place in range(SIZE):
    for second in range(0, SIZE, 3):
        b = bytearray(SIZE)
        b[place] = 0x80
        b[second] |= 1
        for at in range(6):
            for end in (SIZE, SIZE - 1, SIZE - 3, at, at + 5):
                found = spans.first_difference(a, b, at, end)
                assert found == softspans.first_difference(a, b, at, end), (place, second, at, end)
                if found >= 0:
                    last = spans.last_difference(a, b, found, end, 4)
                    assert last == softspans.last_difference(a, b, found, end, 4), (place, second, at, end)
                c = bytearray(a)
                d = bytearray(a)
                spans.copy(c, at, b, place // 2, 5)
                softspans.copy(d, at, b, place // 2, 5)
                assert c == d
                same += 1
print(same)
