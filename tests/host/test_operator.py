"""`holecard operator` and `holecard audit`: key files, orders, tables and JSON."""

from __future__ import annotations

import json
import os
import stat
from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.host.fake import FakeStand
from typer.testing import CliRunner

from holecard_host import operator as orders
from holecard_host.cli import audit as audit_module
from holecard_host.cli import operator as operator_module
from holecard_host.cli.app import app
from holecard_host.errors import ScpiError, UsageFault
from holecard_host.stands import Stand, open_stand


def invoke(*arguments: object):
    return CliRunner().invoke(app, [str(argument) for argument in arguments])


@pytest.fixture
def key_file(tmp_path: Path) -> Path:
    path = tmp_path / "owner.json"
    result = invoke("operator", "new-key", path)
    assert (result.exit_code, result.stderr) == (0, "")
    return path


@pytest.fixture(params=["cpython", "micropython"])
def table(request: pytest.FixtureRequest, key_file: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Stand]:
    """An arcade table with that key, which the commands open however they call it."""
    settings = {**json.loads(key_file.read_text()), "mode": "arcade"}
    with open_stand(f"sim://{request.param}", files={"settings.json": json.dumps(settings).encode()}) as stand:
        kept = type("Kept", (), {"__enter__": lambda _: stand, "__exit__": lambda *_: None})()
        for module in (operator_module, audit_module):
            monkeypatch.setattr(module, "open_stand", lambda url: kept)
        yield stand


def play_a_round(stand: Stand) -> None:
    rounds = stand.wire.ask_record("TABL:METers?")["rounds"]
    stand.press("HIT")
    for _ in range(12):
        stand.wire.ask("*OPC?")
        if stand.wire.ask_record("TABL:METers?")["rounds"] > rounds:
            return
        stand.press("STAND")
    raise AssertionError("no round was played")


def test_a_key_file_is_for_its_owner_only_and_is_never_overwritten(key_file: Path) -> None:
    if os.name == "posix":
        assert stat.S_IMODE(key_file.stat().st_mode) == 0o600
    before = key_file.read_text()
    result = invoke("operator", "new-key", key_file)
    assert result.exit_code == 2
    assert "there already" in result.stderr
    assert key_file.read_text() == before
    secret = json.loads(before)["operator_key"]
    assert secret not in result.stderr + result.stdout
    assert secret not in repr(orders.read_key(key_file))


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="this system has no /dev/full")
def test_a_full_disk_leaves_no_half_key(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path, opening = tmp_path / "owner.json", os.open

    def full(name: Path, *rest: int) -> int:
        os.close(opening(name, *rest))
        return opening("/dev/full", os.O_WRONLY)

    monkeypatch.setattr(orders.os, "open", full)
    result = invoke("operator", "new-key", path)
    assert (result.exit_code, result.stderr) == (74, f"holecard: {path}: No space left on device\n")
    assert not path.exists()


@pytest.mark.parametrize(
    "arguments",
    [
        ("operator", "new-key"),
        ("operator", "new-key", "a", "b"),
        ("operator", "new-key", "/nonexistent/file"),
        ("operator", "new-key", "x.json", "--id", "much-too-long"),
        ("operator", "sim://cpython", "PLAY OFF"),
        ("operator", "sim://cpython", "PLAY OFF", "--key-file", "/nonexistent"),
        ("operator", "sim://cpython", "mode bench", "PLAY OFF", "--key-file", "/nonexistent"),
        ("operator", "gopher://x"),
        ("audit", "gopher://x"),
    ],
)
def test_usage_errors_are_one_line_and_exit_2(arguments: tuple[str, ...], tmp_path: Path) -> None:
    result = invoke(*arguments)
    assert result.exit_code == 2
    assert len(result.stderr.splitlines()) == 1, result.stderr


_KEY = "0123456789abcdef" * 4
_NO_KEYS: dict[str, tuple[bytes, str]] = {
    "empty": (b"", "it is not JSON"),
    "another text": (b"my key", "it is not JSON"),
    "deep": (b"[" * 3000, "it is not JSON"),
    "binary": (b"\xff\xfe\x00key", "it is not text"),
    "a list": (b"[]", "no operator_key"),
    "settings without one": (b'{"mode": "arcade"}', "no operator_key"),
    "too short": (b'{"operator_key": "abc"}', "3 characters instead of 64"),
    "too long": (json.dumps({"operator_key": _KEY + "0"}).encode(), "65 characters instead of 64"),
    "a number": (b'{"operator_key": 5}', "no text instead of 64"),
    "no hex digits": (json.dumps({"operator_key": "x" * 64}).encode(), "other characters than hex"),
    "a bad id": (
        json.dumps({"operator_key": _KEY, "operator_id": "too long a name"}).encode(),
        "operator_id is 1 to 8",
    ),
    "another file": (b" " * 5000, "over 4096 bytes"),
}


@pytest.mark.parametrize("name", _NO_KEYS)
def test_what_is_no_key_is_told_in_one_line_and_not_repeated(name: str, tmp_path: Path) -> None:
    data, words = _NO_KEYS[name]
    path = tmp_path / "key"
    path.write_bytes(data)
    path.chmod(0o600)
    result = invoke("operator", "sim://cpython", "PLAY OFF", "--key-file", path)
    assert result.exit_code == 2
    assert words in result.stderr
    assert "holds no key" in result.stderr
    assert len(result.stderr.splitlines()) == 1
    assert _KEY not in result.stderr
    assert len(data) < 4 or data.decode("latin1") not in result.stderr


@pytest.mark.skipif(os.name != "posix", reason="file modes")
def test_a_key_file_that_cannot_be_one_is_told_in_one_line(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe, 0o600)
    open_to_all = tmp_path / "all"
    open_to_all.write_text("{}")
    open_to_all.chmod(0o640)
    for path, words in (
        (tmp_path / "none", "there is no such key file"),
        (tmp_path, "is a directory"),
        (pipe, "is no key file"),
        (open_to_all, f"chmod 600 {open_to_all}"),
        (tmp_path / "all" / "below", "cannot be read"),
    ):
        result = invoke("operator", "sim://cpython", "PLAY OFF", "--key-file", path)
        assert result.exit_code == 2
        assert words in result.stderr
        assert len(result.stderr.splitlines()) == 1


@pytest.mark.skipif(os.name != "posix", reason="file modes")
def test_a_key_that_others_can_read_is_refused(key_file: Path) -> None:
    key_file.chmod(0o644)
    with pytest.raises(UsageFault, match="others can read"):
        orders.read_key(key_file)


def test_promise_35_the_host_gives_orders_with_its_key(table: Stand, key_file: Path, tmp_path: Path) -> None:
    result = invoke("operator", "x", "RULES casino", "BETS 10,100", "PLAY OFF", "--key-file", key_file)
    assert (result.exit_code, result.stderr) == (0, "")
    assert result.stdout.splitlines() == ["done: RULES casino", "done: BETS 10,100", "done: PLAY OFF"]
    told = json.loads(invoke("operator", "x", "--json").stdout)
    assert (told["rules"], told["bets"], told["play"], told["key"]) == ("casino", [10, 100], False, "owner")
    other = tmp_path / "other.json"
    invoke("operator", "new-key", other)
    result = invoke("operator", "x", "PLAY ON", "--key-file", other)
    assert result.exit_code == 1
    assert "not authenticated" in result.stderr
    assert len(result.stderr.splitlines()) == 1
    result = invoke("operator", "x", "PLAY ON", "--key-file", key_file)
    assert result.exit_code == 1
    assert "wait 2 s" in result.stderr
    table.advance(3_000)
    result = invoke("operator", "x", "PLAY ON", "NONSENSE", "PLAY OFF", "--key-file", key_file)
    assert result.exit_code == 1
    assert result.stdout == "done: PLAY ON\n", "the first refusal ends it"
    assert "NONSENSE: no such order" in result.stderr
    secret = json.loads(key_file.read_text())["operator_key"]
    said = json.dumps(table.wire.ask_json("SYST:HELP:HEAD?")) + result.stdout + result.stderr
    assert secret not in said


def test_another_mode_restarts_the_table(table: Stand, key_file: Path) -> None:
    invoke("operator", "x", "REFILL 0,50", "--key-file", key_file)
    result = invoke("operator", "x", "MODE bench", "--key-file", key_file)
    assert (result.exit_code, result.stdout) == (0, "done: MODE bench\n")
    table.advance(3_000)
    table.wire.sync()
    assert table.wire.ask("SYST:MODE?") == "bench"
    entries = [table.wire.ask_record(f"SYST:LOG? {back}")["text"] for back in range(5)]
    assert "owner: MODE BENCH" in entries
    invoke("operator", "x", "MODE arcade", "--key-file", key_file)
    table.advance(3_000)
    table.wire.sync()
    assert table.wire.ask("SYST:MODE?") == "arcade"
    assert table.wire.ask_record("TABL:AUD?")["bankrolls"] == 1050


def test_audit_shows_everything_twice(table: Stand, key_file: Path) -> None:
    for _ in range(2):
        play_a_round(table)
    invoke("operator", "x", "REFILL 0,50", "--key-file", key_file)
    result = invoke("audit", "x", "--json")
    assert (result.exit_code, result.stderr) == (0, "")
    found = json.loads(result.stdout)
    assert found["ok"] is True
    assert found["mode"] == "arcade"
    assert found["meters"]["rounds"] == len(found["rounds"]) == 2
    assert found["accounts"]["paid_in"] == 1050
    assert found["accounts"]["bankrolls"] == 1050 + sum(one["seats"][0]["net"] for one in found["rounds"])
    assert "owner: REFILL 0,50" in [entry["text"] for entry in found["log"]]
    result = invoke("audit", "x")
    assert result.exit_code == 0
    for word in ("Meters", "wagered", "add up", "Last rounds", "Log, newest first", "owner: REFILL 0,50"):
        assert word in result.stdout, word


def test_audit_of_a_table_of_its_own_says_how_to_keep_one(table: Stand) -> None:
    hint = (
        "sim://cpython is a new table for each command: keep one with `holecard sim --name red`, then it is sim://red"
    )
    assert invoke("audit", "sim://cpython").stdout.splitlines()[-1] == hint
    assert "new table" not in invoke("audit", "sim://cpython", "--json").stdout
    assert "new table" not in invoke("audit", "x").stdout


def test_audit_of_a_locked_table_exits_with_1(monkeypatch: pytest.MonkeyPatch) -> None:
    fake = FakeStand()
    fake.wire.answers.update(
        {
            "*IDN?": "Holecard,Table-pico,1,0",
            "SYST:MODE?": "arcade",
            "TABL:MET?": '{"wagered":7.5,"won":0,"rounds":1}',
            "TABL:AUD?": '{"paid_in":1,"expected":1,"bankrolls":2,"ok":false,"locked":"accounts do not add up"}',
            "TABL:HIST? 0": ScpiError(-221, "Settings conflict;no such round is remembered"),
            "SYST:LOG:COUN?": "1",
            "SYST:LOG? 0": ScpiError(-221, "Settings conflict;no such entry can be read"),
        }
    )
    monkeypatch.setattr(audit_module, "open_stand", lambda url: fake)
    result = invoke("audit", "x")
    assert result.exit_code == 1
    assert "locked: accounts do not add up" in result.stdout
    assert "(cannot be read)" in result.stdout
    assert json.loads(invoke("audit", "x", "--json").stdout)["ok"] is False


def spoil(stand: Stand, *names: str) -> None:
    """These records are gone at the next start."""
    stand.wire.ask("*OPC?")
    stand.cut()
    flash = stand.faults.simulator.flash
    for path in [path for path in flash if path[2:] in names]:
        del flash[path]
    stand.restore()
    stand.wire.sync()


def test_audit_of_accounts_that_cannot_be_read_tells_no_numbers(table: Stand) -> None:
    play_a_round(table)
    spoil(table, "hot")
    result = invoke("audit", "x")
    assert result.exit_code == 1
    assert "Accounts: could not be read" in result.stdout
    assert "The table is locked: the records are gone" in result.stdout
    assert "$" not in result.stdout.replace("new table", "")
    assert "locked: the records are gone" in result.stdout.partition("Log, newest first")[2]
    result = invoke("audit", "x", "--json")
    assert result.exit_code == 1
    found = json.loads(result.stdout)
    assert (found["ok"], found["accounts"]["ok"], found["accounts"]["known"]) == (False, False, False)
    assert found["accounts"]["bankrolls"] is None
    assert set(found["meters"].values()) == {None}


def test_the_state_of_a_locked_table_tells_no_default_for_what_is_lost(table: Stand, key_file: Path) -> None:
    spoil(table, "op")
    result = invoke("operator", "x")
    lines = {line.split()[0]: line for line in result.stdout.splitlines()}
    assert "the record op is gone" in lines["LOCKED"]
    for name in ("play", "limit", "money", "sound"):
        assert "not read" in lines[name]
    assert "sifl" in lines["rules"]
    result = invoke("operator", "x", "LIMIT 50", "--key-file", key_file)
    assert result.exit_code == 1
    assert "give the order CLEAR" in result.stderr
    assert invoke("operator", "x", "CLEAR", "--key-file", key_file).exit_code == 0
    assert "not read" not in invoke("operator", "x").stdout


def test_the_state_is_a_line_for_each_thing_and_names_the_order_that_changes_it(table: Stand) -> None:
    result = invoke("operator", "x")
    assert (result.exit_code, result.stderr) == (0, "")
    assert all(len(line) < 60 for line in result.stdout.splitlines())
    for words in ("on  ", "sifl", "$1 to the bankroll", "none", "free play", "owner", "BETS least,most"):
        assert words in result.stdout


@pytest.mark.parametrize(
    ("order", "reason", "remedy"),
    [
        ("PAYOUT 0,0", "give an amount above $0", ""),
        ("REFILL 0,2000000", "above the bankroll limit", "raise the limit with LIMIT"),
        ("CLEAR", "the table is not locked", "nothing to clear"),
        ("DANCE", "DANCE: no such order", "--help"),
        ("", "no such order", "--help"),
        ("BETS 5", "Missing parameter", ""),
    ],
)
def test_a_refusal_is_the_reason_and_what_to_do_without_the_proof(
    table: Stand, key_file: Path, order: str, reason: str, remedy: str
) -> None:
    result = invoke("operator", "x", order, "--key-file", key_file)
    assert result.exit_code == 1
    assert result.stderr.startswith("holecard: refused: ")
    assert reason in result.stderr
    assert remedy in result.stderr
    assert len(result.stderr.splitlines()) == 1
    for noise in ("OPER", "mac", ",1,"):
        assert noise not in result.stderr
    assert not any(len(word) > 60 for word in result.stderr.split())


@pytest.mark.parametrize("columns", [40, 80, 200])
def test_audit_fits_the_terminal_and_breaks_no_card(
    table: Stand, key_file: Path, columns: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    invoke("operator", "x", "RULES casino", "SEATS 3", "--key-file", key_file)
    table.press("HIT")
    table.press("HIT")
    play_a_round(table)
    monkeypatch.setenv("COLUMNS", str(columns))
    result = invoke("audit", "x")
    lines = result.stdout.splitlines()
    assert max(map(len, lines)) <= columns
    found = json.loads(invoke("audit", "x", "--json").stdout)
    for seat in found["rounds"][0]["seats"]:
        for hand in seat["hands"]:
            cards = " ".join(hand["cards"]).replace("T", "10")
            assert any(cards in line for line in lines), (cards, lines)
    meters = next(line for line in lines if line.startswith("wagered"))
    assert meters.endswith("$3") or "$" in meters


def test_orders_that_could_leave_their_quotes_are_refused() -> None:
    for command in ('PLAY ON";*RST;"', "PLAY\nON", "PLAY \u2028 ON"):
        with pytest.raises(UsageFault):
            orders.order(FakeStand().wire, orders.Key("x", bytes(32)), command)  # type: ignore[arg-type]
