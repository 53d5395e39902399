"""The three circuits, as components whose terminals are on named nets: made from the pin map, drawn by nobody.

breadboard   LEDs on the Pico's own pins, tactile buttons
arcade-5v    lamps of 5 V through transistors, fed from USB through a fuse; buttons behind a filter
arcade-12v   the same with lamps of 12 V, and the Pico fed through a step-down module
"""

from dataclasses import dataclass

KEYS = ("BET", "HIT", "STAND", "DOUBLE")
LEDS = {"BET": "led-white", "HIT": "led-green", "STAND": "led-red", "DOUBLE": "led-yellow"}
GROUND, LOGIC, LAMPS = "GND", "3V3", "LAMP+"


@dataclass(frozen=True)
class Component:
    """One thing on the table: its reference, its part in the list, and its terminals' nets (None: left open)."""

    ref: str
    part: str
    pins: dict
    label: str = ""


@dataclass(frozen=True)
class Circuit:
    """Components by reference. `build` is one of the list's builds."""

    build: str
    components: dict

    def nets(self):
        """{net: [(reference, terminal), ...]}, in the order of the components."""
        found = {}
        for component in self.components.values():
            for terminal, net in component.pins.items():
                if net is not None:
                    found.setdefault(net, []).append((component.ref, terminal))
        return found

    def of(self, part):
        """The components that are one part."""
        return [component for component in self.components.values() if component.part == part]


class _Maker:
    def __init__(self):
        self.components = {}
        self._last = {}

    def put(self, prefix, part, pins, label="", number=None):
        self._last[prefix] = number or self._last.get(prefix, 0) + 1
        ref = f"{prefix}{self._last[prefix]}"
        self.components[ref] = Component(ref, part, pins, label)


def circuit(build, pinmap):
    """The circuit of a build, from the checked pin map."""
    make = _Maker()
    make.put("U", "pico", _pico(build, pinmap))
    make.put("DS", "panel", {"GND": GROUND, "VCC": LOGIC, "SCL": "SCL", "SDA": "SDA"})
    for signal in ("SDA", "SCL"):
        make.put("R", "pullup", {"1": LOGIC, "2": signal}, signal)
    arcade = build != "breadboard"
    for key in KEYS:
        (_arcade_key if arcade else _key)(make, key)
    for key in KEYS:
        if arcade:
            _arcade_lamp(make, key, "lamp-" + build.removeprefix("arcade-"))
        else:
            _lamp(make, key)
    make.put("R", "piezo-resistor", {"1": "PIEZO", "2": "SOUND"}, "PIEZO")
    make.put("BZ", "piezo", {"+": "SOUND", "-": GROUND})
    make.put("S", "tap", {"VCC": LOGIC, "GND": GROUND, "OUT": "TAP"})
    make.put("S", "wave", {"VCC": LOGIC, "GND": GROUND, "OUT": "WAVE"})
    make.put("JP", "strap", {"1": "STRAP", "2": GROUND})
    if arcade:
        _connectors(make, build)
        _supply(make, build)
    return Circuit(build, make.components)


def circuits(builds, pinmap):
    """{build: circuit} for all builds."""
    return {build: circuit(build, pinmap) for build in builds}


def _pico(build, pinmap):
    pins = {}
    for wire in pinmap["wire"]:
        pins[str(wire["pin"])] = None if wire.get("reserved") else wire["signal"]
    for row in pinmap["power"]:
        if build in row.get("builds", (build,)):
            pins[str(row["pin"])] = row["name"].partition(".")[0]
    return pins


def _key(make, key):
    make.put("SW", "button", {"1": f"KEYS.{key}", "2": GROUND}, key)


def _arcade_key(make, key):
    make.put("R", "key-pullup", {"1": LOGIC, "2": f"SWITCH.{key}"}, key)
    make.put("R", "key-series", {"1": f"SWITCH.{key}", "2": f"KEYS.{key}"}, key)
    make.put("C", "key-capacitor", {"1": f"KEYS.{key}", "2": GROUND}, key)
    make.put("SW", "arcade-button", {"1": f"SWITCH.{key}", "2": GROUND}, key)


def _lamp(make, key):
    make.put("R", "led-resistor", {"1": f"LAMPS.{key}", "2": f"LED.{key}"}, key)
    make.put("D", LEDS[key], {"A": f"LED.{key}", "K": GROUND}, key)


def _arcade_lamp(make, key, lamp):
    make.put("R", "base-resistor", {"1": f"LAMPS.{key}", "2": f"BASE.{key}"}, key)
    make.put("Q", "driver", {"B": f"BASE.{key}", "C": f"LAMP.{key}", "E": GROUND}, key)
    make.put("LA", lamp, {"1": LAMPS, "2": f"LAMP.{key}"}, key)


def _connectors(make, build):
    """The screw terminals of the driver board, in the order of their poles."""
    plans = {
        "panel": [GROUND, LOGIC, "SCL", "SDA"],
        "buttons": [*(f"SWITCH.{key}" for key in KEYS), GROUND],
        "lamps": [*(f"LAMP.{key}" for key in KEYS), LAMPS],
        "piezo": ["SOUND", GROUND],
        "sensors": [LOGIC, GROUND, "TAP", "WAVE"],
    }
    if build == "arcade-12v":
        plans["12 V"] = ["12V_IN", GROUND]
    for label, nets in plans.items():
        make.put("X", "screws", {str(pole): net for pole, net in enumerate(nets, 1)}, label)


def _supply(make, build):
    if build == "arcade-5v":
        # Through the Pico's own socket; VBUS is the pin behind it.
        make.put("G", "supply-usb", {"+": "VBUS", "-": GROUND})
        make.put("F", "fuse", {"1": "VBUS", "2": LAMPS})
        return
    make.put("G", "supply-12v", {"+": "12V_IN", "-": GROUND})
    make.put("J", "jack", {"+": "12V_IN", "-": GROUND})
    make.put("F", "fuse", {"1": "12V_IN", "2": "12V"})
    make.put("D", "diode", {"A": "12V", "K": LAMPS}, "reversed plug")
    make.put("PS", "buck", {"VIN": LAMPS, "GND": GROUND, "VOUT": "5V"})
    make.put("D", "diode", {"A": "5V", "K": "VSYS"}, "two supplies")
