"""Seeds: never the same stream twice, whatever fails; the order of the steps cannot be got wrong."""

import pytest

from holecard.table.seeding import Seeding, SeedOrder

STUCK = bytes(32)
CHIP = b"\xe6\x61\x64\x08\x43\x21\x8f\x2c"


def started(record: bytes, chip: bytes = CHIP, fresh: bytes = STUCK):
    """(record in flash, pool) after one start."""
    start = Seeding(record, chip)
    flash = start.prepare(fresh)
    start.stored(flash)
    return flash, start.begin()


def test_promise_03_ten_thousand_starts_with_a_stuck_source():
    record = b""
    secrets = set()
    for number in range(1, 10_001):
        record, pool = started(record)
        secrets.add(pool.secret(STUCK))
        assert int.from_bytes(record[:8], "big") == number
    assert len(secrets) == 10_000


def test_promise_03_no_two_boxes_are_alike():
    secrets = {started(b"", chip.to_bytes(8, "big"))[1].secret(STUCK) for chip in range(1000)}
    assert len(secrets) == 1000


def test_promise_03_each_part_counts():
    record = started(b"")[0]
    later = (int.from_bytes(record[:8], "big") + 1).to_bytes(8, "big") + record[8:]
    other_seed = record[:-1] + bytes([record[-1] ^ 1])
    starts = [(record, CHIP, STUCK), (later, CHIP, STUCK), (other_seed, CHIP, STUCK)]
    starts += [(record, CHIP + b"\0", STUCK), (record, CHIP, STUCK[:-1] + b"\1"), (record, CHIP, STUCK + b"\0")]
    assert len({started(*start)[1].secret(STUCK) for start in starts}) == len(starts)


def test_promise_03_one_start_never_gives_a_secret_twice():
    pool = started(b"")[1]
    assert len({pool.secret(STUCK) for _ in range(2000)}) == 2000


def test_promise_04_the_steps_have_one_order():
    start = Seeding(b"", CHIP)
    with pytest.raises(SeedOrder):
        start.begin()
    with pytest.raises(SeedOrder):
        start.stored(b"")
    record = start.prepare(STUCK)
    with pytest.raises(SeedOrder):
        start.begin()
    for wrong in (b"", record[:-1], bytes(40)):
        with pytest.raises(SeedOrder):
            start.stored(wrong)
        with pytest.raises(SeedOrder):
            start.begin()
    start.stored(record)
    with pytest.raises(SeedOrder):
        start.prepare(STUCK)
    start.begin()
    for again in (start.begin, lambda: start.prepare(STUCK)):
        with pytest.raises(SeedOrder):
            again()


def test_promise_04_storing_may_be_tried_again():
    start = Seeding(b"", CHIP)
    first = start.prepare(STUCK)
    second = start.prepare(b"\1" * 32)
    with pytest.raises(SeedOrder):
        start.stored(first)
    start.stored(second)
    start.begin()


@pytest.mark.parametrize("fresh", [STUCK, b"\5" * 32])
def test_promise_04_a_power_cut_around_the_store_never_reuses_a_stream(fresh):
    """Cut before the store, the old record is still there, and nothing was drawn; cut after it, the new one is."""
    flash = b""
    seen = set()
    begun = 0
    for step in range(300):
        start = Seeding(flash, CHIP)
        record = start.prepare(fresh)
        if step % 3 == 0:
            continue  # the power went before the record was in flash
        flash = record
        if step % 3 == 1:
            continue  # after it, before anything was drawn
        start.stored(flash)
        pool = start.begin()
        seen.update(pool.secret(fresh) for _ in range(2))
        begun += 1
    assert len(seen) == 2 * begun == 200


def test_promise_04_what_is_in_flash_does_not_tell_the_stream():
    """A copy of the record, made after the start, starts another stream."""
    record, pool = started(b"")
    assert started(record)[1].secret(STUCK) != pool.secret(STUCK)
    assert pool.secret(STUCK) != record[8:]


def test_promise_05_same_presses_other_timing_other_secret():
    secrets = set()
    for last in (1000, 1001, (1 << 30) - 1):
        pool = started(b"")[1]
        for now in (10, 500, last):
            pool.stir(now.to_bytes(4, "big"))
        secrets.add(pool.secret(STUCK))
    assert len(secrets) == 3


def test_promise_05_a_press_counts_once_and_for_good():
    pool, plain = started(b"")[1], started(b"")[1]
    pool.stir(b"\1")
    assert pool.secret(STUCK) != plain.secret(STUCK)
    assert pool.secret(STUCK) != plain.secret(STUCK)


def test_promise_09_the_host_adds_and_cannot_choose():
    """What the host sends changes the secret, and the same bytes lead to another one on every table and every time."""
    pools = [started(b"", bytes([chip]))[1] for chip in range(20)] + [started(started(b"")[0])[1]]
    without = [started(b"", bytes([chip]))[1].secret(STUCK) for chip in range(20)]
    for pool in pools:
        pool.stir(b"give me this")
    secrets = [pool.secret(STUCK) for pool in pools]
    secrets += [pool.secret(STUCK) for pool in pools]
    assert len({*secrets, *without}) == len(secrets) + len(without)


def test_records_and_entropy_are_checked():
    for length in (1, 39, 41):
        with pytest.raises(ValueError, match="not a record"):
            Seeding(bytes(length), CHIP)
    with pytest.raises(ValueError, match="fewer than 32"):
        Seeding(b"", CHIP).prepare(bytes(31))
    with pytest.raises(ValueError, match="fewer than 32"):
        started(b"")[1].secret(bytes(31))
