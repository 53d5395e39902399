"""The operator's orders over the wire: who may give them."""

from __future__ import annotations

import json

import pytest
from tests.table.owner import KEY, REFUSED, SECOND, arcade, done, house, log, mac, reborn, send
from tests.table.rig import MS, Rig


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
    assert waits == [2, 4, 8, 16, 32, 64, 64, 64, 64], "as docs/wire.md says"
    rig = reborn(rig)
    assert house(rig)["wait"] == 64
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
