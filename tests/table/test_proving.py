"""The proof at the table itself: promised on panel and wire before bets, cut by fingers and host, told at the end."""

from __future__ import annotations

import json
from binascii import b2a_base64
from pathlib import Path
from typing import Any

import pytest
from tests.table.rig import MS, Rig

from holecard.rules.ruleset import PRESETS
from holecard.table.fairness import START, commitment_of
from holecard.table.journal import seal, unseal
from holecard.table.keys import BET, HIT, STAND
from holecard_host import verify as checker


def shoe(rig: Rig) -> dict[str, Any]:
    return json.loads(rig.ask("FAIR:SHOE?"))


def play(rig: Rig) -> None:
    """A round by the keys, from the bets or from a settled round: everybody stands."""
    rig.press(HIT)
    while rig.game.in_round:
        rig.press(STAND)


class Follower:
    """Writes a public log as a host does that asks now and then."""

    def __init__(self, rig: Rig) -> None:
        self.rig = rig
        self.lines: list[str] = []
        self.follow()

    def follow(self) -> None:
        told = json.loads(self.rig.ask("FAIR:LOG?"))
        if not self.lines:
            self.lines = told[:2] if told[1].startswith("chain") else told[:1]
        rounds = []
        for back in range(shoe(self.rig)["recalled"]):
            line = self.rig.ask(f"FAIR:ROUN? {back};:SYST:ERR?")
            if line.startswith("round"):
                rounds.append(line.partition(";")[0])
        news = [
            line for line in [*told, *reversed(rounds)] if line not in self.lines and line[:5] not in ("HCL1", "chain")
        ]
        order = {"commit": 0, "cut": 1, "round": 2, "reveal": 3}
        self.lines += sorted(news, key=lambda line: (int(line.split()[1]), order[line.split()[0]]))

    def report(self, folder: Path) -> checker.Report:
        path = folder / "log"
        path.write_text("\n".join(self.lines) + "\n")
        return checker.verify(path)


@pytest.mark.parametrize("rules", ["sifl", "casino"])
def test_promise_41_the_promise_is_on_panel_and_wire_before_bets(rules: str) -> None:
    rig = Rig()
    rig.ok(f"BENC:RUL {rules}")
    said = shoe(rig)
    assert (said["state"], said["rounds"]) == ("committed", 0)
    assert rig.front.scene.seal == "#" + said["commitment"][:8].upper()
    assert f"commit {said['shoe']} {said['commitment']} {rules}" in json.loads(rig.ask("FAIR:LOG?"))
    play(rig)
    after = shoe(rig)
    # A casino shoe goes on; the next bet of the other game may be one press away, and its shoe is promised.
    assert (after["state"], after["shoe"] - said["shoe"]) == (("dealing", 0) if rules == "casino" else ("committed", 1))
    assert rig.front.scene.seal == ("" if rules == "casino" else "#" + after["commitment"][:8].upper())


def test_promise_41_each_step_is_an_event() -> None:
    rig = Rig()
    rig.ok("SYST:COMM:EVEN ON")
    play(rig)
    rig.lines()
    events = [json.loads(line.split(" ", 3)[3]) for line in rig.events]
    steps = [event for event in events if event["event"] in ("commit", "cut", "deal", "settled", "reveal")]
    assert [event["event"] for event in steps] == ["commit", "cut", "deal", "settled", "reveal", "commit"]
    assert [event["shoe"] for event in steps if "shoe" in event] == [1, 1, 1, 2]
    assert steps[0]["commitment"] == commitment_of(START, bytes.fromhex(steps[4]["secret"])).hex()
    assert steps[5]["commitment"] == shoe(rig)["commitment"]


def dealt(rig: Rig) -> list[str]:
    return json.loads(rig.ask("TABL:DEAL?"))["seats"][0]["hands"][0]["cards"] + [
        line for line in json.loads(rig.ask("FAIR:LOG?")) if line.startswith("cut")
    ]


def test_promise_05_same_presses_other_timing_other_shoe() -> None:
    """And promise 42: nothing but the moments differs, by a few thousandths of a second."""
    shoes = []
    for pause in (50, 50, 55, 60):
        rig = Rig()
        rig.press(BET)
        rig.run(pause * MS)
        rig.press(HIT)
        shoes.append(dealt(rig))
    assert shoes[0] == shoes[1]
    assert len({str(one) for one in shoes}) == 3


def test_promise_42_the_host_cuts_too_but_only_once_the_promise_is_out() -> None:
    shoes = []
    for extra in ("", "00", "01", "ffffffffffffffffffffffffffffffff"):
        rig = Rig(mode="arcade")
        if extra:
            rig.ok(f'FAIR:CUT "{extra}"')
            assert shoe(rig)["host"] == extra
        play(rig)
        told = json.loads(rig.ask("FAIR:LOG?"))
        assert [line.split()[3] for line in told if line.startswith("cut 1 ")] == [extra or "-"]
        shoes.append(rig.ask("TABL:HIST?"))
        assert shoe(rig)["host"] == "-", "it counts once"
    assert len(set(shoes)) == len(shoes)


def test_promise_09_what_a_host_adds_is_checked_and_comes_in_time() -> None:
    rig = Rig()
    for wrong in ("", "0", "xy", "00" * 17, "-"):
        assert rig.command(f'FAIR:CUT "{wrong}"') == '-224,"Illegal parameter value;1 to 16 bytes in hex"', wrong
    rig.ok("BENC:RUL casino", "ROUN:BET 0,10", "ROUN:DEAL")
    assert rig.command('FAIR:CUT "00"') == '-221,"Settings conflict;the shoe has been cut"'
    rig.ok("*RST", 'BENC:SEED "00"')
    assert rig.command('FAIR:CUT "00"') == '-221,"Settings conflict;the bench has chosen the shoe"'


@pytest.mark.parametrize(("rules", "rounds"), [("sifl", 9), ("casino", 16)])
def test_promise_43_holecard_verify_accepts_what_a_table_tells(tmp_path: Path, rules: str, rounds: int) -> None:
    """By keys; a shoe of one deck and a cut card at 60% lasts a few rounds. The power fails here and there."""
    rig = Rig()
    rig.ok(f"BENC:RUL {rules}", "DISP:ANIM OFF")
    if rules == "casino":
        rig.ok("BENC:RUL:SET max_seats,1", "BENC:RUL:SET decks,1", "BENC:RUL:SET cut_percent,60")
    log = Follower(rig)
    for number in range(rounds):
        if number % 4 == 1:
            rig.ok(f'FAIR:CUT "{number:02x}"') if rig.game.shoes.uncut else None
        rig.press(HIT)
        if number % 3 == 2:
            rig = log.rig = Rig(files=rig.board.files, marked=True)
            rig.ok("DISP:ANIM OFF")
        while rig.game.in_round:
            rig.press(STAND)
        if number % 5 == 4:
            rig = log.rig = Rig(files=rig.board.files, marked=True)
            rig.ok("DISP:ANIM OFF")
        log.follow()
    report = log.report(tmp_path)
    assert report.wrong is None, "\n".join(log.lines)
    played = [one for one in report.shoes if one.rounds]
    assert len(played) > 2
    assert sum(one.rounds for one in played) == rounds
    assert {one.state for one in played[:-1]} == {checker.PROVEN}


def test_promise_43_rounds_that_were_stacked_are_no_part_of_it(tmp_path: Path) -> None:
    rig = Rig()
    rig.ok("BENC:RUL casino", "ROUN:BET 0,10")
    log = Follower(rig)
    for _ in range(3):
        play(rig)
        log.follow()
        rig.press(BET)
        rig.ok('BENC:SHOE "10,10,10,7"')
        play(rig)
        assert rig.command("FAIR:ROUN? 0") == '-221,"Settings conflict;the cards of that round were stacked"'
    rig.press(BET)
    rig.ok('BENC:SEED "00"')
    log.follow()
    report = log.report(tmp_path)
    assert report.wrong is None, "\n".join(log.lines)
    assert [(one.rounds, one.state) for one in report.shoes[-2:]] == [(3, checker.PROVEN), (0, checker.OPEN)]


@pytest.mark.parametrize("how", ["*RST", "BENC:RUL casino", 'BENC:SEED "00"', "BENC:CLE"])
@pytest.mark.parametrize("when", ["committed", "in a round", "between rounds"])
def test_promise_44_a_shoe_that_is_given_up_is_told(tmp_path: Path, how: str, when: str) -> None:
    rig = Rig()
    rig.ok("BENC:RUL casino", "ROUN:BET 0,10")
    if when == "committed":
        rig.ok('FAIR:CUT "07"')
    log = Follower(rig)
    if when != "committed":
        while True:
            play(rig)
            log.follow()
            if when == "between rounds":
                break
            rig.press(HIT)
            if rig.game.in_round:
                break
            log.follow()
    if when == "in a round" and "SEED" in how:
        assert rig.command(how).startswith("-221")
        return
    before = shoe(rig)
    rig.ok(how)
    after = shoe(rig)
    kept = when == "committed" and how in ("*RST", "BENC:RUL casino")
    assert after["shoe"] == before["shoe"] + (not kept)
    log.follow()
    report = log.report(tmp_path)
    assert report.wrong is None, "\n".join(log.lines)
    if not kept:
        assert report.shoes[-2].state == (checker.PROVEN if when == "between rounds" else checker.ABANDONED)


def test_promise_44_the_end_of_a_shoe_is_still_told_after_a_power_cut() -> None:
    rig = Rig()
    play(rig)
    told = json.loads(rig.ask("FAIR:LOG?"))
    assert [line.split()[0] for line in told] == ["HCL1", "commit", "cut", "reveal", "commit"]
    after = Rig(files=rig.board.files, marked=True)
    assert json.loads(after.ask("FAIR:LOG?")) == told
    assert after.ask("FAIR:ROUN?") == rig.ask("FAIR:ROUN?")


def test_promise_44_a_round_that_ended_with_its_shoe_is_still_told_after_a_power_cut() -> None:
    rig = Rig()
    rig.ok("BENC:RUL casino", "ROUN:BET 0,10")
    rig.press(HIT)
    while not rig.game.in_round:
        rig.press(HIT)
    rig.ok("BENC:RUL casino")
    told = json.loads(rig.ask("FAIR:LOG?"))
    assert [line.split()[0] for line in told if line[:5] not in ("HCL1", "chain")][-3:] == ["round", "reveal", "commit"]
    after = Rig(files=rig.board.files, marked=True)
    assert json.loads(after.ask("FAIR:LOG?")) == told


def stuck(count: int) -> bytes:
    return b"\x55" * count


def test_promise_03_no_start_of_a_table_repeats_a_shoe() -> None:
    """A source that is stuck, the same chip, the same keys: what is stored is all that differs."""
    files: dict[str, bytes] = {}
    seen = set()
    for _ in range(60):
        rig = Rig(entropy=stuck, files=files, marked=bool(files))
        rig.ok("*CLS", "*RST")
        rig.rest()
        seen.add(rig.game.shoes.fair.current.secret)
        rig.game.shoes.abandon(None)
        rig.game.promise()
        seen.add(rig.game.shoes.fair.current.secret)
        rig.table.keeper.store()
        files = rig.board.files
    assert len(seen) > 60
    assert unseal(files["a/boot"])[0] == 60


def test_promise_04_the_seeds_successor_is_stored_before_anything_comes_of_it() -> None:
    """The power goes before each save of two starts: no secret is ever seen under two different records."""
    first = Rig(entropy=stuck)
    first.rest()
    files = dict(first.board.files)
    states = []
    for cut_at in range(12):
        rig = Rig(entropy=stuck, files=dict(files), marked=True)
        saved = []
        save = rig.board.save

        def watched(name: str, data: bytes, saved=saved, save=save, cut_at=cut_at) -> None:
            if len(saved) == cut_at:
                raise KeyboardInterrupt
            saved.append(name)
            save(name, data)

        rig.board.save = watched  # type: ignore[method-assign]
        rig.game.shoes.abandon(None)
        seed = unseal(rig.board.files["a/boot"])[1]
        try:
            rig.game.promise()
            rig.rest()
        except KeyboardInterrupt:
            pass
        current = rig.game.shoes.fair.current
        if current:
            assert unseal(rig.board.files["a/boot"])[1] != seed
            assert unseal(rig.board.files["b/boot"])[1] != seed
        states.append(current is not None)
    assert states[0] is False
    assert states[-1] is True


def dealt_to_the_end() -> Rig:
    """A table whose open round, from its own shoe, was over with its deal, and nobody has been told."""
    for seed in range(200):
        rig = Rig(seed=b"%d" % seed)
        rig.ok("*CLS")
        rig.rest()
        rig.board.rx += b"ROUN:DEAL\n"
        while not rig.game.dealing:
            rig.step()
        if rig.game.last_round.phase == "over":
            return rig
    raise AssertionError("no blackjack in 200 deals")


def test_promise_04_a_start_that_ends_a_round_takes_its_secrets_from_the_stored_seed() -> None:
    rig = dealt_to_the_end()
    files = dict(rig.board.files)
    begun = unseal(files["a/boot"])
    after = Rig(files=files, marked=True, entropy=stuck)
    assert after.game.phase == "settled"
    assert after.game.shoes.uncut
    number, body = unseal(after.board.files["a/boot"])
    assert number == begun[0] + 1
    assert body.split(" ")[2] == "b"
    assert int(body.split(" ")[0]) >= int(begun[1].split(" ")[0])
    # With a source that is stuck the stored seed is all that can make another secret.
    for name in ("a/boot", "b/boot"):
        files[name] = seal(begun[0], begun[1].replace(begun[1].split(" ")[1], b2a_base64(bytes(32)).decode().strip()))
    other = Rig(files=files, marked=True, entropy=stuck)
    saved = [table.game.shoes.fair.current.secret for table in (after, other)]
    assert saved[0] != saved[1]


def test_promise_10_real_play_ends_with_its_source_and_comes_back_with_it() -> None:
    broken = False

    def source(count: int) -> bytes:
        return stuck(count) if broken else good.board.entropy(count)

    good = Rig()
    rig = Rig(mode="arcade", entropy=source)
    play(rig)
    bankroll = rig.state()["bankrolls"]
    broken = True
    for _ in range(3):
        if rig.game.phase != "locked":
            play(rig)
            bankroll = rig.state()["bankrolls"]
    assert rig.game.phase == "locked"
    assert rig.game.message == "ENTROPY: the source is stuck"
    # Not in the middle of a round, and power is no way out.
    assert not rig.game.in_round
    again = Rig(mode="arcade", entropy=source, files=rig.board.files, marked=True)
    again.rest()
    assert again.game.phase == "locked"
    again.table.clear_record()
    assert again.game.phase == "locked", "the source is still stuck"
    broken = False
    again.table.clear_record()
    assert again.game.phase == "betting"
    assert again.state()["bankrolls"] == bankroll
    assert again.game.shoes.uncut


def test_promise_17_a_source_that_fails_between_two_rounds_keeps_its_lock() -> None:
    """Nothing but the lock has changed since the table's record was written; and the source may look well again."""
    rig = Rig(mode="arcade", entropy=stuck)
    rig.rest()
    assert (rig.game.phase, rig.game.message) == ("locked", "ENTROPY: the source is stuck")
    again = Rig(mode="arcade", files=rig.board.files, marked=True)
    again.rest()
    assert (again.game.phase, again.game.message) == ("locked", "ENTROPY: the source is stuck")
    again.table.clear_record()
    assert again.game.phase == "betting"


def test_promise_10_a_source_that_fails_while_a_round_is_open_locks_at_its_end() -> None:
    """A shoe of six decks would go on for long."""
    good = Rig()
    broken = False
    rig = Rig(mode="arcade", entropy=lambda count: stuck(count) if broken else good.board.entropy(count))
    rig.game.start_over(PRESETS["casino"], 1)
    rig.rest()
    broken = True
    while not rig.game.in_round:
        rig.press(HIT)
    rig.table.keeper.chance.secret(b"")
    rig.rest()
    assert rig.table.keeper.chance.fault == "is stuck"
    assert rig.game.phase != "locked"
    while rig.game.in_round:
        rig.press(STAND)
    assert (rig.game.phase, rig.game.message) == ("locked", "ENTROPY: the source is stuck")


def test_promise_10_a_good_source_is_asked_again_and_again_without_a_false_alarm() -> None:
    rig = Rig(mode="arcade")
    for _ in range(40):
        rig.game.shoes.abandon(None)
        rig.game.promise()
    assert rig.game.phase == "betting"
    assert rig.table.keeper.healthy()
