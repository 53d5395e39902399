"""The tree of commands: spellings, parameters, refusals, registers, and noise of all kinds."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.table.rig import MS, Rig

import holecard
from holecard.table.commands import COMMANDS, Tree

CASES = Path(__file__).parent.parent / "cases"
ACE_UP = "10,A,9,8,5,5"


@pytest.fixture
def rig() -> Rig:
    return Rig()


def test_identity_and_version(rig: Rig) -> None:
    assert rig.ask("*IDN?") == f"Holecard,Table-fake,face,{holecard.__version__}"
    assert rig.ask("SYST:VERS?") == "1999.0"
    assert rig.ask("SYST:MODE?") == "bench"
    assert rig.ask("*TST?") == "0"
    assert 0 <= int(rig.ask("SYST:TIME?")) < 1 << 30


@pytest.mark.parametrize(
    "text", ["syst:err?", "SYSTem:ERRor:NEXT?", ":SYSTEM:ERR:NEXT?", "Syst:Error?", "\tSYST:ERR? \t"]
)
def test_short_and_long_forms(rig: Rig, text: str) -> None:
    assert rig.ask(text) == '0,"No error"'


def spellings(header: str) -> list[str]:
    """The short forms of a header in SCPI notation, with and without its optional node, e.g. `SYST:ERR?`."""
    before, _, rest = header.partition("[")
    optional, _, after = rest.partition("]")
    forms = {before + after: 1, before + optional + after: 1}
    return [re.sub("[a-z]", "", form) for form in forms]


@pytest.mark.parametrize("command", COMMANDS, ids=lambda command: command[0])
def test_every_spelling_names_its_command_and_no_other(command: tuple) -> None:
    short = spellings(command[0])
    long = [command[0].replace("[:NEXT]", part).upper() for part in ("", ":NEXT")]
    for header in {*short, *long}:
        tree = Tree()
        for _ in range(2):  # the second time it is remembered
            assert tree.read(header, [])[0] is command
            assert tree.read(header.lower(), [])[0] is command


@pytest.mark.parametrize(
    "text", ["SYSTE:ERR?", "SYS:ERR?", "SYST:ERRO?", "FOO", "SYST", "*FOO?", "SYST:ERR", "ROUN:BET? 0,1"]
)
def test_undefined_headers(rig: Rig, text: str) -> None:
    assert rig.command(text).startswith("-113,")


def test_every_header_is_listed_and_documented(rig: Rig) -> None:
    headers = json.loads(rig.ask("SYST:HELP:HEAD?"))
    assert headers == [command[0] for command in COMMANDS]
    keys = [key for header in headers for key in spellings(header)]
    assert len(keys) == len(set(keys))


@pytest.mark.parametrize("command", COMMANDS, ids=lambda command: command[0])
def test_every_command_checks_its_parameters(rig: Rig, command: tuple) -> None:
    header = command[0].replace("[:NEXT]", "")
    spec = command[1]
    if spec.split("?")[0]:
        assert rig.command(header).endswith('-109,"Missing parameter"')
    else:
        too_many = header + " " + ",".join(["1"] * (len(spec.replace("?", "")) + 1))
        assert rig.command(too_many).rpartition(";-")[2].startswith("108,") or rig.command(too_many).startswith("-108,")


def test_paths_within_a_line(rig: Rig) -> None:
    assert rig.ask("SYST:ERR?;ERR:COUN?;:TABL:RUL?;*OPC?;HINT?").startswith('0,"No error";0;{"name"')
    assert rig.ask("SYST:VERS?;TABL:RUL?;:SYST:ERR?").split(";")[1].startswith("-113,")


def test_a_fault_does_not_swallow_the_rest_of_the_line(rig: Rig) -> None:
    for bad in ("FOO", 'BENC:SHOE "A,10', "ROUN:BET 0,x", "A::B", "ROUN:BET 0,\x01", "BENC:RUL 'casino"):
        answer = rig.ask(bad + ";:SYST:ERR?;:SYST:ERR?")
        assert answer.startswith("-") and answer.endswith('0,"No error"'), bad


def test_overrun(rig: Rig) -> None:
    rig.send(b"X" * 3000 + b"\n")
    assert rig.ask("SYST:ERR?") == '-363,"Input buffer overrun"'


@pytest.mark.parametrize(
    ("line", "code"),
    [
        ("ROUN:BET 0,5000", -221),
        ("ROUN:BET 0,0.5", -224),
        ("ROUN:BET 0,-5", -222),
        ("ROUN:BET 1,5", -222),
        ("ROUN:BET 0,7.3", -224),
        ('ROUN:BET 0,"5"', -104),
        ("ROUN:BET x,5", -104),
        ("ROUN:BET 0,99999999", -222),
        ("ROUN:ACT 0,HIT", -221),
        ("ROUN:ACT 0,FOO", -224),
        ("ROUN:ACT 0,HIT,5", -108),
        ("ROUN:ACT 0,DOUB,0", -224),
        ("ROUN:ACT 0,DOUB,2.5", -224),
        ("TABL:DEAL?", -221),
        ("TABL:HIST?", -221),
        ("TABL:SIT 0", -221),
        ("BENC:RUL poker", -224),
        ("BENC:RUL:SET foo,1", -224),
        ("BENC:RUL:SET decks,0", -224),
        ("BENC:RUL:SET decks,x", -121),
        ("BENC:SEAT 2", -222),
        ("BENC:SEAT 0", -222),
        ("BENC:BANK 0,1.3", -224),
        ('BENC:SHOE "A,11"', -224),
        ('BENC:SHOE ""', -224),
        ("BENC:SHOE A", -104),
        ("BENC:PRES FOO,60", -224),
        ("BENC:PRES HIT,0", -222),
        ("BENC:PRES HIT,99999", -222),
        ('BENC:SEED "0"', -224),
        ('BENC:SEED "zz"', -224),
        ("*ESE 256", -222),
        ("*SRE -1", -222),
        ("SYST:COMM:EVEN maybe", -224),
        ("DISP:ANIM 2", -104),
    ],
)
def test_refusals_name_their_reason_and_change_nothing(rig: Rig, line: str, code: int) -> None:
    before = rig.state()
    assert rig.command(line).startswith(f"{code},"), rig.command(line)
    assert rig.state() == before


def test_status_registers(rig: Rig) -> None:
    assert rig.ask("*ESR?") == "128"
    assert rig.ask("*ESR?;*STB?") == "0;16"  # the first answer waits to be sent
    rig.ask("FOO;*OPC?")
    assert rig.ask("*STB?") == "4"
    rig.ask("*ESE 32;*SRE 36;*OPC?")
    assert rig.ask("*STB?;*ESE?;*SRE?") == "100;32;36"
    assert rig.ask("*ESR?") == "32"
    rig.ask("*CLS;*OPC?")
    assert rig.ask("*STB?;*ESR?;:SYST:ERR:COUN?") == "0;0;0"


def test_operation_complete_sets_its_bit_when_all_is_done(rig: Rig) -> None:
    rig.ask("*CLS;*ESR?")
    rig.ok('BENC:SHOE "10,10,10,7"')
    assert rig.ask("ROUN:DEAL;*OPC;*ESR?") == "0"
    rig.run(2_000 * MS)
    assert rig.ask("*ESR?") == "1"


def test_wait_holds_up_the_rest_of_the_line(rig: Rig) -> None:
    rig.ok('BENC:SHOE "10,10,10,7"')
    assert int(rig.ask("ROUN:DEAL;:DIAG:LAMP?")) == 0
    assert int(rig.ask("*WAI;:DIAG:LAMP?")) == 0b1110


@pytest.mark.parametrize("mode", ["arcade", "bench"])
@given(st.lists(st.binary(max_size=300), max_size=6))
@settings(max_examples=40, deadline=None)
def test_noise_never_stops_the_table(mode: str, pieces: list[bytes]) -> None:
    rig = Rig(mode=mode)
    for piece in pieces:
        # On a test bench 0x03 asks for the prompt.
        rig.send(piece if mode == "arcade" else piece.replace(b"\x03", b""), 100 * MS)
    rig.send(b"\n", 100 * MS)
    rig.board.tx = bytearray()
    assert rig.ask("*IDN?").startswith("Holecard,")


_HEADERS = [spellings(command[0])[0] for command in COMMANDS if command[0] not in ("*WAI", "*OPC?", "BENCh:PRESs")]
_ARGUMENTS = st.sampled_from(
    ["0", "1", "7.5", "-3", "1e9", "HIT", "DOUB", "ON", '"A,10,K"', "'x'", "casino", "min_bet", "#1a", ""]
)


@given(st.lists(st.tuples(st.sampled_from(_HEADERS), st.lists(_ARGUMENTS, max_size=4)), max_size=12))
@settings(max_examples=80, deadline=None)
def test_commands_in_any_order_with_any_arguments(lines: list[tuple[str, list[str]]]) -> None:
    rig = Rig()
    for header, arguments in lines:
        rig.send(f"{header} {','.join(arguments)}\n".encode(), 30 * MS)
    rig.rest()
    rig.board.tx = bytearray()
    state = rig.state()
    assert sum(state["bankrolls"]) >= 0
