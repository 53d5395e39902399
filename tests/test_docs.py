"""The documents say what the code does."""

import re
from pathlib import Path

import pytest

from holecard.rules.reasons import WHY
from holecard.rules.ruleset import FIELDS
from holecard.table import table
from holecard.table.commands import COMMANDS

ROOT = Path(__file__).parent.parent
SOURCE = ROOT / "firmware" / "holecard" / "table"
WIRE = (ROOT / "docs" / "wire.md").read_text(encoding="utf-8")
DOCUMENTS = [
    ROOT / "README.md",
    ROOT / "host" / "README.md",
    ROOT / "CONTRIBUTING.md",
    ROOT / "CHANGELOG.md",
    *sorted((ROOT / "docs").glob("*.md")),
]


@pytest.mark.parametrize("header", [command[0] for command in COMMANDS])
def test_the_wire_page_names_every_command(header):
    short_of = header.replace("SYSTem:COMMunicate:EVENt?", "…:EVENt?")
    assert header in WIRE or short_of in WIRE


def test_the_wire_page_names_no_command_that_is_not_there():
    headers = {command[0] for command in COMMANDS}
    named = set(re.findall(r"`((?:\*|[A-Z]{3,}[a-z]*:)[A-Za-z:\[\]]*\??)", WIRE.split("## Common commands")[1]))
    assert named - headers == set()


def test_the_wire_page_names_the_errors_that_the_table_gives_and_no_others():
    given = set()
    for path in SOURCE.glob("*.py"):
        given |= set(re.findall(r"(?:ScpiError|error)\((-\d{3})\b", path.read_text(encoding="utf-8")))
    given.add("-350")  # what a full queue ends with
    assert set(re.findall(r"`(-\d{3})`", WIRE.split("## Errors")[1])) == given


def test_the_wire_page_tells_the_parts_of_the_self_test():
    parts = {getattr(table, name) for name in dir(table) if name.startswith("TEST_")}
    told = next(line for line in WIRE.splitlines() if line.startswith("| `*TST?`"))
    assert set(map(int, re.findall(r"(\d+) [a-z]", told.split("sum:")[1]))) == parts


def test_every_rule_gives_a_reason():
    assert list(WHY) == [field[0] for field in FIELDS]
    for name, why in WHY.items():
        assert len(why) > 10, name


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda path: str(path.relative_to(ROOT)))
def test_links_and_pictures_exist(document):
    for target in re.findall(r"\]\(([^)#\s]+)", document.read_text(encoding="utf-8")):
        if not target.startswith("http"):
            assert (document.parent / target).exists(), target
