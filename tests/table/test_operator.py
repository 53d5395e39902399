"""The operator's orders over the wire: who may give them, what they do, what survives."""

from __future__ import annotations

import hashlib
import hmac
import json
from binascii import b2a_base64
from typing import Any

import pytest
from tests.table.rig import MS, Rig

from holecard.table.keys import HIT, STAND
from holecard.table.orders import _ORDERS

KEY = bytes(range(32))
OWNER = ("owner", KEY)
SECOND = 1_000_000
REFUSED = '-203,"Command protected;not authenticated"'


def arcade(**board: Any) -> Rig:
    return Rig(mode="arcade", operator=OWNER, **board)


def reborn(rig: Rig, **board: Any) -> Rig:
    """The power goes and comes back."""
    fields = {"mode": rig.board.chosen, "operator": rig.board.operator, **board}
    return Rig(files=dict(rig.board.files), marked=True, **fields)


def house(rig: Rig) -> dict[str, Any]:
    return json.loads(rig.ask("OPER:STAT?"))


def mac(nonce: str, counter: int, command: str, key: bytes = KEY) -> str:
    return hmac.new(key, f"{nonce}{counter}{command}".encode(), hashlib.sha256).hexdigest()


def send(rig: Rig, command: str, counter: int, digest: str) -> str:
    return rig.command(f'OPER:DO "{command}",{counter},"{digest}"')


def order(rig: Rig, command: str) -> str:
    """The order as the host gives it; the error that it leaves behind."""
    counter = house(rig)["counter"] + 1
    return send(rig, command, counter, mac(rig.ask("OPER:NONC?"), counter, command))


def done(rig: Rig, *commands: str) -> None:
    for command in commands:
        assert order(rig, command) == '0,"No error"', command


def log(rig: Rig) -> list[str]:
    rig.rest()
    return [json.loads(rig.ask(f"SYST:LOG? {back}"))["text"] for back in range(int(rig.ask("SYST:LOG:COUN?")))]


def deal(rig: Rig) -> None:
    """Deals by key until a round is open."""
    while not rig.game.in_round:
        rig.press(HIT)


# -- who


def test_promise_35_without_a_key_no_order_is_obeyed() -> None:
    rig = Rig(mode="arcade")
    assert rig.command("OPER:NONC?") == '-203,"Command protected;the settings hold no operator_key"'
    assert send(rig, "PLAY OFF", 1, mac("", 1, "PLAY OFF", b"")).startswith("-203,")
    assert house(rig)["key"] == ""
    assert house(rig)["play"] is True


def test_promise_35_a_nonce_serves_once_and_for_a_minute() -> None:
    rig = arcade()
    first = rig.ask("OPER:NONC?")
    assert send(rig, "PLAY OFF", 1, mac(first, 1, "PLAY OFF")) == '0,"No error"'
    assert send(rig, "PLAY ON", 2, mac(first, 2, "PLAY ON")) == REFUSED
    rig.run(3 * SECOND)
    nonces = [rig.ask("OPER:NONC?") for _ in range(50)]
    assert len(set(nonces)) == 50
    assert send(rig, "PLAY ON", 2, mac(nonces[-2], 2, "PLAY ON")) == REFUSED, "only the newest"
    rig.run(4 * SECOND)
    late = rig.ask("OPER:NONC?")
    rig.run(61 * SECOND)
    assert send(rig, "PLAY ON", 2, mac(late, 2, "PLAY ON")) == REFUSED
    rig.run(6 * SECOND)
    in_time = rig.ask("OPER:NONC?")
    rig.run(55 * SECOND)
    assert send(rig, "PLAY ON", 2, mac(in_time, 2, "PLAY ON")) == '0,"No error"'


@pytest.mark.parametrize(
    ("command", "counter", "key"),
    [("PLAY OFF", 1, bytes(32)), ("PLAY OFF", 2, KEY), ("PLAY ON", 1, KEY), ("play OFF", 1, KEY)],
)
def test_promise_35_the_mac_is_over_key_nonce_counter_and_command(command: str, counter: int, key: bytes) -> None:
    rig = arcade()
    digest = mac(rig.ask("OPER:NONC?"), counter, command, key)
    assert send(rig, "PLAY OFF", 1, digest) == REFUSED
    assert house(rig)["play"] is True


def test_promise_35_what_is_no_mac_is_refused() -> None:
    for digest in ("", "00", "x" * 64, "ff" * 32, "ff" * 50):
        rig = arcade()
        rig.ask("OPER:NONC?")
        assert send(rig, "PLAY OFF", 1, digest) == REFUSED
    rig = arcade()
    assert send(rig, "PLAY OFF", 1, mac("", 1, "PLAY OFF")) == REFUSED, "no nonce was asked for"


def test_promise_35_the_counter_grows_and_survives_a_power_cut() -> None:
    rig = arcade()
    done(rig, "PLAY OFF", "PLAY ON")
    rig = reborn(rig)
    for counter in (0, 1, 2):
        assert send(rig, "PLAY OFF", counter, mac(rig.ask("OPER:NONC?"), counter, "PLAY OFF")) == REFUSED
        rig.run(65 * SECOND)
    assert send(rig, "PLAY OFF", 9, mac(rig.ask("OPER:NONC?"), 9, "PLAY OFF")) == '0,"No error"'
    assert house(rig)["counter"] == 9


def test_promise_35_nothing_is_repeated_with_entropy_that_is_stuck() -> None:
    rig = arcade()
    nonce = rig.ask("OPER:NONC?")
    line = f'OPER:DO "REFILL 0,100",1,"{mac(nonce, 1, "REFILL 0,100")}"'
    rig.ok(line)
    rig = reborn(rig)
    assert rig.ask("OPER:NONC?") == nonce, "the fake board's entropy is the same at every start"
    assert rig.command(line) == REFUSED
    assert rig.state()["bankrolls"] == [1100]


def test_promise_35_the_delay_grows_and_tells_nothing_and_a_restart_is_no_way_around() -> None:
    rig = arcade()
    waits = []
    for _ in range(9):
        assert send(rig, "PLAY OFF", 1, "00" * 32) == REFUSED
        wait = house(rig)["wait"]
        waits.append(wait)
        good = mac(rig.ask("OPER:NONC?"), 1, "PLAY OFF")
        assert send(rig, "PLAY OFF", 1, good) == f'-203,"Command protected;wait {wait} s"'
        assert send(rig, "PLAY OFF", 1, "00" * 32).startswith('-203,"Command protected;wait ')
        assert house(rig)["wait"] <= wait, "an attempt that was not looked at costs nothing"
        rig.run((wait + 1) * SECOND)
    assert waits == [2, 3, 5, 9, 17, 33, 65, 65, 65]
    rig = reborn(rig)
    assert house(rig)["wait"] == 65
    rig.run(66 * SECOND)
    done(rig, "PLAY OFF")
    assert house(rig)["wait"] == 0
    assert send(rig, "PLAY ON", 7, "00" * 32) == REFUSED
    assert house(rig)["wait"] == 2, "a success starts the count again"


def test_promise_35_the_key_is_told_to_nobody() -> None:
    rig = arcade()
    rig.ok("SYST:COMM:EVEN ON")
    done(rig, "PLAY OFF", "BETS 2,50", "PLAY ON")
    said = "".join(rig.events) + "".join(log(rig))
    for header in json.loads(rig.ask("SYST:HELP:HEAD?")):
        if header.endswith("?"):
            rig.board.rx += header.replace("[:NEXT]", "").encode() + b"\n"
            rig.run(300 * MS)
    said += bytes(rig.board.tx).decode() + "".join(rig.events)
    stored = b"".join(rig.board.files.values())
    assert "owner" in said
    for secret in (KEY.hex(), KEY.hex()[:16], KEY.decode("latin1"), str(KEY)):
        assert secret.lower() not in said.lower()
    assert KEY not in stored
    assert KEY.hex().encode() not in stored


# -- what


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
    for mask in range(16):
        rig.press(mask)
    assert rig.game.rounds == 0
    done(rig, "PAYOUT 0,500")
    deal(rig)


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


def test_the_way_out_of_a_lock_is_in_the_log_and_survives() -> None:
    rig = arcade()
    rig.game.lock("a bankroll jumped")
    rig.game.unsaved = True
    rig.rest()
    rig = reborn(rig)
    assert rig.state()["phase"] == "locked"
    assert house(rig)["locked"] == "a bankroll jumped"
    assert rig.ask("SYST:ERR?") == '-330,"Self-test failed;a bankroll jumped"'
    done(rig, "CLEAR")
    assert "owner: CLEAR" in log(rig)
    assert reborn(rig).state()["phase"] == "betting"


def test_a_house_record_that_cannot_be_trusted_locks_and_stays_as_evidence() -> None:
    rig = arcade()
    done(rig, "PLAY OFF")
    files = dict(rig.board.files)
    files["a/op"] = files["b/op"] = b"rubbish"
    rig = arcade(files=files, marked=True)
    assert rig.state()["phase"] == "locked"
    assert rig.ask("SYST:ERR?") == '-330,"Self-test failed;record damaged"'
    assert send(rig, "PLAY ON", 1, "00" * 32) == REFUSED
    rig.rest()
    assert rig.board.files["a/op"] == b"rubbish"
    rig.run(3 * SECOND)
    done(rig, "CLEAR")
    assert reborn(rig).state()["phase"] == "betting"


@pytest.mark.parametrize("copy", ["a/op", "b/op"])
def test_one_copy_of_the_house_record_is_enough(copy: str) -> None:
    rig = arcade()
    done(rig, "PLAY OFF", "LIMIT 700")
    files = dict(rig.board.files)
    files[copy] = b"rubbish"
    rig = arcade(files=files, marked=True)
    assert (house(rig)["play"], house(rig)["limit"], house(rig)["counter"]) == (False, 700, 2)


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


@pytest.mark.parametrize("damaged", ["boot", "op"])
def test_promise_15_another_record_that_is_damaged_costs_no_money(damaged: str) -> None:
    """It locks the table; but the table's own record is whole, so its bankrolls and meters go on after the lock."""
    rig = arcade()
    done(rig, "REFILL 0,500", "LIMIT 7000")
    rig.rest()
    for folder in ("a/", "b/"):
        rig.board.files[folder + damaged] = rig.board.files[folder + damaged][:-1] + b"x"
    after = reborn(rig)
    assert after.state()["phase"] == "locked"
    assert after.ask("SYST:ERR?") == '-330,"Self-test failed;record damaged"'
    done(after, "CLEAR")
    assert after.state()["bankrolls"] == [1500]
    again = reborn(after)
    assert (again.state()["phase"], again.state()["bankrolls"]) == ("betting", [1500])
    assert json.loads(again.ask("TABL:AUD?"))["ok"] is True


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
