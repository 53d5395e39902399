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
    CUT,
    DEALING,
    HEADER,
    REVEALED,
    START,
    Fairness,
    FairnessOrder,
    commitment_of,
    restore,
)

SECRET = bytes(range(32))
STEPS = {
    "commit": lambda fair: fair.commit(SECRET, "casino"),
    "cut": lambda fair: fair.cut(b"\1\2", b"\3"),
    "deal": lambda fair: fair.deal(),
    "round": lambda fair: fair.round_line("HC1 ..."),
    "reveal": lambda fair: fair.reveal(),
}
ALLOWED = {
    REVEALED: {"commit"},
    COMMITTED: {"cut", "reveal"},
    CUT: {"deal", "reveal"},
    DEALING: {"deal", "round", "reveal"},
}


def in_state(state: str) -> Fairness:
    fair = Fairness()
    for reached, step in ((COMMITTED, "commit"), (CUT, "cut"), (DEALING, "deal"), (REVEALED, "reveal")):
        STEPS[step](fair)
        assert fair.state == reached
        if reached == state:
            break
    return fair


def test_promise_41_the_commitment_comes_first_and_fixes_the_secret():
    fair = Fairness()
    line = fair.commit(SECRET, "casino/decks=8")
    first = sha256(b"HCC1" + bytes(32) + SECRET).digest()
    assert line == f"commit 1 {first.hex()} casino/decks=8"
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
    return tuple(Shoe(CASINO, fair.deal()).deal(52))


def test_promise_42_the_cut_comes_after_the_commitment_and_makes_another_shoe():
    cuts = [(b"", b""), (b"\1", b""), (b"", b"\1"), (b"\1\1", b""), (b"\1", b"\1"), (b"\0", b""), (b"", b"\0")]
    assert len({order(*cut) for cut in cuts}) == len(cuts)
    assert order(b"\1", b"\2") == order(b"\1", b"\2")
    assert order(b"", b"", "sifl") != order(b"", b"")
    assert order(b"", b"", secret=bytes(32)) != order(b"", b"")
    with pytest.raises(FairnessOrder):
        Fairness().cut(b"\1")


def test_promise_43_the_secret_is_told_at_the_end_and_not_before():
    fair = Fairness()
    secret = SECRET.hex()
    lines = [fair.commit(SECRET, "casino"), fair.cut(b"\1\2\3\4", b"\5")]
    fair.deal()
    lines += [fair.round_line("HC1 ..."), *fair.public(), *fair.head()]
    assert lines == [
        f"commit 1 {fair.commitment.hex()} casino",
        "cut 1 01020304 05",
        "round 1 1 HC1 ...",
        f"commit 1 {fair.commitment.hex()} casino",
        "cut 1 01020304 05",
        HEADER,
    ]
    assert fair.reveal() == f"reveal 1 {secret} 1"
    assert secret not in fair.save()
    assert fair.public() == []
    assert fair.head() == [HEADER, f"chain 1 {fair.commitment.hex()}"]


@pytest.mark.parametrize("state", [COMMITTED, CUT, DEALING])
def test_promise_44_an_abandoned_shoe_is_revealed_too(state):
    fair = in_state(state)
    assert fair.reveal() == f"reveal 1 {SECRET.hex()} 0"
    assert fair.commit(bytes(32), "casino").startswith("commit 2 ")


@pytest.mark.parametrize("state", ALLOWED)
@pytest.mark.parametrize("step", STEPS)
def test_promise_43_a_step_out_of_order_changes_nothing(state, step):
    fair = in_state(state)
    before = fair.save()
    if step in ALLOWED[state]:
        STEPS[step](fair)
        return
    with pytest.raises(FairnessOrder, match=state):
        STEPS[step](fair)
    assert fair.save() == before


@pytest.mark.parametrize("state", ALLOWED)
def test_it_survives_as_text(state):
    fair = in_state(state)
    again = restore(fair.save())
    assert again.save() == fair.save()
    assert (again.state, again.number, again.commitment, again.rounds) == (state, 1, fair.commitment, 0)
    assert again.public() == fair.public()
    assert again.head() == fair.head()
    if state in (CUT, DEALING):
        assert [again.deal().below(52) for _ in range(9)] == [fair.deal().below(52) for _ in range(9)]
    if state != REVEALED:
        assert again.reveal() == fair.reveal()


def test_the_text_is_short():
    fair = Fairness()
    fair.number = 999_999
    fair.commit(SECRET, "casino")
    fair.cut(bytes(16), bytes(32))
    fair.deal()
    assert len(fair.save()) <= 260


@given(st.data())
def test_a_damaged_text_is_refused_or_harmless(data):
    """No exception but ValueError, whatever became of the text; the journal has a check sum of its own."""
    text = in_state(data.draw(st.sampled_from(sorted(ALLOWED)))).save()
    at = data.draw(st.integers(0, len(text) - 1))
    damaged = text[:at] + data.draw(st.text(max_size=3)) + text[at + data.draw(st.integers(0, 2)) :]
    with suppress(ValueError):
        assert restore(damaged).save() == damaged


def test_arguments_are_checked():
    fair = Fairness()
    for secret, rules in ((bytes(31), "casino"), (bytes(33), "casino"), (SECRET, ""), (SECRET, "a b")):
        with pytest.raises(ValueError, match=r"secret|rules"):
            fair.commit(secret, rules)
    assert fair.number == 0
    fair.commit(SECRET, "casino")
    for presses, host in ((bytes(17), b""), (b"", bytes(33))):
        with pytest.raises(ValueError, match="too much"):
            fair.cut(presses, host)
    assert fair.state == COMMITTED
