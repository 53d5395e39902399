"""Electrical limits of a circuit, computed from the list of parts, the pin map and the firmware's own constants.

Every figure is the worst of the part's range. Sources: NXP UM10204 (I2C: 0.3 to 0.7 VDD, 300 ns, 3 mA at 0.4 V), the
RP2040 and Pico data sheets (hardware/parts.toml names the tables), table/keys.py and boards/pico.py (debounce).
"""

from tools.hardware.circuit import KEYS, LEDS
from tools.hardware.limit import Limit, constant
from tools.hardware.signals import LOW, bus, bus_ohms, keys

# An LED of 1,000 mcd at 20 mA is plainly seen indoors with this.
_SEEN = 0.3e-3
# Base current that is several times what the gain asks for: the transistor is a switch.
_OVERDRIVE = 5


def limits(circuit, parts, pinmap):
    """Every limit of a circuit."""
    found = [*bus(circuit, parts, pinmap), *keys(circuit, parts)]
    found += _leds(parts) if circuit.build == "breadboard" else _lamps(circuit, parts)
    return [*found, *_piezo(parts), *_chip(circuit, parts), *_supply(circuit, parts)]


def led_amperes(parts, led):
    """The current of one LED of the breadboard: (least, most)."""
    pico, ohms, forward = parts["pico"], parts["led-resistor"].range("ohms"), parts[led]["forward"]
    pad = (pico["volts"][0] - pico["v_oh"]) / pico["drive"]
    return (pico["volts"][0] - forward[1]) / (ohms[1] + pad), (pico["volts"][1] - forward[0]) / ohms[0]


def _leds(parts):
    for key in KEYS:
        least, most = led_amperes(parts, LEDS[key])
        advice = "another resistor for the LEDs (led-resistor)"
        yield Limit(f"Least current of the LED {key}", least, "A", least=_SEEN, advice=advice)
        yield Limit(f"Current of the pin of the LED {key}", most, "A", most=parts["pico"]["drive"], advice=advice)


def lamp_part(circuit, parts):
    """The lamp of an arcade build."""
    return parts["lamp-" + circuit.build.removeprefix("arcade-")]


def lamp_volts(circuit, parts):
    """What feeds the lamps at the least: behind fuse and, with 12 V, diode."""
    twelve = circuit.build == "arcade-12v"
    supply = parts["supply-12v" if twelve else "supply-usb"]["volts"] * 0.95
    drop = parts["fuse"]["ohms"] * fuse_amperes(circuit, parts)
    return supply - drop - (parts["diode"]["forward"] if twelve else 0)


def base_amperes(parts):
    """What a pin gives to a driver's base: (least, most); with a MOSFET the most is the peak, the least 0."""
    pico, driver, ohms = parts["pico"], parts["driver"], parts["base-resistor"].range("ohms")
    if driver["type"] == "nmos":
        return 0.0, pico["volts"][1] / ohms[0]
    return (pico["v_oh"] - driver["v_be"][1]) / ohms[1], (pico["volts"][1] - driver["v_be"][0]) / ohms[0]


def _lamps(circuit, parts):
    pico, driver, lamp = parts["pico"], parts["driver"], lamp_part(circuit, parts)
    least, most = base_amperes(parts)
    yield Limit(
        "Current of a lamp's pin", most, "A", most=pico["drive"], advice="a larger base resistor (base-resistor)"
    )
    if driver["type"] == "npn":
        yield Limit(
            "Base current, as a multiple of what the lamp asks for",
            least * driver["gain"] / lamp["amperes"],
            "",
            least=_OVERDRIVE,
            advice="a smaller base resistor (base-resistor) or a transistor with more gain",
        )
        drop = driver["v_sat"]
    else:
        yield Limit(
            "Gate voltage for which the MOSFET's resistance is promised",
            driver["v_gate"],
            "V",
            most=pico["v_oh"],
            advice="a pin gives no more than that for sure: a MOSFET made for 2.5 V, as AO3400A",
        )
        yield Limit(
            "Threshold of the MOSFET",
            driver["v_threshold"],
            "V",
            most=pico["v_oh"] - 1,
            advice="3.3 V does not switch it on: a MOSFET made for 2.5 V, as AO3400A",
        )
        drop = driver["on_ohms"] * lamp["amperes"]
    supply = lamp_volts(circuit, parts)
    yield Limit(
        "Voltage at a lit lamp",
        supply - drop,
        "V",
        least=0.8 * lamp["volts"],
        most=1.1 * lamp["volts"],
        advice="the lamp does not fit the supply, or the driver keeps too much for itself",
    )
    yield Limit(
        "Current of a driver", lamp["amperes"], "A", most=driver["most"] / 2, advice="a stronger transistor (driver)"
    )
    yield Limit(
        "Voltage that a driver bears",
        driver["v_ce"],
        "V",
        least=1.5 * parts["supply-12v" if circuit.build == "arcade-12v" else "supply-usb"]["volts"],
        advice="a transistor for more volts (driver)",
    )
    yield Limit(
        "Inductive loads without a diode",
        4 if lamp["inductive"] else 0,
        "",
        most=0,
        advice="a coil destroys its transistor when it is switched off: a diode across each",
    )


def piezo_tau(parts):
    """The piezo's time constant."""
    return parts["piezo-resistor"].range("ohms")[1] * parts["piezo"]["farads"]


def _piezo(parts):
    pico, ohms = parts["pico"], parts["piezo-resistor"].range("ohms")
    highest = max(hertz for tune in constant("piezo.py", "SOUNDS").values() for hertz, _ in tune)
    yield Limit(
        "Peak current of the piezo's pin",
        pico["volts"][1] / ohms[0],
        "A",
        most=pico["most"],
        advice="a larger resistor before the piezo (piezo-resistor)",
    )
    yield Limit(
        "Time in which the piezo follows its pin",
        5 * piezo_tau(parts),
        "s",
        most=1 / (2 * highest),
        advice=f"half a period of the highest note, {highest} Hz: a smaller resistor before the piezo (piezo-resistor)",
    )


def _chip(circuit, parts):
    pico = parts["pico"]
    piezo = pico["volts"][1] / parts["piezo-resistor"].range("ohms")[0]
    lamps = (
        sum(led_amperes(parts, LEDS[key])[1] for key in KEYS)
        if circuit.build == "breadboard"
        else 4 * base_amperes(parts)[1]
    )
    yield Limit(
        "Current out of all pins together",
        lamps + piezo,
        "A",
        most=pico["sum"],
        advice="larger resistors at lamps and piezo",
    )
    sunk = 2 * (pico["volts"][1] - LOW) / bus_ohms(parts)[0]
    yield Limit("Current into all pins together", sunk, "A", most=pico["sum"], advice="larger pull-ups")


def logic_amperes(circuit, parts):
    """What is taken from 3V3, the chip and its pins left out."""
    volts = parts["pico"]["volts"][1]
    load = parts["panel"]["load"] + 2 * volts / bus_ohms(parts)[0]
    load += parts["tap"]["load"] + parts["wave"]["load"]
    if circuit.build != "breadboard":
        load += 4 * volts / parts["key-pullup"].range("ohms")[0]
    return load


def table_amperes(circuit, parts):
    """What the Pico takes from its supply, as if its converter gained nothing."""
    pins = next(limit.value for limit in _chip(circuit, parts))
    return parts["pico"]["load"] + pins + logic_amperes(circuit, parts)


def fuse_amperes(circuit, parts):
    """What flows through the fuse of the lamps."""
    load = 4 * lamp_part(circuit, parts)["amperes"]
    if circuit.build == "arcade-12v":
        buck = parts["buck"]
        load += table_amperes(circuit, parts) * buck["volts"] / (buck["efficiency"] * parts["supply-12v"]["volts"])
    return load


def _supply(circuit, parts):
    pico, table = parts["pico"], table_amperes(circuit, parts)
    yield Limit(
        "Current from 3V3", logic_amperes(circuit, parts), "A", most=pico["out_3v3"], advice="a supply for the sensors"
    )
    if circuit.build == "breadboard":
        yield Limit("Current from USB", table, "A", most=0.5, advice="more than a computer's port gives")
        return
    fuse, twelve = parts["fuse"], circuit.build == "arcade-12v"
    supply, through = parts["supply-12v" if twelve else "supply-usb"], fuse_amperes(circuit, parts)
    whole = through if twelve else through + table
    yield Limit("Current from the supply", whole, "A", most=0.8 * supply["most"], advice="a stronger supply")
    hold = fuse["hold"] * fuse["derating"]
    yield Limit("Current through the fuse", through, "A", most=hold, advice="a fuse that holds more, also when warm")
    yield Limit(
        "Current that trips the fuse",
        fuse["trip"],
        "A",
        most=supply["most"],
        advice="the supply gives less than that, so the fuse never trips: a smaller fuse or a stronger supply",
    )
    yield Limit("Voltage that the fuse bears", fuse["volts"], "V", least=supply["volts"], advice="another fuse")
    if twelve:
        yield from _twelve(parts, table)


def _twelve(parts, table):
    buck, diode, pico = parts["buck"], parts["diode"], parts["pico"]
    volts = parts["supply-12v"]["volts"]
    yield Limit(
        "Voltage at the step-down module",
        volts - diode["forward"],
        "V",
        least=buck["input"][0],
        most=buck["input"][1],
        advice="the module does not fit the supply",
    )
    yield Limit("Current of the step-down module", table, "A", most=0.8 * buck["most"], advice="a stronger module")
    yield Limit(
        "Voltage at VSYS",
        buck["volts"] - diode["forward"],
        "V",
        least=pico["vsys"][0],
        most=pico["vsys"][1] - 0.2,
        advice="set the step-down module to 5.0 V before it is connected",
    )
    yield Limit("Voltage that the diodes bear", diode["reverse"], "V", least=2 * volts, advice="another diode")
    yield Limit("Current that the diodes bear", diode["most"], "A", least=0.5, advice="another diode")
