"""The grammar of the wire and the status registers."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from holecard.table.lines import LINE_LIMIT, LineReader
from holecard.table.scpi import number, parse, units
from holecard.table.status import CME, DDE, EXE, PON, QYE, ScpiError, Status


def lines(data: bytes, reader: LineReader | None = None, chunk: int = 64) -> list[str]:
    reader = reader or LineReader()
    found = []
    for start in range(0, len(data), chunk):
        piece = data[start : start + chunk]
        at = 0
        while at < len(piece):
            at = reader.feed(piece, at, len(piece))
            if reader.overrun:
                found.append("<overrun>")
            if reader.line is not None:
                found.append(reader.line)
    return found


@pytest.mark.fault(14)
@pytest.mark.parametrize("end", [b"\n", b"\r", b"\r\n", b"\n\r", b"\n\n\r\r"])
@pytest.mark.parametrize("chunk", [1, 3, 64])
def test_fault_14_every_line_ending(end: bytes, chunk: int) -> None:
    assert lines(b"*IDN?" + end + b"SYST:ERR?" + end, chunk=chunk) == ["*IDN?", "SYST:ERR?"]


@pytest.mark.fault(13)
def test_fault_13_half_a_line_waits() -> None:
    reader = LineReader()
    assert lines(b"*ID", reader) == []
    assert lines(b"N?\n", reader) == ["*IDN?"]


def test_cancel_takes_back_what_came_of_a_line() -> None:
    reader = LineReader()
    assert lines(b"ROUN:BET 0,10\x18*IDN?\n", reader) == ["*IDN?"]
    assert lines(b"x" * 300 + b"\x18*CLS\n\x18\n", reader) == ["*CLS"]
    assert not reader.overrun


def test_the_longest_line_and_one_more() -> None:
    assert lines(b"A" * 256 + b"\n") == ["A" * 256]
    assert lines(b"A" * 257 + b"\n*IDN?\n") == ["<overrun>", "*IDN?"]
    assert lines(b"A" * 5000 + b"\r\n*IDN?\r\n") == ["<overrun>", "*IDN?"]


@given(st.binary(max_size=800), st.integers(1, 64))
@settings(max_examples=200, deadline=None)
def test_any_bytes_then_a_line_end_and_the_next_line_is_whole(noise: bytes, chunk: int) -> None:
    assert lines(noise + b"\n*IDN?\n", chunk=chunk)[-1] == "*IDN?"


@given(st.text(st.characters(min_codepoint=32, max_codepoint=127), max_size=80))
@settings(max_examples=300)
def test_any_text_parses_or_names_its_fault(text: str) -> None:
    for unit in units(text):
        try:
            parsed = parse(unit, ["SYST"])
        except ScpiError as error:
            assert -199 <= error.code <= -100
        else:
            assert all(parsed.nodes)


def test_units_split_outside_quotes() -> None:
    assert units("A;B \"x;y\";;C 'p;q' ; ") == ["A", 'B "x;y"', "C 'p;q'"]
    assert units('A "open;:SYST:ERR?') == ['A "open', ":SYST:ERR?"]


def test_header_paths() -> None:
    assert parse("err:coun?", ["SYST"]).nodes == ["SYST", "ERR", "COUN"]
    assert parse(":tabl:stat?", ["SYST"]).nodes == ["TABL", "STAT"]
    assert parse("*idn?", ["SYST"]).nodes == ["*IDN"]
    assert parse("*idn?", ["SYST"]).query


def test_arguments() -> None:
    unit = parse("""A 1 , "it ""is""; x" ,'it''s', word""", [])
    assert unit.args == [("n", "1"), ("s", 'it "is"; x'), ("s", "it's"), ("w", "word")]


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("A::B", -102),
        (":", -102),
        ("*", -102),
        ("1A", -102),
        ("A!", -102),
        ("ABCDEFGHIJKLM", -112),
        ("A\x7f", -101),
        ('A "x', -151),
        ('A "x"y', -103),
        ("A 1,", -109),
        ("A ,1", -109),
        ("A #13abc", -168),
        ("A b!", -141),
    ],
)
def test_faults(text: str, code: int) -> None:
    with pytest.raises(ScpiError) as caught:
        parse(text, [])
    assert caught.value.code == code


@pytest.mark.parametrize(
    ("text", "scale", "value"),
    [
        ("10", 1, 10),
        ("7.5", 2, 15),
        ("+7.50", 2, 15),
        ("1e3", 1, 1000),
        ("-.5E1", 2, -10),
        ("15E-1", 2, 3),
        ("0", 2, 0),
    ],
)
def test_numbers_are_exact(text: str, scale: int, value: int) -> None:
    assert number(text, scale) == value


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("7.3", -224),
        ("1x", -121),
        ("-", -121),
        (".", -121),
        ("1e99", -123),
        ("1e", -121),
        ("1.2.3", -121),
        ("9" * 30, -121),
    ],
)
def test_bad_numbers(text: str, code: int) -> None:
    with pytest.raises(ScpiError) as caught:
        number(text, 2)
    assert caught.value.code == code


def test_status_bits() -> None:
    status = Status()
    assert status.read_esr() == PON
    assert status.read_esr() == 0
    for code, bit in ((-113, CME), (-221, EXE), (-363, DDE), (-310, DDE), (-430, QYE)):
        status.error(code, "why")
        assert status.esr == bit
        status.esr = 0
    assert status.stb(False) == 4
    assert status.stb(True) == 4 | 16
    status.ese, status.esr, status.sre = CME, CME, 32
    assert status.stb(False) == 4 | 32 | 64
    assert status.next_error() == '-113,"Undefined header;why"'
    status.clear()
    assert status.next_error() == '0,"No error"'
    assert (status.ese, status.sre) == (CME, 32)


def test_a_full_error_queue_ends_in_350() -> None:
    status = Status()
    for _ in range(40):
        status.error(-113, 'a "quoted" \x00 thing')
    assert status.error_count() == 16
    answers = [status.next_error() for _ in range(17)]
    assert answers[0] == "-113,\"Undefined header;a 'quoted' ' thing\""
    assert answers[15] == '-350,"Queue overflow"'
    assert answers[16] == '0,"No error"'


def test_line_limit_is_the_documented_one() -> None:
    assert LINE_LIMIT == 256
