"""What no proof and no program can give is written down, where people look for it."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]


def section(path: str, start: str, end: str) -> str:
    """The text from one heading to the next, in one line."""
    text = (ROOT / path).read_text(encoding="utf-8")
    assert text.count(start) == 1, f"{path} says {start!r} once"
    found = text.partition(start)[2].partition(end)[0]
    return re.sub(r"\s+", " ", found)


@pytest.mark.parametrize(
    "words",
    [
        "your log is everybody's log",
        "your cut was your own",
        "no shoe was thrown away",
        "Anything about money",
        "last rounds of a shoe are there",
        "the box is honest",
        "you will win",
    ],
)
def test_promise_45_what_it_does_not_prove_is_written_down(words: str) -> None:
    """Each way in which a player could still be deceived has its place under the heading, with more than its name."""
    points = section("docs/fairness.md", "**What it does not prove.**", "## Result").split(" - *")
    said = [point for point in points if words in point]
    assert len(said) == 1
    assert len(said[0]) > len(words) + 40


@pytest.mark.parametrize("words", ["BOOTSEL", "SWD", "flash chip"])
def test_promise_45_what_nobody_promises_is_written_down(words: str) -> None:
    text = section("README.md", "## What is not promised\n", "[Contributing]")
    assert "with the case open" in text
    point = next(one for one in text.split("- **")[1:] if words in one.split("**")[0])
    assert len(point) > 80


def test_the_page_for_players_is_within_reach() -> None:
    for path in ("README.md", "docs/promises.md"):
        assert "fairness.md" in (ROOT / path).read_text(encoding="utf-8")
