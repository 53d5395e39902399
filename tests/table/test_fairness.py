"""The chain of shoes: its order, what it tells and when, and that it survives as text."""

from contextlib import suppress
from hashlib import sha256

import pytest
from hypothesis import given
from hypothesis import strategies as st

from holecard.rules.ruleset import CASINO
from holecard.rules.shoe import Shoe
from holecard.table.fairness import (
    COMMITTED,
    DEALING,
    HEADER,
    REVEALED,
    START,
    Fairness,
    FairnessOrder,
    commitment_of,
    cut_digest,
    restore,
)

SECRET = bytes(range(32))
OTHER = bytes(range(32, 64))
STEPS = {
    "commit": lambda fair: fair.commit(OTHER, "casino"),
    "cut": lambda fair: fair.cut(b"\1\2", b"\3"),
    "stream": lambda fair: fair.stream(),
    "count": lambda fair: fair.count(),
    "reveal": lambda fair: fair.reveal(),
}
ALLOWED = {
    REVEALED: {"commit"},
    COMMITTED: {"cut", "reveal"},
    DEALING: {"stream", "count", "reveal"},
}
# With and without a shoe before the current one that was cut, or was not.
PASTS = ("first", "cut", "uncut", "other rules")


def in_state(state: str, past: str = "first") -> Fairness:
    fair = Fairness()
    if past != "first":
        fair.commit(SECRET, "sifl" if past == "other rules" else "casino")
        if past == "cut":
            fair.cut(b"\7\7\7\7", b"host")
            fair.count()
        fair.reveal()
    if state != REVEALED:
        fair.commit(OTHER, "casino")
    if state == DEALING:
        fair.cut(b"\1\2", b"\3")
    assert fair.state == state
    return fair


def test_promise_41_the_commitment_comes_first_and_fixes_the_secret():
    fair = Fairness()
    fair.commit(SECRET, "casino/decks=8")
    first = sha256(b"HCC1" + bytes(32) + SECRET).digest()
    assert fair.known() == [f"commit 1 {first.hex()} casino/decks=8"]
    assert fair.commitment == first


def test_promise_41_commitments_are_a_chain():
    fair = Fairness()
    commitments = [START]
    for number in range(1, 5):
        secret = bytes([number]) * 32
        fair.commit(secret, "sifl")
        assert fair.commitment == commitment_of(commitments[-1], secret)
        commitments.append(fair.commitment)
        fair.reveal()
    assert len(set(commitments)) == 5
    assert commitment_of(commitments[0], bytes([2]) * 32) != commitments[2], "the same secret, another past"


def order(presses: bytes, host: bytes, rules: str = "casino", secret: bytes = SECRET) -> tuple:
    fair = Fairness()
    fair.commit(secret, rules)
    fair.cut(presses, host)
    return tuple(Shoe(CASINO, fair.stream()).deal(52))


def test_promise_42_the_cut_comes_after_the_commitment_and_makes_another_shoe():
    cuts = [(b"", b""), (b"\1", b""), (b"", b"\1"), (b"\1\1", b""), (b"\1", b"\1"), (b"\0", b""), (b"", b"\0")]
    assert len({order(*cut) for cut in cuts}) == len(cuts)
    assert order(b"\1", b"\2") == order(b"\1", b"\2")
    assert order(b"", b"", "sifl") != order(b"", b"")
    assert order(b"", b"", secret=bytes(32)) != order(b"", b"")
    with pytest.raises(FairnessOrder):
        Fairness().cut(b"\1")


def test_promise_09_a_host_cannot_pass_for_a_press():
    parts = [(b"", b"abcd"), (b"abcd", b""), (b"ab", b"cd"), (b"abc", b"d"), (b"a", b"bcd")]
    assert len({cut_digest(*part) for part in parts}) == len(parts)


def test_promise_43_the_secret_is_told_at_the_end_and_not_before():
    fair = Fairness()
    fair.commit(SECRET, "casino")
    told = fair.known() + fair.head()
    fair.cut(b"\1\2\3\4", b"\5")
    told += fair.known() + fair.head()
    assert fair.count() == "1 1"
    told += fair.known() + fair.head()
    assert SECRET.hex() not in " ".join(told)
    fair.reveal()
    assert fair.known() == [
        f"commit 1 {fair.commitment.hex()} casino",
        "cut 1 01020304 05",
        f"reveal 1 {SECRET.hex()} 1",
    ]
    assert fair.head() == [HEADER]
    fair.commit(OTHER, "casino")
    assert fair.known()[2:] == [f"reveal 1 {SECRET.hex()} 1", f"commit 2 {fair.commitment.hex()} casino"]
    fair.cut(b"")
    assert fair.known() == [f"commit 2 {fair.commitment.hex()} casino", "cut 2 - -"]
    assert fair.head() == [HEADER, f"chain 1 {commitment_of(START, SECRET).hex()}"]


@pytest.mark.parametrize("state", [COMMITTED, DEALING])
def test_promise_44_an_abandoned_shoe_is_revealed_too(state):
    fair = in_state(state)
    fair.reveal()
    assert fair.known()[-1] == f"reveal 1 {OTHER.hex()} 0"
    fair.commit(bytes(32), "casino")
    assert fair.number == 2


@pytest.mark.parametrize("past", PASTS)
@pytest.mark.parametrize("state", ALLOWED)
@pytest.mark.parametrize("step", STEPS)
def test_promise_43_a_step_out_of_order_changes_nothing(state, step, past):
    fair = in_state(state, past)
    before = fair.save()
    if step in ALLOWED[state]:
        STEPS[step](fair)
        return
    with pytest.raises(FairnessOrder, match=state):
        STEPS[step](fair)
    assert fair.save() == before


@pytest.mark.parametrize("past", PASTS)
@pytest.mark.parametrize("state", ALLOWED)
def test_it_survives_as_text(state, past):
    fair = in_state(state, past)
    again = restore(fair.save(), "casino" if state != REVEALED or past != "other rules" else "sifl")
    assert again.save() == fair.save()
    assert (again.state, again.number, again.commitment) == (state, fair.number, fair.commitment)
    if past == "other rules":
        told = fair.known()[2:] if state == COMMITTED else fair.known()
        assert again.known() == told, "the shoe before was told when it was given up"
    else:
        assert again.known() == fair.known()
        assert again.head() == fair.head()
    if state == DEALING:
        assert [again.stream().below(52) for _ in range(9)] == [fair.stream().below(52) for _ in range(9)]
    if state != REVEALED:
        fair.reveal()
        again.reveal()
        assert again.known()[-1] == fair.known()[-1]


def test_the_text_is_short():
    fair = Fairness()
    fair.number = 999_999
    for _ in range(2):
        fair.commit(SECRET, "casino")
        fair.cut(bytes(16), bytes(16))
        assert len(fair.save()) <= 148
        fair.reveal()
    fair.commit(SECRET, "casino")
    assert len(fair.save()) <= 192


@given(st.data())
def test_a_damaged_text_is_refused_or_harmless(data):
    """No exception but ValueError, whatever became of the text; the journal has a check sum of its own."""
    text = in_state(data.draw(st.sampled_from(sorted(ALLOWED))), data.draw(st.sampled_from(PASTS))).save()
    at = data.draw(st.integers(0, len(text) - 1))
    damaged = text[:at] + data.draw(st.text(max_size=3)) + text[at + data.draw(st.integers(0, 2)) :]
    with suppress(ValueError):
        assert restore(damaged, "casino").save() == damaged


def test_arguments_are_checked():
    fair = Fairness()
    for secret, rules in ((bytes(31), "casino"), (bytes(33), "casino"), (SECRET, ""), (SECRET, "a b")):
        with pytest.raises(ValueError, match=r"secret|rules"):
            fair.commit(secret, rules)
    assert fair.number == 0
    fair.commit(SECRET, "casino")
    for presses, host in ((bytes(17), b""), (b"", bytes(17))):
        with pytest.raises(ValueError, match="too much"):
            fair.cut(presses, host)
    assert fair.state == COMMITTED
