"""`holecard verify`: deals every shoe of a public log again, with the firmware's own modules, and compares.

docs/fairness.md describes the log. The first record that is wrong is named; what comes after it is not looked at.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from holecard.rules.cards import card_text
from holecard.rules.replay import HistoryError, replay
from holecard.rules.ruleset import RuleError, parse_rules, rules_text
from holecard.rules.shoe import Shoe, ShoeEmpty
from holecard.table import fairness
from holecard_host.errors import UsageFault

if TYPE_CHECKING:
    from holecard.rules.round import Round

PROVEN = "proven"
ABANDONED = "abandoned"
OPEN = "not yet revealed"
WRONG = "wrong"


class WrongRecord(Exception):
    """A record that cannot be what the table wrote: its `line` (from 1), its `name`, and why."""

    def __init__(self, line: int, name: str, reason: str) -> None:
        super().__init__(f"line {line}, {name}: {reason}")
        self.line = line
        self.name = name
        self.reason = reason


@dataclass
class ShoeReport:
    """One shoe of the log: how far it got, and what was found."""

    number: int
    line: int
    commitment: str
    rules: str
    rounds: int = 0
    cards: int = 0
    state: str = OPEN


@dataclass
class Report:
    """A whole log: its shoes, the shoe that it goes on from (0: it has the first), and the first wrong record."""

    shoes: list[ShoeReport] = field(default_factory=list)
    after: int = 0
    wrong: WrongRecord | None = None


# A million rounds of one player take less.
_LARGEST = 128 << 20


@dataclass
class _Dealt:
    """A round as it stands in the log."""

    line: int
    name: str
    play: Round


def verify(path: Path) -> Report:
    """The log in this file, checked. Raises UsageFault when there is no log in it."""
    try:
        # Neither a device that never ends nor a pipe that never begins.
        if path.exists() and not path.is_dir() and not path.is_file():
            raise UsageFault(f"{path}: is no file")
        with path.open("rb") as file:
            data = file.read(_LARGEST + 1)
    except OSError as error:
        raise UsageFault(f"{path}: cannot be read: {error.strerror or error}") from None
    if len(data) > _LARGEST:
        raise UsageFault(f"{path}: is no log of a table: larger than {_LARGEST >> 20} MiB")
    if not data:
        raise UsageFault(f"{path}: is empty")
    if data.count(b"\r\n") == data.count(b"\n"):  # saved where lines end so
        data = data.replace(b"\r\n", b"\n")
    lines = data.split(b"\n")
    if lines[0] != fairness.HEADER.encode():
        raise UsageFault(f"{path}: no log of a table: it does not begin with {fairness.HEADER}")
    if lines[1:] in ([], [b""]):
        raise UsageFault(f"{path}: holds no shoe")
    reader = _Reader()
    for number, line in enumerate(lines[1:], 2):
        last = number == len(lines)
        if last and not line:
            break  # every line, also the last one, has its end
        try:
            reader.take(number, line, cut_short=last)
        except WrongRecord as wrong:
            reader.report.wrong = wrong
            if reader.open:
                reader.report.shoes[-1].state = WRONG
            break
    return reader.report


class _Reader:
    """Takes a log line by line; WrongRecord at the first that does not fit."""

    def __init__(self) -> None:
        self.report = Report()
        self._previous = fairness.START
        self._number = 0
        self._commitment = b""
        self._cut: tuple[bytes, bytes] | None = None
        self._rounds: list[_Dealt] = []
        self.open = False
        self._line = 0
        self._name = ""

    def take(self, number: int, line: bytes, cut_short: bool) -> None:
        self._line = number
        self._name = "record"
        if any(byte < 32 or byte > 126 for byte in line):
            raise self._wrong("is not text")
        fields = line.decode("ascii").split(" ")
        steps = {
            "chain": (3, self._chain),
            "commit": (4, self._commit),
            "cut": (4, self._take_cut),
            "round": (10, self._round),
            "reveal": (4, self._reveal),
        }
        if fields[0] not in steps:
            raise self._wrong("is none of " + ", ".join(steps))
        self._name = " ".join(fields[:3] if fields[0] == "round" else fields[:2])[:40]
        size, step = steps[fields[0]]
        if cut_short:
            raise self._wrong("is cut short")
        if len(fields) != size:
            raise self._wrong(f"has {len(fields)} words instead of {size}")
        try:
            step(fairness.parse_count(fields[1]), fields[2:])
        except ValueError as error:
            raise self._wrong(str(error)) from None

    def _wrong(self, reason: str) -> WrongRecord:
        return WrongRecord(self._line, self._name, reason)

    def _chain(self, number: int, words: list[str]) -> None:
        if self._line != 2 or not number:
            raise self._wrong("belongs right after the first line, and has the number of a shoe")
        self.report.after = self._number = number
        self._previous = fairness.parse_hex(words[0], 32, 32)

    def _commit(self, number: int, words: list[str]) -> None:
        if self.open:
            raise self._wrong(f"shoe {self._number} has not been revealed yet")
        if number != self._number + 1:
            raise self._wrong(f"shoe {self._number + 1} should follow")
        try:
            rules = rules_text(parse_rules(words[1]))
        except RuleError as error:
            raise self._wrong(str(error)) from None
        if rules != words[1]:
            raise self._wrong("the rules are not written as the table does")
        self._commitment = fairness.parse_hex(words[0], 32, 32)
        self._number = number
        self.open = True
        self._cut = None
        self._rounds = []
        self.report.shoes.append(ShoeReport(number, self._line, words[0], rules))

    def _take_cut(self, number: int, words: list[str]) -> None:
        self._belongs(number)
        if self._cut is not None:
            raise self._wrong("this shoe has been cut before")
        presses = fairness.parse_hex(words[0], 0, fairness.MOST_PRESSES)
        self._cut = (presses, fairness.parse_hex(words[1], 0, fairness.MOST_HOST))

    def _round(self, number: int, words: list[str]) -> None:
        self._belongs(number)
        if self._cut is None:
            raise self._wrong("this shoe has not been cut")
        if fairness.parse_count(words[0]) != len(self._rounds) + 1:
            raise self._wrong(f"round {len(self._rounds) + 1} should follow")
        if self._rounds and self._rounds[-1].play.phase != "over":
            before = self._rounds[-1]
            raise WrongRecord(before.line, before.name, "is not finished, yet another round follows")
        try:
            play = replay(" ".join(words[1:]))
        except HistoryError as error:
            raise self._wrong(f"column {error.position + len(self._name) + 2}: {error.reason}") from None
        shoe = self.report.shoes[-1]
        if rules_text(play.rules) != shoe.rules:
            raise self._wrong(f"has other rules than line {shoe.line}")
        if play.phase == "void":
            raise self._wrong("ran out of cards, which a shoe does not")
        self._rounds.append(_Dealt(self._line, self._name, play))
        shoe.rounds += 1
        shoe.cards += len(play.drawn)

    def _reveal(self, number: int, words: list[str]) -> None:
        self._belongs(number)
        shoe = self.report.shoes[-1]
        secret = fairness.parse_hex(words[0], 32, 32)
        rounds = fairness.parse_count(words[1])
        if fairness.commitment_of(self._previous, secret) != self._commitment:
            raise self._wrong(f"is not the secret that was promised in line {shoe.line}")
        if self._cut is not None:
            self._deal_again(shoe, secret, *self._cut)
        if rounds != len(self._rounds):
            raise self._wrong(f"says {rounds} rounds, but {len(self._rounds)} are here")
        self._previous = self._commitment
        self.open = False
        finished = bool(self._rounds) and self._rounds[-1].play.phase == "over"
        shoe.state = PROVEN if finished else ABANDONED

    def _belongs(self, number: int) -> None:
        if not self.open:
            raise self._wrong("no shoe is open here")
        if number != self._number:
            raise self._wrong(f"shoe {self._number} is open here")

    def _deal_again(self, report: ShoeReport, secret: bytes, presses: bytes, host: bytes) -> None:
        stream = fairness.shoe_stream(secret, presses, host, report.rules)
        shoe = Shoe(parse_rules(report.rules), stream)
        for index, dealt in enumerate(self._rounds):
            before = shoe.shuffles
            shoe.begin_round()
            if index and shoe.shuffles != before:
                raise WrongRecord(dealt.line, dealt.name, "the cut card was out: it belongs to another shoe")
            fault = _compare(dealt.play, shoe)
            if fault:
                raise WrongRecord(dealt.line, dealt.name, fault)


def _compare(play: Round, shoe: Shoe) -> str:
    """What is wrong with the cards of a round, "" if nothing is."""
    for index, card in enumerate(play.drawn, 1):
        try:
            promised = shoe.draw()
        except ShoeEmpty:
            return f"card {index} comes from an empty shoe"
        if card != promised:
            return f"card {index} is {card_text(card)}, but {card_text(promised)} was promised"
    if shoe.refill_at != play.refill_at:
        return "the discards came back at another card"
    return ""


def as_dict(report: Report) -> dict[str, Any]:
    """The report for `--json`."""
    wrong = report.wrong
    return {
        "ok": wrong is None,
        "after": report.after,
        "shoes": [vars(shoe) for shoe in report.shoes],
        "wrong": {"line": wrong.line, "record": wrong.name, "reason": wrong.reason} if wrong else None,
    }
