"""What is kept beside the rounds, on a fake board: meters, the ring of rounds, the log, bench and arcade apart."""

from __future__ import annotations

import json

import pytest
from tests.table.failing import Flash
from tests.table.records import SECOND, deal_by_key, reborn
from tests.table.rig import MS, Rig

from holecard.table.accounts import NAMES
from holecard.table.keys import DOUBLE, HIT, STAND


def meters(rig: Rig) -> dict[str, float]:
    return json.loads(rig.ask("TABL:METers?"))


def test_promise_22_meters_count_what_was_played_and_survive() -> None:
    rig = Rig()
    rig.deal("8,6,8,10,3,10,10,10,9", (10,))
    rig.ok("ROUN:ACT 0,SPL", "ROUN:ACT 0,DOUB,5", "ROUN:ACT 0,S")
    assert rig.state()["phase"] == "settled"
    rig.deal("A,9,K,10", (20,), bankroll=100)
    rig.deal("10,A,9,9", (20,))
    rig.ok("ROUN:ACT 0,INS", "ROUN:ACT 0,S")
    found = meters(rig)
    assert list(found) == list(NAMES)
    assert found["wagered"] == 25 + 20 + 30
    assert (found["rounds"], found["blackjacks"], found["doubles"], found["splits"], found["insurance"]) == (
        3,
        1,
        1,
        1,
        1,
    )
    assert (found["resets"], found["power_cuts"]) == (1, 0)
    after = meters(reborn(rig))
    assert after == {**found, "resets": 2}


def test_promise_22_ten_digits_and_then_from_0() -> None:
    rig = Rig()
    rig.deal("10,10,10,7", (25,))
    rig.game.accounts.meters[0] = 9_999_999_960
    rig.game.accounts.open(rig.game.bankrolls())
    rig.press(STAND)
    assert meters(rig)["wagered"] == 5
    assert rig.state()["phase"] == "settled", "the audit knows of the rollover"


def test_promise_22_a_start_with_an_open_round_is_a_power_cut() -> None:
    rig = Rig()
    rig.deal("10,10,10,7", (25,))
    after = reborn(rig)
    assert (meters(after)["power_cuts"], meters(after)["resets"]) == (1, 2)
    assert meters(reborn(after))["power_cuts"] == 2
    assert after.ask("SYST:LOG?").endswith('"power cut: round resumed"}')


def test_promise_22_errors_of_the_protocol_are_counted() -> None:
    rig = Rig()
    rig.run(SECOND)
    for _ in range(5):
        rig.send(b"FOO\n")
    rig.run(20 * SECOND)
    assert meters(rig)["errors"] == 5
    assert meters(reborn(rig))["errors"] == 5


def _cheat(rig: Rig, amount: int) -> None:
    rig.game.last_round.bankrolls[0] += amount


def test_promise_23_accounts_that_do_not_add_up_lock_for_good(monkeypatch: pytest.MonkeyPatch) -> None:
    rig = Rig()
    rig.deal("10,10,10,7", (25,))
    rig.game.accounts.paid_in += 2
    rig.press(STAND)
    _locked(rig, "accounts do not add up")


@pytest.mark.parametrize("amount", [200, -200])
def test_promise_24_so_does_a_jump_larger_than_a_round_can_make(amount: int) -> None:
    rig = Rig()
    rig.deal("10,10,10,7", (25,))
    _cheat(rig, amount)
    rig.press(STAND)
    _locked(rig, "a bankroll jumped")


def _locked(rig: Rig, reason: str) -> None:
    for _ in range(2):
        assert rig.state()["phase"] == "locked"
        assert rig.front.scene.message == reason
        assert rig.ask("SYST:ERR?") == f'-330,"Self-test failed;{reason}"'
        rig.ok("*RST")
        rig.press(HIT)
        assert rig.command("ROUN:DEAL").endswith(f';{reason}"')
        rig = reborn(rig)
    rig.ask("*CLS;*OPC?")
    rig.ok("BENC:CLE", "ROUN:BET 0,5", "ROUN:DEAL")


def test_promise_17_a_lock_survives_power_cycling() -> None:
    rig = Rig()
    rig.rest()
    rig.game.lock("for a reason of its own")
    rig.rest()
    _locked(rig, "for a reason of its own")


def test_promise_25_the_last_rounds_can_be_recalled_on_screen_and_wire() -> None:
    rig = Rig()
    lines = []
    for number in range(14):
        if number:
            rig.ok("ROUN:NEXT")
        rig.ok(f"BENC:SHOE '{number % 9 + 2},10,10,7,10'", "ROUN:DEAL")
        rig.ok("ROUN:ACT 0,S")
        lines.append(rig.ask("TABL:HIST?"))
        if number in (3, 9):
            rig = reborn(rig)
    rig = reborn(rig)
    assert [rig.ask(f"TABL:HIST? {back}") for back in range(12)] == lines[:-13:-1]
    assert rig.command("TABL:HIST? 12").startswith("-221,")
    rig.press(DOUBLE)
    titles = set()
    for _ in range(12):
        titles.add(rig.front.scene.lines[0])
        assert rig.front.scene.lines[1].startswith("Dealer: 10 ")
        rig.press(DOUBLE)
    assert titles == {f"LAST HANDS {number}/12" for number in range(1, 13)}


def test_promise_25_a_round_is_in_the_ring_wherever_the_power_was_cut() -> None:
    rig = Rig()
    rig.ok("BENC:RUL casino", "BENC:SHOE '10,10,10,7'", "ROUN:DEAL")
    rig.rest()
    moments: list[dict[str, bytes]] = []
    save = rig.board.save
    rig.board.save = lambda name, data: (moments.append(dict(rig.board.files)), save(name, data))[1]  # type: ignore
    rig.ok("ROUN:ACT 0,S")
    rig.rest()
    line = rig.ask("TABL:HIST?")
    moments.append(dict(rig.board.files))
    assert len(moments) > 4
    for files in moments[2:]:
        after = Rig(files=files, marked=True)
        after.rest()
        again = reborn(after)
        again.ok("ROUN:NEXT", "BENC:SHOE '10,10,10,7'", "ROUN:DEAL", "ROUN:ACT 0,S")
        again.game.finished._near.clear()
        assert again.ask("TABL:HIST? 1") == line


def test_promise_26_a_ring_of_events_with_start_and_time() -> None:
    rig = Rig()
    for number in range(140):
        rig.run(SECOND)
        rig.game.notes.append(f"test {number}")
        if number % 50 == 0:
            rig.rest()
            rig = reborn(rig)
    rig.rest()
    count = int(rig.ask("SYST:LOG:COUN?"))
    assert count >= 100
    entries = [json.loads(rig.ask(f"SYST:LOG? {back}")) for back in range(count)]
    assert entries[0] == {"start": 4, "seconds": pytest.approx(40, abs=2), "text": "test 139"}
    texts = [entry["text"] for entry in entries]
    assert texts.count("power on, bench") == 2, "the first two are overwritten"
    assert rig.command(f"SYST:LOG? {count}").startswith("-221,")


def test_promise_26_errors_by_the_thousand_are_few_entries() -> None:
    rig = Rig()
    saves = rig.board.saves
    for _ in range(300):
        rig.send(b"FOO\n", 100 * MS)
    rig.run(11 * SECOND)
    assert meters(rig)["errors"] == 300
    entries = [json.loads(rig.ask(f"SYST:LOG? {back}"))["text"] for back in range(int(rig.ask("SYST:LOG:COUN?")))]
    assert 2 <= len([text for text in entries if text.startswith("errors: ")]) <= 6
    assert rig.board.saves - saves < 40


@pytest.mark.parametrize("restarted", [False, True])
def test_promise_22_a_record_that_is_not_stored_is_no_power_cut_and_hides_none(restarted: bool) -> None:
    """The table takes up its last record again, with the round that is open in it; then somebody clears the lock."""
    rig = Rig()
    rig.deal("10,5,2,10,2,2,2,10,10")
    rig.command("NONSENSE")
    rig.rest()
    assert meters(rig)["errors"] == 1
    if restarted:
        # What this start has counted is not in the record yet.
        rig = reborn(rig)
        assert rig.game.unsaved or rig.table.keeper.pending
    counted = meters(rig)
    assert counted["power_cuts"] == restarted
    flash = Flash(rig, 0, 10_000, "old")
    rig.game.act(0, "H")
    rig.table.store()
    assert rig.state()["phase"] == "locked"
    assert meters(rig) == counted
    flash.mend()
    rig.ask("*CLS;*OPC?")
    rig.ok("BENC:CLE")
    rig.rest()
    assert meters(rig) == counted
    assert meters(reborn(rig)) == {**counted, "resets": counted["resets"] + 1}


# -- bench and arcade


def test_promise_34_the_bench_moves_nothing_of_the_others_and_leaving_it_restores_what_was_there() -> None:
    arcade = Rig(mode="arcade")
    deal_by_key(arcade)
    counted = meters(arcade)
    bench = reborn(arcade, mode="bench")
    assert bench.state()["phase"] == "betting"
    bench.ok("BENC:RUL casino", "BENC:BANK 0,40", "BENC:SHOE '10,10,10,7'", "ROUN:DEAL", "ROUN:ACT 0,S")
    assert bench.board.files["a/hot"] == arcade.board.files["a/hot"]
    again = reborn(bench, mode="arcade")
    # But for the open round: whoever was at the bench could have read its cards.
    assert again.state()["phase"] == "betting"
    assert again.state()["bankrolls"] == [1000]
    assert meters(again) == {**counted, "resets": 2, "power_cuts": 1}
    assert reborn(again, mode="bench").state()["bankrolls"] == [45]


def test_a_refusal_changes_no_record() -> None:
    rig = Rig()
    rig.deal("10,10,10,7", (25,))
    rig.rest()
    before = dict(rig.board.files)
    rig.command("ROUN:BET 0,5")
    rig.rest()
    assert rig.board.files == before


def test_promise_26_a_flash_that_fails_once_loses_no_entry() -> None:
    rig = Rig()
    rig.rest()
    save = rig.board.save
    failures = []

    def once(name: str, data: bytes) -> None:
        if not failures:
            failures.append(name)
            raise OSError(5)
        save(name, data)

    rig.board.save = once  # type: ignore[method-assign]
    rig.table.keeper.log.add(1, 0, "of note")
    rig.rest()
    assert failures == ["a/l0"]
    assert "of note" in reborn(rig).ask("SYST:LOG? 1")
