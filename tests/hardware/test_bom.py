"""The lists of parts and the build guide: what is ordered is what is checked, wired and asked for."""

from __future__ import annotations

import csv
import io
import re
from pathlib import Path
from typing import Any

import pytest
from tools import pinmap
from tools.hardware import bom, circuit, parts

from holecard_host import checkup, guide

BUILDS = ("breadboard", "arcade-5v", "arcade-12v")
GUIDE = (pinmap.ROOT / "hardware" / "BUILD.md").read_text(encoding="utf-8")


@pytest.fixture(scope="module")
def listed() -> Any:
    return parts.load()


@pytest.fixture(scope="module")
def built(listed: Any) -> dict[str, circuit.Circuit]:
    return circuit.circuits(listed.builds, pinmap.load())


def order(each: circuit.Circuit, listed: Any) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(bom.table(each, listed))))


def is_screws(row: dict[str, str]) -> bool:
    return row["what"].startswith("screw terminal")


@pytest.mark.parametrize("build", BUILDS)
def test_every_component_is_on_the_order(built: dict[str, circuit.Circuit], listed: Any, build: str) -> None:
    rows = order(built[build], listed)
    assert all(int(row["quantity"]) > 0 and row["what"] and row["example"] for row in rows)
    named = [row for row in rows if row["references"] and not is_screws(row)]
    assert all(int(row["quantity"]) == len(row["references"].split()) for row in named)
    refs = [ref for row in named for ref in row["references"].split()]
    screws = [each.ref for each in built[build].of("screws")]
    assert sorted(refs + screws) == sorted(built[build].components)


@pytest.mark.parametrize("build", BUILDS[1:])
def test_the_screw_terminals_have_every_pole(built: dict[str, circuit.Circuit], listed: Any, build: str) -> None:
    rows = [row for row in order(built[build], listed) if is_screws(row)]
    poles = {each.ref: len(each.pins) for each in built[build].of("screws")}
    assert sum(int(row["quantity"]) * int(row["what"].split()[-2]) for row in rows) == sum(poles.values())
    assert {ref for row in rows for ref in row["references"].split()} == set(poles)


@pytest.mark.parametrize("build", BUILDS)
def test_what_comes_in_packs_is_ordered_once(built: dict[str, circuit.Circuit], listed: Any, build: str) -> None:
    """Who uploads the CSV to a shop gets as many packs as stand there."""
    for row in order(built[build], listed):
        pack = re.search(r"set of|\b\d+ m\b|\b(\d+|ten) (pairs|pieces|wires)\b", f"{row['what']} {row['example']}")
        assert int(row["quantity"]) == 1 or not pack, row


@pytest.mark.parametrize(
    ("build", "words"),
    [
        ("breadboard", "panel, tactile button, LED, jumper wires, female to male, header of 2 pins, USB cable"),
        ("arcade-5v", "USB supply, NPN, fuse, screw terminal, socket for the Pico, receptacle, spacers, soldering"),
        ("arcade-12v", "12 V DC, NPN, fuse, DC jack, step-down, Schottky, spacers, stranded wire, solid wire"),
    ],
)
def test_what_the_guide_builds_with_is_on_the_order(
    built: dict[str, circuit.Circuit], listed: Any, build: str, words: str
) -> None:
    ordered = "\n".join(row["what"] for row in order(built[build], listed))
    assert [word for word in [*words.split(", "), "multimeter"] if word not in ordered] == []


# The same figure, as the checks compute with it and as a person reads and orders it.


def contradictions(listed: Any) -> list[str]:
    """A sentence for each text that does not have the figure that the checks compute with."""
    found = []
    for part in listed.parts.values():
        for figure, text in _texts(part):
            if not re.search(rf"(?<![\w.]){re.escape(figure)}(?![\w.])", text):
                found.append(f"{part.id}: the checks compute with {figure}, {text!r} does not say so")
    return found


def _texts(part: Any) -> list[tuple[str, str]]:
    """(figure as it is written there, text)."""
    data = part.data
    if "ohms" in data and "tolerance" in data:
        words, value, code = _ohms(data["ohms"])
        others = [(_ohms(other["ohms"])[0], part.alternatives) for other in part.alternative]
        return [(words, part.what), (value, part.value), (code, part.example), *others]
    if "farads" in data and "tolerance" in data:
        nano = f"{data['farads'] * 1e9:g}"
        return [(f"{nano} nF", part.what), (f"{nano}n", part.value)]
    if part.id == "fuse":
        return [(f"{data['hold']:g} A hold", part.what), (f"{data['trip']:g} A trip", part.what)]
    if part.id in ("lamp-5v", "lamp-12v"):
        return [(f"{data['volts']:g} V", part.what), (f"{data['amperes'] * 1000:g} mA at most", part.alternatives)]
    if part.id in ("supply-12v", "supply-usb", "buck"):
        return [(f"{data['volts']:g} V", part.what), (f"{data['most']:g} A", part.what)]
    return []


def _ohms(ohms: float) -> tuple[str, str, str]:
    if ohms < 1000:
        return f"{ohms:g} Ohm", f"{ohms:g}", f"{ohms:g}R"
    thousands = f"{ohms / 1000:g}"
    return f"{thousands} kOhm", f"{thousands}k", thousands.replace(".", "K") if "." in thousands else f"{thousands}K"


def test_what_is_computed_with_is_what_is_ordered(listed: Any) -> None:
    assert contradictions(listed) == []


@pytest.mark.parametrize(
    ("part", "figures", "sentences"),
    [
        ("base-resistor", {"ohms": 1200}, ["1.2 kOhm, 'resistor 1 kOhm", "1.2k, '1k'", "1K2, 'Yageo"]),
        ("key-capacitor", {"farads": 47e-9}, ["47 nF, 'capacitor 100 nF", "47n, '100n'"]),
        ("fuse", {"hold": 0.25}, ["0.25 A hold, 'resettable fuse (PTC), 0.3 A hold"]),
        ("lamp-12v", {"amperes": 0.02}, ["20 mA at most, 'the lamp that comes"]),
        ("supply-12v", {"most": 2.0}, ["2 A, 'plug-in supply 12 V DC, 1 A"]),
    ],
)
def test_a_figure_that_is_changed_alone_is_told(
    listed: Any, part: str, figures: dict[str, float], sentences: list[str]
) -> None:
    told = contradictions(listed.with_data(part, **figures))
    assert len(told) == len(sentences)
    for sentence, found in zip(sentences, told, strict=True):
        assert f"{part}: the checks compute with {sentence}" in found


# The guide


def test_the_rings_that_the_guide_reads_are_those_of_the_resistors(listed: Any) -> None:
    names = ("black", "brown", "red", "orange", "yellow", "green", "blue", "violet", "gray", "white")
    for part in ("pullup", "led-resistor"):
        ohms = round(listed[part]["ohms"])
        one, two, *zeros = str(ohms)
        rings = f"{names[int(one)]} {names[int(two)]} {names[len(zeros)]} gold"
        assert re.search(rf"{_ohms(ohms)[0]}(: | \(){rings}", GUIDE), f"{part}: {rings}"


def test_the_poles_that_the_guide_names_are_on_those_nets(built: dict[str, circuit.Circuit]) -> None:
    poles = re.findall(r"\b(X\d)\.(\d)\s\((\S+)\)", GUIDE)
    assert len(poles) >= 8
    for ref, pole, net in poles:
        for build in BUILDS[1:]:
            if ref in built[build].components:
                assert built[build].components[ref].pins[pole] == net, f"{build}: {ref}.{pole}"


def test_what_the_guide_quotes_is_what_the_doctor_says() -> None:
    said = "".join(Path(str(module.__file__)).read_text(encoding="utf-8") for module in (checkup, guide))
    quoted = re.findall(r'^\| "([^"]+)" \|', GUIDE, re.MULTILINE)
    assert len(quoted) >= 7
    assert [words for words in quoted if words.replace("HIT", "{felt[0]}") not in said] == []
