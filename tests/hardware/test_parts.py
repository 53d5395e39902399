"""The circuits of the three builds: rules and limits hold, a wrong value or wire is told in a sentence."""

from __future__ import annotations

import copy
import dataclasses
import re
import shutil
from typing import Any

import pytest
from tools import pinmap
from tools.hardware import __main__ as command
from tools.hardware import circuit, limits, parts, rules, signals, spice

BUILDS = ("breadboard", "arcade-5v", "arcade-12v")


@pytest.fixture(scope="module")
def pins() -> dict[str, Any]:
    return pinmap.load()


@pytest.fixture(scope="module")
def listed() -> Any:
    return parts.load()


def told(pins: dict[str, Any], listed: Any) -> str:
    return "\n".join(command.faults(pins, listed))


def test_the_parts_that_are_listed_break_no_rule_and_no_limit(pins: dict[str, Any], listed: Any) -> None:
    assert told(pins, listed) == ""


@pytest.mark.parametrize(
    ("part", "figures", "sentence"),
    [
        (
            "pullup",
            {"ohms": 10e3},
            r"breadboard: Rise time of SDA and SCL is 445 ns, allowed is at most 300 ns: take a sm",
        ),
        ("pullup", {"ohms": 1e3}, r"Current that a low SDA or SCL sinks is 4\.61 mA, allowed is at most 3 mA"),
        ("led-resistor", {"ohms": 100}, r"Current of the pin of the LED STAND is 18\.5 mA, allowed is at most 4 mA"),
        ("led-resistor", {"ohms": 4700}, r"Least current of the LED BET is 47\.4 uA, allowed is at least 300 uA"),
        ("base-resistor", {"ohms": 220}, r"arcade-5v: Current of a lamp's pin is 13\.7 mA, allowed is at most 4 mA"),
        (
            "base-resistor",
            {"ohms": 10e3},
            r"Base current, as a multiple of what the lamp asks for is 1\.69, allowed is at",
        ),
        (
            "driver",
            {"type": "nmos", "v_gate": 4.5, "v_threshold": 3.0, "on_ohms": 5.3},
            r"3\.3 V does not switch it on",
        ),
        ("driver", {"v_sat": 1.1}, r"arcade-5v: Voltage at a lit lamp is 3\.44 V, allowed is 4 V to 5\.5 V"),
        ("driver", {"v_ce": 12}, r"arcade-12v: Voltage that a driver bears is 12 V, allowed is at least 18 V"),
        (
            "lamp-12v",
            {"inductive": True},
            r"a coil destroys its transistor when it is switched off: a diode across each",
        ),
        ("lamp-12v", {"amperes": 0.25}, r"arcade-12v: Current through the fuse is 1\.09 A, allowed is at most 210 mA"),
        ("lamp-12v", {"volts": 5.0}, r"arcade-12v: Voltage at a lit lamp is 10\.1 V, allowed is 4 V to 5\.5 V"),
        ("fuse", {"trip": 4.0}, r"the supply gives less than that, so the fuse never trips"),
        ("key-capacitor", {"farads": 10e-6}, r"the firmware re-arms after 20 ms of high: a smaller capacitor"),
        (
            "key-series",
            {"ohms": 100e3},
            r"Voltage at the pin of a pressed button is 2\.34 V, allowed is at most 800 mV",
        ),
        ("key-series", {"ohms": 10}, r"it would wear the contact: a larger series resistor"),
        ("key-pullup", {"ohms": 47e3}, r"Current through a closed contact is 63\.6 uA, allowed is at least 500 uA"),
        ("arcade-button", {"bounce": 0.025}, r"the firmware would count a second press: another button"),
        ("piezo-resistor", {"ohms": 100}, r"Peak current of the piezo's pin is 36\.4 mA, allowed is at most 12 mA"),
        ("piezo", {"farads": 1e-6}, r"half a period of the highest note, 2093 Hz: a smaller resistor before the piezo"),
        ("buck", {"volts": 12.0}, r"set the step-down module to 5\.0 V before it is connected"),
        ("wave", {"load": 0.3}, r"Current from 3V3 is 340 mA, allowed is at most 300 mA"),
        ("wave", {"output": 5.0}, r"GP15 \(WAVE\) would see 5 V and bears 3\.46 V: put a transistor between them"),
    ],
)
def test_a_wrong_value_is_told_in_a_sentence(
    pins: dict[str, Any], listed: Any, part: str, figures: dict[str, object], sentence: str
) -> None:
    assert re.search(sentence, told(pins, listed.with_data(part, **figures)))


def test_an_alternative_is_checked_like_the_part_itself(pins: dict[str, Any], listed: Any) -> None:
    wrong = dataclasses.replace(listed["pullup"], alternative=[{"name": "15 kOhm", "ohms": 15e3}])
    changed = dataclasses.replace(listed, parts=listed.parts | {"pullup": wrong})
    assert "breadboard with pullup: 15 kOhm: Rise time of SDA and SCL is 6" in told(pins, changed)


def test_long_wires_are_told(pins: dict[str, Any], listed: Any) -> None:
    wires = listed.wires | {"arcade-5v": listed.wires["arcade-5v"] | {"panel": 1.0}}
    assert "shorten the wires to the panel" in told(pins, dataclasses.replace(listed, wires=wires))


def test_a_faster_bus_is_told(pins: dict[str, Any], listed: Any) -> None:
    faster = copy.deepcopy(pins)
    faster["bus"]["hertz"] = 1_000_000
    assert "Clock of the I2C bus is 1 MHz, allowed is at most 400 kHz: lower [bus] hertz" in told(faster, listed)


def test_the_firmware_s_own_debounce_counts(pins: dict[str, Any], listed: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(signals, "REARM_US", 4_000)
    assert "the firmware would count a second press" in told(pins, listed)


# Rules: what may be joined to what.


def joined(build: str, pins: dict[str, Any], ref: str, terminal: str, net: str | None) -> circuit.Circuit:
    """A circuit with one terminal on another net."""
    built = circuit.circuit(build, pins)
    component = built.components[ref]
    moved = dataclasses.replace(component, pins=component.pins | {terminal: net})
    return circuit.Circuit(build, built.components | {ref: moved})


@pytest.mark.parametrize(
    ("build", "ref", "terminal", "net", "sentence"),
    [
        ("breadboard", "R1", "2", None, "R1 (pullup): terminal 2 is connected to nothing"),
        ("breadboard", "SW1", "1", "SOMEWHERE", "SOMEWHERE: only SW1.1 is on it, so it leads nowhere"),
        ("breadboard", "S1", "OUT", "LAMPS.BET", "LAMPS.BET: U1.24 and S1.OUT both drive it"),
        ("breadboard", "S1", "OUT", "GND", "GND: an output is shorted to it"),
        ("breadboard", "DS1", "GND", "3V3", "DS1.GND is on 3V3: a ground and a supply are joined"),
        ("breadboard", "DS1", "VCC", "SDA", "SDA: nothing feeds what takes its supply from it"),
        ("arcade-5v", "LA1", "2", "LAMPS.BET", "GP18 (LAMPS.BET) would see 5 V and bears 3.46 V"),
        ("arcade-12v", "LA3", "2", "LAMPS.STAND", "GP20 (LAMPS.STAND) would see 12 V and bears 3.46 V"),
        ("arcade-12v", "D2", "K", "SOMEWHERE", "VSYS: nothing feeds what takes its supply from it"),
        ("arcade-12v", "PS1", "VOUT", "3V3", "3V3: U1.36 and PS1.VOUT both drive it"),
        ("arcade-5v", "SW2", "1", "LAMP+", "GP11 (KEYS.HIT) would see 5 V"),
        ("arcade-5v", "R4", "2", "ELSEWHERE", "KEYS.BET: nothing that could drive the input U1.14 is on it"),
    ],
)
def test_a_wrong_wire_is_told_in_a_sentence(
    pins: dict[str, Any], listed: Any, build: str, ref: str, terminal: str, net: str | None, sentence: str
) -> None:
    changed = joined(build, pins, ref, terminal, net)
    if ref == "SW2":  # a shorted pull-up and series resistor let the voltage through
        changed.components["R5"].pins["2"] = "LAMP+"
        changed.components["R6"].pins["1"] = "LAMP+"
    assert sentence in "\n".join(rules.faults(changed, listed))


def test_a_pin_that_is_used_twice_is_told(tmp_path: Any, monkeypatch: pytest.MonkeyPatch, capsys: Any) -> None:
    text = pinmap.SOURCE.read_text(encoding="utf-8")
    twice = tmp_path / "pinmap.toml"
    twice.write_text(text.replace("gpio = 11\npin = 15", "gpio = 10\npin = 14"), encoding="utf-8")
    monkeypatch.setattr(command.pinmap, "load", lambda load=pinmap.load: load(twice))
    assert command.main(["--check"]) == 2
    assert capsys.readouterr().err == "hardware: KEYS.HIT: GP10 is taken by KEYS.BET\n"


def test_the_list_of_parts_refuses_what_it_does_not_know(tmp_path: Any) -> None:
    text = parts.SOURCE.read_text(encoding="utf-8")
    for change, why in (
        (text.replace('id = "fuse"', 'id = "diode"'), "diode: is in hardware/parts.toml twice"),
        (text.replace('value = "MF-R030"', 'size = "MF-R030"'), "fuse: .*size"),
        (text.replace("ohms = 4700,", "ohms = 4,700,"), r"^hardware/parts\.toml cannot be read: .* \(at line \d+, col"),
        (text.replace("ohms = 4700,", 'ohms = "4.7k",'), r"^pullup: ohms = '4\.7k' in .*: needs a number above zero$"),
        (text.replace("ohms = 4700,", "ohms = 0,"), r"^pullup: ohms = 0 in .*: needs a number above zero$"),
        (text.replace("ohms = 3900 }", "ohms = -1 }"), r"^pullup: ohms = -1 in .*: needs a number above zero$"),
        (
            text.replace("forward = [1.7, 2.1]", "forward = [2.1, 1.7]"),
            r"^led-red: forward = .*: needs \[least, ",
        ),
        (text.replace('id = "fuse"\n', ""), r"^resettable fuse .*: .*missing .*'id'"),
    ):
        file = tmp_path / "parts.toml"
        file.write_text(change, encoding="utf-8")
        with pytest.raises(parts.PartFault, match=why):
            parts.load(file)
    with pytest.raises(parts.PartFault, match=r"fuse: hardware/parts\.toml gives no 'weight' for it"):
        parts.load()["fuse"]["weight"]


# The simulator, where there is one.

needs_ngspice = pytest.mark.skipif(
    shutil.which("ngspice") is None, reason="ngspice is not installed (Debian: apt install ngspice)"
)


@needs_ngspice
@pytest.mark.parametrize("build", BUILDS)
def test_ngspice_confirms_the_rise_time_of_the_bus(build: str, pins: dict[str, Any], listed: Any) -> None:
    built = circuit.circuit(build, pins)
    computed = next(each for each in limits.limits(built, listed, pins) if each.what.startswith("Rise time"))
    assert spice.run(spice.bus_rise(built, listed))["rise"] == pytest.approx(computed.value, rel=0.02)


@needs_ngspice
@pytest.mark.parametrize("build", BUILDS)
def test_ngspice_confirms_how_long_a_released_button_rises(build: str, pins: dict[str, Any], listed: Any) -> None:
    built = circuit.circuit(build, pins)
    simulated = spice.run(spice.key_release(built, listed))["release"]
    assert simulated == pytest.approx(signals.release_seconds(built, listed), rel=0.02)


@needs_ngspice
@pytest.mark.parametrize("build", BUILDS[1:])
def test_ngspice_confirms_that_a_lamp_s_transistor_is_a_switch(build: str, pins: dict[str, Any], listed: Any) -> None:
    built = circuit.circuit(build, pins)
    found = spice.run(spice.lamp_driver(built, listed))
    assert found["vce"] < listed["driver"]["v_sat"]
    assert found["vbe"] < listed["driver"]["v_be"][1]
    weak = listed.with_data("base-resistor", ohms=47e3)
    assert spice.run(spice.lamp_driver(built, weak))["vce"] > 2 * listed["driver"]["v_sat"]
