"""Records that are kept twice: what the reader makes of any bytes, of flipped bits, and of a flash that fails."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from holecard.table.journal import AGE, FOLDERS, Journal, JournalError, seal, unseal

BODY = "0 0 - p 10 - casino 2000"
_COPY = st.one_of(
    st.none(),
    st.binary(max_size=80),
    st.builds(seal, st.integers(0, 999_999_999), st.text("abc 0,-", max_size=20)),
    st.just(seal(7, BODY)),
    st.builds(lambda at: seal(7, BODY)[:at], st.integers(0, 40)),
    st.just(OSError(84)),
)


class Store:
    """A board's files; an OSError among them is raised when it is read."""

    def __init__(self, *copies: bytes | OSError | None, name: str = "hot") -> None:
        self.files: dict[str, bytes | OSError] = {
            folder + name: data for folder, data in zip(FOLDERS, copies, strict=False) if data is not None
        }
        self.saved: list[str] = []
        self.forgetful = self.full = False

    def load(self, name: str) -> bytes | None:
        data = self.files.get(name)
        if isinstance(data, OSError):
            raise data
        return data

    def save(self, name: str, data: bytes) -> None:
        if self.full:
            raise OSError(28)
        self.saved.append(name)
        if not self.forgetful:
            self.files[name] = data


def test_promise_12_a_record_is_kept_twice_with_number_and_check_sum() -> None:
    store = Store()
    Journal(store).write("hot", seal(3, BODY))
    assert store.saved == ["a/hot", "b/hot"]
    assert store.files["a/hot"] == store.files["b/hot"] == seal(3, BODY)
    assert unseal(seal(3, BODY)) == (3, BODY)
    assert Journal(store).read("hot") == (3, BODY)


@pytest.mark.promise(14)
@pytest.mark.parametrize("copy", [0, 1])
def test_promise_12_every_single_flipped_bit_of_one_copy_is_survived(copy: int) -> None:
    data = seal(41, BODY)
    for bit in range(8 * len(data)):
        flipped = bytearray(data)
        flipped[bit // 8] ^= 1 << bit % 8
        copies = [data, data]
        copies[copy] = bytes(flipped)
        store = Store(*copies)
        assert Journal(store).read("hot") == (41, BODY)
        assert store.saved == [FOLDERS[copy] + "hot"]
        assert store.files == {"a/hot": data, "b/hot": data}, "written back"


@pytest.mark.parametrize("stale", [b"", seal(40, "older"), seal(40, "older")[:9], None, OSError(84)])
@pytest.mark.parametrize("copy", [0, 1])
def test_promise_14_the_newer_copy_wins_and_the_other_is_written_anew(copy: int, stale: bytes) -> None:
    copies = [seal(41, BODY)] * 2
    copies[copy] = stale
    store = Store(*copies)
    assert Journal(store).read("hot") == (41, BODY)
    assert set(store.files.values()) == {seal(41, BODY)}


def test_promise_14_a_flash_that_does_not_keep_it_is_noticed() -> None:
    for fault in ("forgetful", "full"):
        store = Store(seal(41, BODY), b"torn")
        setattr(store, fault, True)
        with pytest.raises(JournalError, match="the flash keeps no record"):
            Journal(store).read("hot")


@given(first=_COPY, second=_COPY)
def test_promise_15_any_bytes_are_a_record_or_one_clear_error(
    first: bytes | OSError | None, second: bytes | OSError | None
) -> None:
    store = Store(first, second)
    before = dict(store.files)
    whole = [unseal(data) for data in before.values() if isinstance(data, bytes) and _whole(data)]
    try:
        found = Journal(store).read("hot")
    except (JournalError, OSError) as error:
        assert str(error)
        assert store.files == before, "the evidence stays"
        assert not whole
        return
    if found is None:
        assert not before or (list(before) == ["a/hot"] and before["a/hot"] == b"")
    else:
        assert found[0] == max(number for number, _ in whole)
        assert set(store.files.values()) == {seal(*found)}


def _whole(data: bytes) -> bool:
    try:
        unseal(data)
    except JournalError:
        return False
    return True


def test_a_copy_of_another_version_is_left_alone() -> None:
    other = seal(9, BODY).replace(b"HJ1", b"HJ2")
    other = other[:-8] + b"%08X" % __import__("binascii").crc32(other[:-8])
    for copies in ((other, seal(8, BODY)), (seal(8, BODY), other), (other, other)):
        store = Store(*copies)
        with pytest.raises(JournalError, match="another version"):
            Journal(store).read("hot")
        assert not store.saved


def test_an_empty_first_copy_alone_was_never_a_record() -> None:
    assert Journal(Store(b"")).read("hot") is None
    with pytest.raises(JournalError):
        Journal(Store(b"", b"")).read("hot")
    with pytest.raises(JournalError):
        Journal(Store(None, b"")).read("hot")


def test_what_is_written_after_a_billion_records_is_read_too() -> None:
    """Found by fuzzing: the number behind the last one of nine digits was taken for another version."""
    for number in (999_999_999, 1_000_000_000, 999_999_999_999):
        assert unseal(seal(number, "body")) == (number, "body")


def test_what_is_written_after_a_thousand_locks_is_read_too() -> None:
    """A bench that makes its table lock, and clears it, does so more often than an owner ever will."""
    for times in (999, 1000, 1_000_000):
        number = times * AGE + 1
        assert unseal(seal(number, "body")) == (number, "body")


def test_the_copy_that_failed_is_the_next_to_be_overwritten() -> None:
    """So that one of the two is whole, however often the flash fails, and without a restart to mend the other."""
    store = Store()
    journal = Journal(store)
    journal.write("op", seal(1, BODY))
    save, fails = store.save, [""]

    def torn(name: str, data: bytes) -> None:
        save(name, data if name not in fails else data[:9])
        if name in fails:
            raise OSError(5)

    store.save = torn  # type: ignore[method-assign]
    number = 1
    for copies in (["b/op"], ["a/op"], ["a/op", "b/op"], ["b/op"], ["a/op"], ["b/op"], []):
        fails[:] = copies
        stored = number + 1
        try:
            assert journal.write("op", seal(stored, BODY)) is not bool(copies)
            number = stored
        except OSError:
            assert copies
        other = Journal(store)
        other.frozen = True
        assert other.read("op") == (number, BODY), copies


@pytest.mark.parametrize("copies", [(seal(2, BODY), seal(1, BODY)), (seal(2, BODY),), (b"torn", seal(1, BODY))])
def test_a_flash_that_fails_once_while_a_copy_is_mended_locks_nothing(copies: tuple[bytes, ...]) -> None:
    store = Store(*copies)
    save, attempts = store.save, [0]

    def fails_once(name: str, data: bytes) -> None:
        attempts[0] += 1
        if attempts[0] == 1:
            raise OSError(5)
        save(name, data)

    store.save = fails_once  # type: ignore[method-assign]
    found = Journal(store).read("hot")
    assert store.files["a/hot"] == store.files["b/hot"] == seal(*found)
