"""Rounds and records on whole tables, whose power fails."""

from __future__ import annotations

from typing import Any

from tests.hardware.faults import mark, on_all, on_simulated, opened, settings, state, transfers

from holecard_host.stands import Stand

# What is of the moment only.
_PASSING = ("labels", "lamps", "page", "amount")


def table(stand: Stand) -> dict[str, Any]:
    return {name: value for name, value in state(stand).items() if name not in _PASSING}


def cards(stand: Stand) -> int:
    return len(state(stand)["seats"][0]["hands"][0]["cards"])


@on_all
def test_promise_16_an_open_round_comes_back(url: str) -> None:
    with opened(url) as stand:
        stand.wire.command('BENC:RUL casino;:BENC:SEED "05"')
        stand.wire.command("ROUN:BET 0,25;DEAL")
        before = table(stand)
        assert before["legal"]
        stand.cut()
        stand.restore()
        assert table(stand) == before
        stand.wire.command("ROUN:ACT 0,HIT")
        before = table(stand)
        stand.cut()
        stand.restore()
        assert table(stand) == before
        assert stand.wire.ask_record("TABL:MET?")["power_cuts"] == 2


@on_simulated
def test_promise_16_nothing_is_seen_that_a_cut_can_undo(url: str) -> None:
    """An action over the wire, and the power fails instead of each of the flash operations that follow."""
    after = []
    for operation in range(8):
        with opened(url) as stand:
            stand.wire.command('BENC:RUL casino;:BENC:SEED "05";:SYST:COMM:EVEN ON')
            stand.wire.command("ROUN:BET 0,25;DEAL")
            stand.wire.ask("*OPC?")
            assert cards(stand) == 2
            simulator = stand.faults.simulator
            since = mark(stand)
            simulator.take_output()
            simulator.cut_at_flash(operation)
            answer = simulator.grant(simulator.now + 2_000_000, rx=b"ROUN:ACT 0,HIT;:TABL:STAT?\n")
            told = simulator.take_output()
            shown = transfers(stand, since)
            stand.restore()
            after.append(cards(stand))
            if after[-1] == 2:
                assert answer.why == "cut"
                assert (told, shown) == (b"", [])
            if answer.why != "cut":
                break
    assert after[0] == 2
    assert after[-1] == 3
    assert after == sorted(after)


@on_simulated
def test_promise_34_leaving_the_bench_brings_back_what_was_there(url: str) -> None:
    with opened(url, files=settings(mode="arcade")) as stand:
        flash = stand.faults.simulator.flash
        while not state(stand)["legal"]:
            stand.press("HIT")
        before = state(stand)
        stand.cut()
        flash["settings.json"] = b'{"mode": "bench"}'
        stand.restore()
        stand.wire.command("BENC:RUL casino;:BENC:BANK 0,77")
        stand.wire.ask("*OPC?")
        stand.cut()
        flash["settings.json"] = b'{"mode": "arcade"}'
        stand.restore()
        # But for the open round, whose cards could have been read on the bench: the bet goes back.
        after = state(stand)
        assert (after["phase"], after["rules"], after["round"]) == ("betting", "sifl", before["round"])
        assert after["bankrolls"] == [before["bankrolls"][0] + before["bets"][0]]
