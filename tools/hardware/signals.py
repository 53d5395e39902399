"""Limits of what the pins hear: the bus of the panel, and the buttons with the firmware's debouncing."""

import math

from tools.hardware.limit import Limit, constant, parallel

from holecard.table.keys import PRESS_US, REARM_US

# UM10204, table 10 and 7.1: fast mode.
RISE, SINK, LOW, BUS_FARADS, FAST = 300e-9, 3e-3, 0.4, 400e-12, 400_000
RISE_FACTOR = math.log(0.7 / 0.3)


def bus_farads(circuit, parts):
    """The capacitance of one line of the bus: two inputs, the wire, the board."""
    wires = parts.wires[circuit.build]
    inputs = parts["pico"]["capacitance"] + parts["panel"]["capacitance"]
    return inputs + wires["board"] + wires["panel"] * wires["metre"]


def bus_ohms(parts):
    """The pull-up of one line of the bus, with what the module may bring: (least, most)."""
    own, module = parts["pullup"].range("ohms"), parts["panel"]["pull"]
    return parallel(own[0], module[0]), parallel(own[1], module[1])


def bus(circuit, parts, pinmap):
    farads, (least, most) = bus_farads(circuit, parts), bus_ohms(parts)
    yield Limit("Clock of the I2C bus", pinmap["bus"]["hertz"], "Hz", most=FAST, advice="lower [bus] hertz")
    yield Limit("Capacitance of the I2C bus", farads, "F", most=BUS_FARADS, advice="shorten the wires to the panel")
    yield Limit(
        "Rise time of SDA and SCL",
        RISE_FACTOR * most * farads,
        "s",
        most=RISE,
        advice="take a smaller pull-up (R1, R2) or shorten the wires to the panel",
    )
    yield Limit(
        "Current that a low SDA or SCL sinks",
        (parts["pico"]["volts"][1] - LOW) / least,
        "A",
        most=SINK,
        advice="take a larger pull-up (R1, R2)",
    )


def key_rc(circuit, parts):
    """(ohms to pull up, ohms to pull down, farads) at a key's pin, each at its most; the last three at their least."""
    wires, pico = parts.wires[circuit.build], parts["pico"]
    wire = wires["keys"] * wires["ohms"]
    stray = pico["capacitance"] + wires["board"] + wires["keys"] * wires["metre"]
    if circuit.build == "breadboard":
        return pico["pull"][1], wire, stray
    series, pull = parts["key-series"].range("ohms")[1], parts["key-pullup"].range("ohms")[1]
    return pull + series, series + wire, parts["key-capacitor"].range("farads")[1] + stray


def release_seconds(circuit, parts):
    """How long a released key's pin takes to read high."""
    ohms, _, farads = key_rc(circuit, parts)
    volts, high = parts["pico"]["volts"][0], parts["pico"]["v_ih"]
    return ohms * farads * math.log(volts / (volts - high))


def keys(circuit, parts):
    pico, (_, down, farads) = parts["pico"], key_rc(circuit, parts)
    arcade = circuit.build != "breadboard"
    contact = parts["arcade-button" if arcade else "button"]
    volts = pico["volts"]
    yield Limit(
        "Voltage at the pin of a pressed button",
        volts[1] * down / (down + pico["pull"][0]),
        "V",
        most=pico["v_il"],
        advice="take a smaller series resistor (key-series)",
    )
    yield Limit(
        "Time until a pressed button reads low",
        down * farads * math.log(volts[1] / pico["v_il"]),
        "s",
        most=PRESS_US / 1e6,
        advice=f"the firmware samples twice in {PRESS_US / 1000:g} ms: a smaller capacitor or series resistor",
    )
    yield Limit(
        "Time until a released button reads high",
        release_seconds(circuit, parts),
        "s",
        most=REARM_US / 4e6,
        advice=f"the firmware re-arms after {REARM_US // 1000} ms of high: a smaller capacitor or pull-up (key-pullup)",
    )
    poll = constant("pico.py", "_POLL_MS") / 1000
    yield Limit(
        "Shortest press that is surely seen",
        down * farads * math.log(volts[1] / pico["v_il"]) + 2 * poll + PRESS_US / 1e6,
        "s",
        most=0.010,
        advice="no finger is quicker than 40 ms, but a filter that eats 10 ms has the wrong values",
    )
    yield Limit(
        "Bounce of the contact",
        contact["bounce"],
        "s",
        most=REARM_US / 1e6,
        advice="the firmware would count a second press: another button",
    )
    pull = parts["key-pullup"].range("ohms")[1] if arcade else pico["pull"][1]
    yield Limit(
        "Current through a closed contact",
        volts[0] / pull,
        "A",
        least=contact["wetting"],
        advice="too little to keep it clean: a smaller pull-up (key-pullup)",
    )
    if arcade:
        yield Limit(
            "Current when a contact empties its capacitor",
            volts[1] / parts["key-series"].range("ohms")[0],
            "A",
            most=0.020,
            advice="it would wear the contact: a larger series resistor (key-series)",
        )
