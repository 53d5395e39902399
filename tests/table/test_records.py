"""What must survive, on a fake board: rounds that come back, and the record that they come back from."""

from __future__ import annotations

import random
import re

import pytest
from tests.table.records import SECOND, hot, pack_of, reborn, table
from tests.table.rig import MS, Rig

from holecard.rules.ruleset import CASINO
from holecard.rules.session import Session
from holecard.table import record
from holecard.table.journal import seal, unseal
from holecard.table.keys import HIT, STAND

_STEPS = {
    "sifl": ("BENC:RUL sifl", 'BENC:SEED "07"', "ROUN:BET 0,25"),
    "casino": (
        "BENC:RUL casino",
        "BENC:SEAT 3",
        'BENC:SEED "0badcafe"',
        "ROUN:BET 0,10",
        "ROUN:BET 1,0",
        "ROUN:BET 2,30",
    ),
    "insurance": ("BENC:RUL casino", "BENC:SEAT 2", 'BENC:SHOE "10,9,A,9,8,9,5,5,5,5,5"'),
    "splits": ("BENC:RUL casino", 'BENC:SHOE "8,6,8,10,8,3,10,10,10,9,5,5,5"'),
    "blackjack": ("BENC:RUL casino", 'BENC:SHOE "A,9,K,10,5,5"'),
    "dealer": ("BENC:RUL casino", 'BENC:SHOE "8,10,9,A,5,5"'),
}


@pytest.mark.parametrize("name", _STEPS)
def test_promise_16_a_table_is_the_same_after_a_power_cut_at_any_moment(name: str) -> None:
    rig = Rig()
    for line in (*_STEPS[name], "ROUN:DEAL"):
        rig.ok(line)
        rig.rest()
        if line != "ROUN:DEAL":
            assert table(reborn(rig))["bankrolls"] == table(rig)["bankrolls"]
    chance = random.Random(name)
    rounds = 0
    while rounds < 3:
        state = table(rig)
        rig = reborn(rig)
        assert table(rig) == state, hot(rig)
        if not state["legal"]:
            rounds += 1
            rig.ok("ROUN:NEXT")
            rig = reborn(rig)
            assert table(rig) == state, "until something else is written down"
            rig.ok("ROUN:NEXT")
            for seat, bet in enumerate(state["bets"]):
                rig.ok(f"ROUN:BET {seat},{bet:g}")
            rig.ok("ROUN:DEAL")
        else:
            rig.ok(f"ROUN:ACT {state['seat']},{chance.choice(state['legal'])}")


def test_promise_16_the_same_cards_come_with_and_without_power_cuts() -> None:
    histories = []
    for cuts in (False, True):
        rig = Rig()
        rig.ok("BENC:RUL casino", 'BENC:SEED "77"')
        lines = []
        for _ in range(25):
            rig.ok("ROUN:BET 0,5", "ROUN:DEAL")
            while table(rig)["legal"]:
                if cuts:
                    rig = reborn(rig)
                state = table(rig)
                rig.ok(
                    f"ROUN:ACT {state['seat']},{'HIT' if state['seats'][0]['hands'][0]['total'] < 15 else 'STAND'}"
                    if state["phase"] == "playing"
                    else f"ROUN:ACT {state['seat']},DECLINE"
                )
            lines.append(rig.ask("TABL:HIST?"))
            rig.ok("ROUN:NEXT")
            if cuts:
                rig = reborn(rig)
                rig.ok("ROUN:NEXT")
        histories.append(lines)
    assert histories[0] == histories[1]


def test_promise_16_it_lies_there_at_once_and_insurance_has_all_its_time_again() -> None:
    rig = Rig()
    rig.deal("10,A,8,9,5")
    rig.run(7 * SECOND)
    assert rig.front.closing < 25
    after = reborn(rig)
    assert not after.front.reveal.active
    assert after.front.phase == "insurance"
    assert after.front.closing == 30
    assert after.front.scene.visible.dealer[0] == rig.front.scene.visible.dealer[0]
    assert after.board.sounds == []
    after.run(31 * SECOND)
    assert after.state()["phase"] == "playing"


def test_promise_16_a_cut_while_it_is_dealt_and_nobody_has_a_choice_settles_it() -> None:
    rig = Rig()
    rig.ok("BENC:RUL casino", "ROUN:BET 0,10", 'BENC:SHOE "A,9,K,10"')
    rig.board.rx += b"ROUN:DEAL\n"
    rig.run(100 * MS)
    assert rig.game.dealing
    state = reborn(rig).state()
    assert (state["phase"], state["bankrolls"], state["seats"][0]["net"]) == ("settled", [1015], 15)


def test_promise_16_what_was_seen_before_a_cut_is_not_undone_after_it() -> None:
    """The power goes before each save of a round; whatever panel and wire had told by then, still holds."""
    rig = Rig()
    rig.ok("BENC:RUL casino", 'BENC:SEED "05"', "ROUN:BET 0,10", "SYST:COMM:EVEN ON")
    rig.rest()
    moments: list[tuple[dict[str, bytes], int]] = []
    drawn: list[int] = []
    save = rig.board.save

    def watched(name: str, data: bytes) -> None:
        moments.append((dict(rig.board.files), shown(rig)))
        save(name, data)

    rig.board.save = watched  # type: ignore[method-assign]
    rig.board.rx += b"ROUN:DEAL\n"
    rig.rest()
    while rig.game.in_round:
        drawn.append(len(rig.game.last_round.drawn))
        rig.press(STAND if rig.state()["phase"] == "insurance" else HIT)
    assert len(drawn) > 1
    assert len(moments) > 4
    for files, seen in moments:
        after = Rig(files=files, marked=True)
        play = after.game.last_round
        # Cards that were seen are there; and they are the same, as all come from one shoe.
        assert (len(play.drawn) if play else 0) >= seen
        if play:
            assert play.drawn == rig.game.last_round.drawn[: len(play.drawn)]


def shown(rig: Rig) -> int:
    """How many cards had been shown or told, at the least."""
    told = len(re.findall(rb'"event":"card"', bytes(rig.board.tx)))
    visible = rig.front.scene.visible
    if visible is None or rig.game.phase in ("betting",):
        return told
    return max(told, len(visible.dealer) + sum(len(hand.cards) for seat in visible.seats for hand in seat.hands))


@pytest.mark.parametrize(
    "line", ["ROUN:ACT 0,HIT;:TABL:STAT?", "ROUN:ACT 0,STAND;:TABL:STAT?;HIST?", "ROUN:ACT 0,HIT;*OPC?"]
)
def test_promise_16_the_wire_tells_nothing_that_is_not_stored(line: str) -> None:
    rig = Rig()
    rig.deal("10,9,2,7,5,10,5")
    rig.rest()
    rig.ok("SYST:COMM:EVEN ON")
    send = rig.board.write_from
    told = []

    def watched(data: bytes) -> int:
        told.append(bytes(data))
        assert not rig.game.unsaved
        return send(data)

    rig.board.write_from = watched  # type: ignore[method-assign]
    rig.ask(line)
    rig.rest()
    assert told


def test_promise_29_a_round_that_cannot_be_finished_is_void_and_refunded() -> None:
    rig = Rig()
    rig.ok("BENC:RUL casino")
    stack = ",".join(["9", "8"] * 30)
    rig.ok("ROUN:BET 0,40", f'BENC:SHOE "{stack}"', "ROUN:DEAL")
    assert rig.state()["bankrolls"] == [960]
    after = reborn(rig)
    assert (after.state()["phase"], after.state()["bankrolls"]) == ("betting", [1000])
    assert after.ask("SYST:LOG?").endswith('"power cut: round void"}')


def test_promise_29_so_is_one_whose_stack_runs_dry() -> None:
    rig = Rig()
    rig.deal("10,5,2,10")
    assert rig.command("ROUN:ACT 0,HIT").startswith("-200,")
    assert table(reborn(rig))["bankrolls"] == [1000]


@pytest.mark.promise(20, 21)
def test_money_moves_before_the_animation_and_a_bet_is_taken_at_once() -> None:
    rig = Rig()
    rig.ok("BENC:RUL casino", "ROUN:BET 0,40", 'BENC:SHOE "10,10,6,10,10"')
    rig.board.rx += b"ROUN:DEAL\n"
    rig.run(30 * MS)
    assert rig.front.reveal.active
    assert reborn(rig).state()["bankrolls"] == [960]
    rig.rest()
    rig.board.rx += b"ROUN:ACT 0,DOUB,20\n"
    rig.run(30 * MS)
    assert rig.front.reveal.active
    assert rig.game.bankroll(0) == 2000 - 120
    assert reborn(rig).state()["bankrolls"] == [940]


# -- the record


def test_promise_11_one_record_holds_everything_that_matters() -> None:
    rig = Rig()
    rig.ok("BENC:RUL casino;:BENC:RUL:SET min_bet,20;:BENC:SEAT 3", "BENC:BANK 1,77.5", "TABL:LEAV 2")
    rig.ok("ROUN:BET 0,50", "ROUN:BET 1,0")
    rig.ok("TABL:LEAV 1")
    words = hot(rig).split(" ")
    assert words[:5] == ["0", "1", "-", "paa", "100,0,0"]
    assert words[11:] == ["-", "casino/min_bet=40", "2000,155,2000"]
    state = reborn(rig).state()
    assert (state["bankrolls"], state["states"], state["bets"]) == (
        [1000, 77.5, 1000],
        ["play", "away", "away"],
        [50, 0, 0],
    )
    rig.rest()
    assert unseal(rig.board.files["a/boot"])[0] == 1
    after = reborn(rig)
    after.rest()
    assert unseal(after.board.files["a/boot"])[0] == 2


def test_promise_11_the_hot_record_of_the_largest_rounds_stays_small() -> None:
    """Above 512 bytes littlefs would give the file a block of its own, and each save an erase."""
    rig = Rig()
    rig.ok("BENC:RUL casino", "BENC:SEAT 7")
    game = rig.game
    chance = random.Random(4)
    sizes = []
    for _ in range(60):
        game._session = Session(CASINO, game._shoe, [89_999] * 7)
        game.shoes.abandon(None)
        game.promise()
        game.accounts.meters = [9_999_999, 9_999_999, 99_999, 9_999, 9_999, 9_999, 999, 999, 99, 99]
        game.bets = [1000] * 7
        game.phase = "betting"
        game.deal()
        game.peek()
        while game.in_round:
            legal = game.visible.legal
            code = (
                "P" if "P" in legal else "I" if "I" in legal else "D" if "D" in legal and chance.random() < 0.3 else "H"
            )
            if code == "H" and game.last_round.total() > 14:
                code = "S"
            game.act(game.visible.seat, code)
            sizes.append(len(seal(100_000, record.pack(game))))
    assert max(sizes) < 480
    assert sorted(sizes)[len(sizes) * 9 // 10] < 400


def test_a_hot_record_without_splits_is_smaller_still() -> None:
    assert len(seal(100_000, pack_of("BENC:RUL casino"))) < 200
