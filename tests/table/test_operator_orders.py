"""The operator's orders over the wire: what they do, what survives, what the log tells of them."""

from __future__ import annotations

from binascii import b2a_base64

import pytest
from tests.table.owner import OWNER, SECOND, arcade, deal, done, house, log, order, reborn
from tests.table.rig import Rig

from holecard.table.keys import HIT, STAND
from holecard.table.orders import _ORDERS


@pytest.mark.parametrize(
    "command",
    ["PLAY OFF", "BETS 2,50", "LIMIT 5000", "RULES casino", "CREDITS ON", "REFILL 0,250", "PAYOUT 0,10", "SOUND OFF"],
)
def test_promise_36_every_change_is_in_the_log_with_the_keys_id(command: str) -> None:
    rig = arcade()
    done(rig, command)
    assert "owner: " + command.upper() in log(rig)
    rig = reborn(rig)
    assert "owner: " + command.upper() in log(rig)


def test_promise_36_what_was_refused_is_no_change() -> None:
    rig = arcade()
    for command in ("REFILL 0,9999999", "SEATS 2", "BETS 5,2", "RULES poker", "CLEAR", "PLAY", "NONSENSE", "LIMIT -5"):
        assert not order(rig, command).startswith("0,"), command
    assert not [text for text in log(rig) if text.startswith("owner")]


def test_promise_39_disabled_play_lets_an_open_round_finish() -> None:
    rig = arcade()
    deal(rig)
    done(rig, "PLAY OFF")
    assert rig.state()["legal"]
    rig = reborn(rig)
    assert rig.game.in_round, "and so does a restart"
    while rig.game.in_round:
        rig.press(STAND)
    rounds = rig.game.rounds
    for _ in range(4):
        rig.press(HIT)
        rig.press(1)
        assert "DEAL" not in rig.state()["labels"]
    assert rig.game.rounds == rounds
    done(rig, "PLAY ON")
    deal(rig)
    assert rig.game.rounds == rounds + 1


def test_promise_39_a_closed_table_deals_in_no_way() -> None:
    rig = Rig(operator=OWNER)
    done(rig, "PLAY OFF")
    assert "closed the table" in rig.command("ROUN:DEAL")
    done(rig, "PLAY ON")
    rig.deal("10,10,10,7")
    rig.ok("ROUN:ACT 0,S")
    done(rig, "PLAY OFF")
    rig.press(HIT)
    assert rig.state()["phase"] == "settled"
    assert rig.state()["labels"][1] == ""


def test_promise_39_limits_of_the_bet_hold() -> None:
    rig = arcade()
    done(rig, "RULES casino", "BETS 20,100")
    rig = reborn(rig)
    assert house(rig)["bets"] == [20, 100]
    assert rig.state()["bets"] == [20]
    for _ in range(30):
        rig.press(1)
    assert rig.state()["bets"] == [100]
    assert rig.game.bench is False, "an operator's rule is no bench's"
    for _ in range(30):
        rig.press(STAND)
    assert rig.state()["bets"] == [20]


def test_promise_39_the_limit_of_the_bankroll_holds() -> None:
    rig = arcade()
    done(rig, "LIMIT 1500", "REFILL 0,400")
    assert order(rig, "REFILL 0,101") == '-221,"Settings conflict;above the bankroll limit"'
    done(rig, "REFILL 0,100")
    rig = reborn(rig)
    assert rig.state()["bankrolls"] == [1500]
    done(rig, "LIMIT 1400")
    for mask in range(16):
        rig.press(mask)
    assert rig.game.rounds == 0
    # What may be filled in may be played with; a round that ends as it is dealt may go beyond it again.
    done(rig, "PAYOUT 0,100")
    rig.press(HIT)
    assert rig.game.rounds == 1


def test_promise_39_with_credits_only_the_operator_refills() -> None:
    rig = arcade()
    done(rig, "CREDITS ON", "PAYOUT 0,1000")
    rig = reborn(rig)
    assert rig.state()["phase"] == "broke"
    for mask in range(16):
        rig.press(mask, 700)
    assert rig.state()["bankrolls"] == [0]
    done(rig, "REFILL 0,50")
    assert rig.state()["phase"] == "betting"
    deal(rig)


def test_orders_wait_for_the_end_of_the_round() -> None:
    rig = arcade()
    deal(rig)
    before = rig.state()
    for command in ("RULES casino", "SEATS 1", "BETS 2,50", "REFILL 0,5", "PAYOUT 0,5"):
        assert order(rig, command) == '-221,"Settings conflict;a round is open"', command
    assert rig.state() == before


def test_other_rules_and_seats_move_no_money_of_who_stays() -> None:
    rig = arcade()
    done(rig, "REFILL 0,23", "RULES casino", "SEATS 3")
    assert rig.state()["bankrolls"] == [1023, 1000, 1000]
    done(rig, "CREDITS ON", "SEATS 5")
    rig = reborn(rig)
    assert rig.state()["bankrolls"] == [1023, 1000, 1000, 0, 0]
    done(rig, "RULES sifl")
    assert rig.state()["bankrolls"] == [1023]
    deal(rig)
    while rig.game.in_round:
        rig.press(STAND)
    assert rig.state()["phase"] == "settled", "the accounts add up"


def test_sound_can_be_silenced() -> None:
    rig = arcade()
    rig.press(HIT)
    assert rig.board.sounds
    done(rig, "SOUND OFF")
    del rig.board.sounds[:]
    rig = reborn(rig)
    for _ in range(4):
        rig.press(STAND)
    assert not rig.board.sounds


def test_another_mode_is_a_restart_that_voids_the_round_and_takes_another_secret() -> None:
    rig = arcade()
    deal(rig)
    secret = rig.game.shoes.fair.current.secret
    with pytest.raises(SystemExit):
        done(rig, "MODE bench")
        rig.run(SECOND)
    assert rig.board.chosen == "bench"
    bench = reborn(rig, seed=b"\x02")
    assert bench.ask("SYST:MODE?") == "bench"
    assert bench.state()["bankrolls"] == [1000]
    bench.board.chosen = "arcade"
    again = reborn(bench, seed=b"\x03")
    assert again.state()["phase"] == "betting"
    assert again.state()["bankrolls"] == [1000], "refunded"
    assert again.game.shoes.fair.current.secret != secret
    assert "mode changed" in log(again)
    assert b2a_base64(secret)[:40] not in b"".join(again.board.files.values())


def test_a_mode_that_is_held_by_the_strap_is_refused() -> None:
    rig = arcade()
    rig.board.choose_mode = lambda mode: "the strap holds it in arcade mode"
    assert order(rig, "MODE bench") == '-221,"Settings conflict;the strap holds it in arcade mode"'
    assert order(rig, "MODE arcade") == '-221,"Settings conflict;the table is in that mode"'
    rig.run(SECOND)


def test_a_flash_that_takes_nothing_obeys_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    rig = arcade()
    rig.rest()

    def save(name: str, data: bytes) -> None:
        raise OSError(5)

    monkeypatch.setattr(rig.board, "save", save)
    assert order(rig, "PLAY OFF").startswith("-310,")
    assert house(rig)["play"] is True


def test_every_order_is_in_the_wire_page() -> None:
    from tests.test_docs import WIRE  # noqa: PLC0415

    for name in _ORDERS:
        assert f"`{name}" in WIRE, name


@pytest.mark.parametrize(
    "command", ["REFILL 0,100", "PAYOUT 0,100", "PLAY OFF", "LIMIT 5000", "BETS 2,50", "RULES casino"]
)
def test_promise_36_the_entry_is_there_before_what_it_tells_of(command: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """The power may fail after any writing: an order that holds is in the log."""
    rig = arcade()
    rig.rest()
    states: list[dict[str, bytes]] = []
    save = rig.board.save

    def noted(name: str, data: bytes) -> None:
        save(name, data)
        states.append(dict(rig.board.files))

    monkeypatch.setattr(rig.board, "save", noted)
    before = (
        rig.state()["bankrolls"],
        rig.state()["rules"],
        house(rig)["play"],
        house(rig)["limit"],
        house(rig)["bets"],
    )
    done(rig, command)
    rig.rest()
    held = 0
    for files in states:
        after = Rig(mode="arcade", operator=OWNER, files=files, marked=True)
        state, found = after.state(), house(after)
        if (state["bankrolls"], state["rules"], found["play"], found["limit"], found["bets"]) != before:
            held += 1
            assert f"owner: {command.upper()}" in log(after)
    assert held


_NONSENSE = (
    "", " ", "PLAY", "PLAY 2", "PLAY MAYBE", "PLAY ON,OFF", "CREDITS", "CREDITS 7", "SOUND LOUD", "RULES",
    "RULES poker", "RULES 1", "RULES sifl,casino", "SEATS", "SEATS 0", "SEATS -1", "SEATS 8", "SEATS 1.5",
    "SEATS two", "BETS 5", "BETS 0,0", "BETS 0,50", "BETS 5,2", "BETS 2.5,50", "BETS 2,50.5", "BETS 5000,0",
    "BETS 2,2000000", "BETS 1,2,3", "LIMIT", "LIMIT -5", "LIMIT 0.5", "LIMIT 100.5", "LIMIT 1", "LIMIT 1000001",
    "LIMIT 2000000", "LIMIT 1,2", "REFILL 0", "REFILL 0,0", "REFILL 0,-5", "REFILL 9,5", "REFILL -1,5",
    "REFILL 0,0.3", "REFILL 0,2000000", "REFILL 0,9999999", "PAYOUT 0", "PAYOUT 0,0", "PAYOUT 0,-5",
    "PAYOUT 9,5", "PAYOUT 0,1000.5", "CLEAR", "CLEAR 1", "MODE", "MODE arcade", "MODE workshop", "MODE 1",
    "NONSENSE", "PLAYON", "PLAY=ON",
)  # fmt: skip


@pytest.mark.parametrize("command", _NONSENSE)
def test_nonsense_is_refused_with_a_reason_and_changes_nothing(command: str) -> None:
    rig = arcade()
    done(rig, "RULES casino")
    rig.rest()
    before = (rig.state(), {**house(rig), "counter": 0})
    refusal = order(rig, command)
    assert not refusal.startswith("0,")
    if not refusal.startswith("-109,"):
        assert ";" in refusal, "what is missing needs no words"
    rig.rest()
    assert (rig.state(), {**house(rig), "counter": 0}) == before
    assert [text for text in log(rig) if text.startswith("owner: ")] == ["owner: RULES CASINO"]


def test_bets_out_of_range_are_told_in_dollars() -> None:
    rig = arcade()
    assert order(rig, "BETS 0,5") == '-222,"Data out of range;lowest bet not from $1 to $1000000"'
    assert order(rig, "BETS 1,1500000") == '-222,"Data out of range;highest bet not from $0 to $1000000"'
    assert order(rig, "BETS 5000,0") == (
        '-222,"Data out of range;the lowest bet is above the start bankroll of $1,000"'
    )


def test_who_has_won_above_the_limit_can_be_paid_a_part() -> None:
    rig = arcade()
    done(rig, "REFILL 0,2000", "LIMIT 1500", "PAYOUT 0,100")
    assert rig.state()["bankrolls"] == [2900]


def test_no_order_makes_a_table_at_which_nobody_can_bet() -> None:
    rig = arcade()
    done(rig, "LIMIT 4")
    assert order(rig, "RULES casino") == (
        '-221,"Settings conflict;the lowest bet would be above the bankroll limit of $4"'
    )
    assert order(rig, "BETS 5,0").startswith("-221,")
    done(rig, "LIMIT 0", "RULES casino")
