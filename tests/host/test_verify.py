"""`holecard verify`: accepts what a table writes, names the first record that somebody has changed."""

from __future__ import annotations

import json
import os
from binascii import crc32
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.table.core_chance import log_lines
from typer.testing import CliRunner

from holecard.rules.ruleset import CASINO, SIFL
from holecard_host import verify as log
from holecard_host.cli.app import app
from holecard_host.errors import UsageFault

LINES = log_lines(1, 3)  # three rounds a shoe
TEXT = "\n".join(LINES) + "\n"


@pytest.fixture(scope="module")
def folder(tmp_path_factory) -> Path:
    return tmp_path_factory.mktemp("logs")


def check(folder: Path, text: str | bytes) -> log.Report:
    path = folder / "log"
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return log.verify(path)


def check_lines(folder: Path, lines: list[str]) -> log.Report:
    return check(folder, "\n".join(lines) + "\n")


def run(*arguments: str) -> tuple[int, str, str]:
    done = CliRunner().invoke(app, ["verify", *arguments])
    return done.exit_code, done.stdout, done.stderr


def with_crc(history: list[str]) -> str:
    body = " ".join(history[:-1]) + " "
    return f"{body}{crc32(body.encode()):08X}"


def changed_digit(word: str, at: int) -> str:
    return word[:at] + ("0" if word[at] != "0" else "1") + word[at + 1 :]


# -- good logs


@pytest.mark.parametrize("seed", range(5))
@pytest.mark.parametrize(("rules", "rounds"), [(CASINO, 4), (SIFL, 1), (CASINO.replace(cut_percent=95), 30)])
def test_promise_43_a_good_log_is_accepted(folder, seed, rules, rounds):
    report = check_lines(folder, log_lines(seed, 3, rules, rounds))
    assert report.wrong is None
    assert [(shoe.number, shoe.rounds, shoe.state) for shoe in report.shoes] == [
        (number, rounds, log.PROVEN) for number in (1, 2, 3)
    ]
    assert all(shoe.cards >= 4 * rounds for shoe in report.shoes)


def test_promise_44_an_abandoned_shoe_is_reported(folder):
    for seed in range(8):
        report = check_lines(folder, log_lines(seed, 3, abandon=2))
        assert report.wrong is None
        assert [shoe.state for shoe in report.shoes] in (
            [log.PROVEN, log.ABANDONED, log.PROVEN],
            [log.PROVEN] * 3,  # the dealer had a blackjack
        )


def test_a_log_may_begin_in_the_middle(folder):
    first = LINES.index(next(line for line in LINES if line.startswith("commit 2")))
    commitment = LINES[1].split()[2]
    report = check_lines(folder, [LINES[0], f"chain 1 {commitment}", *LINES[first:]])
    assert (report.wrong, report.after, len(report.shoes)) == (None, 1, 2)
    report = check_lines(folder, [LINES[0], f"chain 1 {changed_digit(commitment, 5)}", *LINES[first:]])
    assert report.wrong is not None
    assert report.wrong.name == "reveal 2"


def test_line_ends_of_another_system_do_no_harm(folder):
    assert check(folder, TEXT.replace("\n", "\r\n")).wrong is None


# -- every record changed, removed, repeated, moved


RECORDS = range(1, len(LINES))


def wrong_of(folder: Path, lines: list[str]) -> log.WrongRecord:
    report = check_lines(folder, lines)
    assert report.wrong is not None
    return report.wrong


@pytest.mark.parametrize("at", RECORDS)
def test_promise_43_a_changed_record_is_named(folder, at):
    """Each word of each record in turn, the check sum of a history made right again."""
    words = LINES[at].split(" ")
    kind = words[0]
    shoe_ends = next(index for index in range(at, len(LINES)) if LINES[index].startswith("reveal"))
    for index, word in enumerate(words):
        for position in {0, len(word) // 2, len(word) - 1}:
            changed = [*words]
            changed[index] = changed_digit(word, position)
            lines = [*LINES[:at], " ".join(changed), *LINES[at + 1 :]]
            wrong = wrong_of(folder, lines)
            named = wrong.line - 1
            if kind == "commit" and index == 2:
                assert named == shoe_ends, "the secret and the promise do not fit"
                assert f"line {at + 1}" in wrong.reason
            elif kind == "cut" and index > 1:
                # A part that is longer or shorter than it may be, or no number, is seen at once.
                assert named == at or LINES[named].startswith("round")
            elif kind == "commit" and index == 3:
                assert named == at
            else:
                assert named == at, wrong


@pytest.mark.parametrize("at", [at for at in RECORDS if LINES[at].startswith("round")])
def test_promise_43_every_changed_card_of_every_round_is_named(folder, at):
    words = LINES[at].split(" ")
    cards = words[7]
    for position in range(0, len(cards), 2):
        other = "2s" if cards[position : position + 2] != "2s" else "3s"
        history = [*words[3:7], cards[:position] + other + cards[position + 2 :], *words[8:]]
        lines = [*LINES[:at], " ".join(words[:3]) + " " + with_crc(history), *LINES[at + 1 :]]
        wrong = wrong_of(folder, lines)
        assert wrong.line == at + 1
        # Another card may also make the rest of the round impossible, or leave it open.
        card = f"card {position // 2 + 1} is {other}"
        assert wrong.reason.startswith(("column", "is not finished", card))


@pytest.mark.parametrize("at", RECORDS)
def test_promise_43_a_removed_record_is_noticed(folder, at):
    lines = [*LINES[:at], *LINES[at + 1 :]]
    if at == len(LINES) - 1:
        report = check_lines(folder, lines)
        assert report.wrong is None
        assert report.shoes[-1].state == log.OPEN
        return
    assert at + 1 <= wrong_of(folder, lines).line <= at + 2


@pytest.mark.parametrize("at", RECORDS)
def test_promise_43_a_repeated_record_is_named(folder, at):
    assert wrong_of(folder, [*LINES[: at + 1], *LINES[at:]]).line == at + 2


@pytest.mark.parametrize("at", RECORDS)
def test_promise_43_moved_records_are_noticed(folder, at):
    for to in RECORDS:
        if to not in (at, at + 1):
            rest = [*LINES[:at], *LINES[at + 1 :]]
            lines = [*rest[:to], LINES[at], *rest[to:]]
            if lines != LINES:
                assert wrong_of(folder, lines).line - 1 >= min(at, to)


def test_promise_43_shoes_in_another_order_are_noticed(folder):
    size = (len(LINES) - 1) // 3
    first, second, third = (LINES[1 + size * shoe : 1 + size * (shoe + 1)] for shoe in range(3))
    for mixed in (second + first + third, first + third + second, first + third, first + first, first + second + first):
        assert check_lines(folder, [LINES[0], *mixed]).wrong is not None


def test_promise_43_a_shoe_of_another_table_is_noticed(folder):
    size = (len(LINES) - 1) // 3
    other = log_lines(9, 3)
    lines = [*LINES[: 1 + size], *other[1 + size : 1 + 2 * size], *LINES[1 + 2 * size :]]
    assert wrong_of(folder, lines).name == "reveal 2"


def test_promise_43_a_round_that_was_dealt_past_the_cut_card(folder):
    report = check_lines(folder, log_lines(1, 1, SIFL, rounds=2))
    assert report.wrong is not None
    assert "cut card" in report.wrong.reason


# -- cut short, garbage


def test_promise_43_a_log_that_is_cut_short_anywhere(folder):
    for size in range(len(LINES[0]) + 2, len(TEXT)):
        report = check(folder, TEXT[:size])
        if TEXT[size - 1] == "\n":
            assert report.wrong is None
            revealed = [shoe for shoe in report.shoes if shoe.state != log.OPEN]
            assert len(revealed) == TEXT[:size].count("reveal ")
        else:
            assert report.wrong is not None
            assert report.wrong.line == TEXT[:size].count("\n") + 1


@pytest.mark.parametrize("garbage", [b"\n", b"x", b"x\n", b" \n", b"\0\n", b"\xff\xfe\n", b"reveal\n", b"commit 4\n"])
def test_promise_43_garbage_at_the_end_or_between(folder, garbage):
    report = check(folder, TEXT.encode() + garbage)
    assert report.wrong is not None
    assert report.wrong.line == len(LINES) + 1
    for at in RECORDS:
        head = "\n".join(LINES[:at]) + "\n"
        report = check(folder, head.encode() + garbage + TEXT[len(head) :].encode())
        assert report.wrong is not None
        assert report.wrong.line == at + 1


@given(at=st.integers(len(LINES[0]) + 1, len(TEXT) - 1), bits=st.integers(1, 255))
def test_promise_43_a_flipped_byte_is_noticed(folder, at, bits):
    data = bytearray(TEXT.encode())
    data[at] ^= bits
    report = check(folder, bytes(data))
    assert report.wrong is not None
    assert report.wrong.line >= TEXT[:at].count("\n") + 1


@given(st.binary(max_size=300))
def test_any_bytes_are_answered(folder, data):
    try:
        assert check(folder, b"HCL1\n" + data).wrong is not None
    except UsageFault:
        assert not data


# -- the command


def test_the_command_says_what_it_found(folder):
    path = folder / "good"
    path.write_text(TEXT)
    code, out, _ = run(str(path))
    assert code == 0
    assert "shoe 3, casino: 3 rounds" in out
    assert "each is the one that was promised" in out
    code, out, _ = run("--json", str(path))
    found = json.loads(out)
    assert (code, found["ok"], found["wrong"], len(found["shoes"])) == (0, True, None, 3)


def test_a_log_without_a_revealed_shoe_proves_nothing_and_says_so(folder):
    path = folder / "first"
    reveal = next(number for number, line in enumerate(LINES) if line.startswith("reveal"))
    path.write_text("\n".join(LINES[:reveal]) + "\n")
    code, out, _ = run(str(path))
    assert (code, "Nothing is proven yet" in out, "promised" in out) == (0, True, False)


def test_the_command_tells_of_an_open_shoe(folder):
    path = folder / "open"
    path.write_text("\n".join(LINES[:-1]) + "\n")
    code, out, _ = run(str(path))
    assert code == 0
    assert out.count("not yet revealed") == 2
    assert json.loads(run("--json", str(path))[1])["shoes"][-1]["state"] == "not yet revealed"


def test_the_command_names_the_wrong_record(folder):
    path = folder / "wrong"
    words = LINES[-1].split(" ")
    words[2] = changed_digit(words[2], 0)
    path.write_text("\n".join([*LINES[:-1], " ".join(words)]) + "\n")
    code, out, _ = run(str(path))
    assert code == 1
    assert f"WRONG: line {len(LINES)}, reveal 3: is not the secret that was promised" in out
    code, out, _ = run("--json", str(path))
    found = json.loads(out)
    assert (code, found["wrong"]["line"], found["wrong"]["record"]) == (1, len(LINES), "reveal 3")
    assert [shoe["state"] for shoe in found["shoes"]] == ["proven", "proven", "wrong"]
    path.write_text(TEXT + "garbage\n")
    code, out, _ = run("--json", str(path))
    assert (code, [shoe["state"] for shoe in json.loads(out)["shoes"]]) == (1, ["proven"] * 3)


def test_promise_41_a_commitment_that_was_seen_must_be_in_the_log(folder):
    path = folder / "seen"
    path.write_text(TEXT)
    seen = LINES[1].split(" ")[2]
    assert run(str(path), "--seen", seen, "--seen", seen[:8].upper())[0] == 0
    code, out, _ = run(str(path), "--seen", "0123456789")
    assert code == 1
    assert "0123456789 that you saw is not in this log" in out
    assert json.loads(run(str(path), "--seen", "0123456789", "--json")[1])["missing"] == ["0123456789"]
    for bad in ("0123456", "wxyzwxyz"):
        assert run(str(path), "--seen", bad)[0] == 2


@pytest.mark.parametrize("data", [b"", b"\0\1\2", b"HCL2\n", b"HCL1", b"HCL1\n", b"{}\n"])
def test_what_is_no_log_is_said_to_be_none(folder, data):
    path = folder / "none"
    path.write_bytes(data)
    code, out, _ = run(str(path))
    assert (code, out) == (2, "")


def test_a_file_that_cannot_be_read(folder):
    assert run(str(folder / "missing"))[0] == 2
    assert run(str(folder))[0] == 2


@pytest.mark.skipif(not Path("/dev/zero").exists(), reason="no such device here")
def test_what_never_ends_or_never_begins_is_no_log(folder, monkeypatch):
    pipe = folder / "pipe"
    os.mkfifo(pipe)
    for path in (Path("/dev/zero"), pipe):
        code, _, err = run(str(path))
        assert (code, err.count("\n")) == (2, 1)
        assert "is no file" in err
    monkeypatch.setattr(log, "_LARGEST", 10)
    large = folder / "large"
    large.write_text("\n".join(LINES) + "\n")
    code, _, err = run(str(large))
    assert (code, "larger than" in err) == (2, True)
