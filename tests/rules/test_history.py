"""A round as a line of text: complete, exact, and honest about damage."""

from binascii import crc32

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.rules.core_sessions import Stream, session_lines
from tests.rules.support import careful, game_state

from holecard.rules.cards import stack_ranks
from holecard.rules.history import encode
from holecard.rules.replay import HistoryError, replay
from holecard.rules.round import Round
from holecard.rules.ruleset import CASINO, SIFL
from holecard.rules.session import Session
from holecard.rules.shoe import Shoe, StackedShoe

LETTERS = "HC1 casinoflx/=:,-0123456789decksmax_AsTh*!SHDPINT"
SPLIT = ["8", "6", "8", "10", "3", "10", "10", "10"]


def played(rules=CASINO, ranks=SPLIT, bets=(20,), money=(54,), actions=("P", "D14", "S")) -> Round:
    play = Round(rules, money, bets, StackedShoe(stack_ranks(ranks)))
    for action in actions:
        play.act(play.seat, action[0], int(action[1:] or 0))
    return play


def signed(body: str) -> str:
    """`body` with a right check sum, whatever it says."""
    return f"{body}{crc32(body.encode()):08X}"


def fault(line: str) -> HistoryError:
    with pytest.raises(HistoryError) as error:
        replay(line)
    assert 0 <= error.value.position <= len(line)
    assert error.value.reason
    return error.value


def test_the_line_is_stable():
    """Histories outlive programs: this one may never change."""
    body = "HC1 casino 54 20 8c6h8sTh3dTdTcTs PD14S "
    assert encode(played()) == signed(body)
    assert replay(signed(body)).result.nets == [54]


def test_insurance_timeout_and_seats_that_sit_out():
    play = Round(CASINO, [100, 100, 100], [20, 0, 10], StackedShoe(stack_ranks(["10", "9", "A", "8", "9", "8"])))
    play.act(0, "I")
    play.act(0, "T")
    assert encode(play).split(" ")[2:6:3] == ["100,100,100", "IT"]
    assert encode(play).split(" ")[3] == "20,0,10"
    assert game_state(replay(encode(play))) == game_state(play)


def test_deviations_from_the_preset_travel_along():
    rules = CASINO.replace(name="mine", decks=8, blackjack_pays=(6, 5), peek=False, min_bet=4)
    play = Round(rules, [100], [4], StackedShoe(stack_ranks(["A", "9", "K", "7"])))
    words = encode(play).split(" ")[1].split("/")
    assert words == ["casino", "name=mine", "decks=8", "blackjack_pays=6:5", "peek=0", "min_bet=4"]
    again = replay(encode(play))
    assert again.rules == rules
    assert again.result.nets == [4], "6:5 of $2 is $2.40; the house keeps what is less than half a dollar"
    assert encode(played(rules=SIFL, actions=("S",), ranks=["10", "9", "8", "9"])).startswith("HC1 sifl 54 20 ")


def test_an_open_round_replays_and_then_has_no_more_cards():
    play = played(actions=("P",))
    again = replay(encode(play))
    assert game_state(again) == game_state(play)
    again.act(0, "H")
    assert again.phase == "void"


def test_a_refill_is_marked_where_it_happened():
    rules = CASINO.replace(cut_percent=95, insurance=False)
    shoe = Shoe(rules, Stream(1))
    shoe.deal(295)
    play = Session(rules, shoe, [400] * 7).deal([20] * 7)
    while play.legal():
        play.act(play.seat, "H")
    assert (play.refill_at, encode(play).split(" ")[4].find("*")) == (17, 34)
    again = replay(encode(play))
    assert again.refill_at == 17
    assert encode(again) == encode(play)


def test_a_refill_before_the_first_card_is_marked_too():
    play = Round(CASINO, [54], [20], StackedShoe(stack_ranks(SPLIT), refill_at=0))
    assert encode(play).split(" ")[4].startswith("*8")
    assert replay(encode(play)).refill_at == 0


@pytest.mark.parametrize("ranks", [[], ["8"], ["8", "6", "8", "10"], SPLIT[:6]])
def test_a_void_round_is_marked(ranks):
    play = Round(CASINO, [54], [20], StackedShoe(stack_ranks(ranks)))
    for action in ("P", "H", "S", "S"):
        if play.phase != "void":
            play.act(0, action)
    assert play.phase == "void"
    assert encode(play).split(" ")[4].endswith("!")
    assert game_state(replay(encode(play))) == game_state(play)


@pytest.mark.parametrize("line", [encode(played()), *session_lines(5, 3), *session_lines(3, 1)])
def test_a_single_damaged_character_is_located(line):
    line = " ".join(line.split(" ")[:7])
    assert encode(replay(line)) == line
    for at in range(len(line)):
        for code in (*range(32, 127), 0, 10, 127, 233, 0x20AC, 0xD800):
            if chr(code) != line[at]:
                assert fault(line[:at] + chr(code) + line[at + 1 :]).position == at


def test_a_line_cut_short_or_joined_is_refused():
    line = encode(played())
    for size in range(len(line)):
        assert fault(line[:size]).position <= size
    for wrong in (line + " ", " " + line, line + line, line + "\n", line.lower(), line[::-1]):
        fault(wrong)


@pytest.mark.parametrize(
    ("body", "position", "reason"),
    [
        ("HC2 casino 54 20 8c6h8sTh3dTdTcTs PD14S ", 0, "unknown version"),
        ("HC1 casino 54 20 8c6h8sTh3dTdTcTs ", 33, "wrong number of fields"),
        ("HC1 casina 54 20 8c6h8sTh3dTdTcTs PD14S ", 4, "name: unknown rules"),
        ("HC1 casino/jokers=2 54 20 8c6h8sTh3dTdTcTs PD14S ", 11, "jokers: no such rule"),
        ("HC1 casino/decks 54 20 8c6h8sTh3dTdTcTs PD14S ", 11, "decks: not a number"),
        ("HC1 casino/peek=1/decks=9 54 20 8c6h8sTh3dTdTcTs PD14S ", 18, "decks: not from 1 to 8"),
        ("HC1 casino 5.4 20 8c6h8sTh3dTdTcTs PD14S ", 12, "not a number"),
        ("HC1 casino 54, 20 8c6h8sTh3dTdTcTs PD14S ", 14, "not a number"),
        ("HC1 casino " + "9" * 5000 + " 20 8c6h8sTh3dTdTcTs PD14S ", 11, "not a number"),
        ("HC1 casino 54 56 8c6h8sTh3dTdTcTs PD14S ", 14, "bet is more than the bankroll"),
        ("HC1 casino 54 20,20 8c6h8sTh3dTdTcTs PD14S ", 14, "wrong number of seats"),
        ("HC1 casino 54 0 8c6h8sTh3dTdTcTs PD14S ", 14, "no bet"),
        ("HC1 casino 54 20 8d6c8xTh3hTdTsTc PD14S ", 21, "not a card"),
        ("HC1 casino 54 20 8d6c8cTh3hTdTsT PD14S ", 31, "not a card"),
        ("HC1 casino 54 20 *8d*6c8cTh3hTdTsTc PD14S ", 20, "not a card"),
        ("HC1 casino 54 20 8c6h8sTh3dTdTcTs PD16S ", 35, "the bankroll does not cover it"),
        ("HC1 casino 54 20 8c6h8sTh3dTdTcTs PD0S ", 36, "no amount belongs here"),
        ("HC1 casino 54 20 8c6h8sTh3dTdTcTs PD14S1 ", 39, "no amount belongs here"),
        ("HC1 casino 54 20 8c6h8sTh3dTdTcTs PD14N ", 38, "insurance is not open"),
        ("HC1 casino 54 20 8c6h8sTh3dTdTcTs PD14SS ", 39, "the round is over"),
        ("HC1 casino 54 20 8c6h8sTh3dTdTcTs PD14x ", 38, "no such action"),
        ("HC1 casino 54 20 8c6h8sTh3dTdTcTs2h PD14S ", 35, "more cards than were drawn"),
        ("HC1 casino 54 20 8d6c8cTh3hTdTs PD14S ", 31, "cards are missing"),
        ("HC1 casino 54 20 8c6h8sTh3dTdTcTs! PD14S ", 34, "not void"),
    ],
)
def test_a_line_that_says_nonsense_is_refused_where_it_does(body, position, reason):
    error = fault(signed(body))
    assert (error.position, error.reason) == (position, reason)


@careful
@given(st.text(max_size=60))
def test_any_text_is_refused_politely(text):
    fault(text)


@careful
@given(
    st.text(alphabet=LETTERS, max_size=60),
    st.integers(0, 44),
    st.integers(0, 44),
)
def test_nonsense_with_a_right_check_sum_is_refused_or_replays(text, start, end):
    """Whatever a line says, replay() returns a round that encodes and replays again, or raises HistoryError."""
    body = "HC1 casino 54 20 8c6h8sTh3dTdTcTs PD14S "
    for line in (signed(body[:start] + text + body[end:]), signed(text), signed("HC1 " + text)):
        try:
            play = replay(line)
        except HistoryError as error:
            assert 0 <= error.position <= len(line)
        else:
            assert game_state(replay(encode(play))) == game_state(play)
