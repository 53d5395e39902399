"""The table as a project of the Wokwi simulator: its parts where they can be seen, its wires from the pin map.

Format: https://docs.wokwi.com/diagram-format; a connection is [from, to, colour, path], parts are called by their id.
"""

import json

_COLOURS = {"BET": "white", "HIT": "green", "STAND": "red", "DOUBLE": "yellow"}
_PICO = "pico"
_STEP = 96  # pixels from button to button


def diagram(data, listed):
    """The text of diagram.json, with the values of the list of parts."""
    led, sound = (f"{listed[name]['ohms']:.0f}" for name in ("led-resistor", "piezo-resistor"))
    parts = [
        _part("wokwi-pi-pico", _PICO, 0, 0, {}),
        _part("board-ssd1306", "panel", -150, 10, {"i2cAddress": "0x3c"}),
        _part("wokwi-buzzer", "piezo", 20, 330, {"volume": "0.1"}),
        _part("wokwi-resistor", "resistor-PIEZO", 130, 230, {"value": sound}),
        _part("wokwi-slide-switch", "strap", -70, -130, {"value": "1"}),
        _part("wokwi-pushbutton-6mm", "tap", 40, -150, {"color": "gray", "label": "tap", "key": "t"}),
        _part("wokwi-pushbutton-6mm", "wave", 110, -150, {"color": "gray", "label": "wave", "key": "w"}),
    ]
    for index, (name, colour) in enumerate(_COLOURS.items()):
        left = 40 + index * _STEP - 2 * _STEP
        label = {"color": colour, "label": name, "key": name[0].lower()}
        parts.append(_part("wokwi-pushbutton", f"button-{name}", 420, left, label))
        parts.append(_part("wokwi-led", f"lamp-{name}", 330, left + 10, {"color": colour}))
        parts.append(_part("wokwi-resistor", f"resistor-{name}", 280, left, {"value": led}, rotate=90))
    wires = [wire for row in data["wire"] if not row.get("reserved") for wire in _wires(row)]
    wires.append(_wire("panel:VCC", f"{_PICO}:3V3", "red"))
    wires.append(_wire("panel:GND", f"{_PICO}:GND.1", "black"))
    whole = {
        "version": 1,
        "author": "Holecard",
        "editor": "wokwi",
        "parts": parts,
        "connections": wires,
        "dependencies": {},
    }
    return json.dumps(whole, indent=2) + "\n"


def project():
    """The text of wokwi.toml, for the extension of VS Code and for wokwi-cli."""
    return """\
# Written by `make pinmap`. First build what runs in it: hardware/README.md
[wokwi]
version = 1
firmware = "../../build/table.uf2"
elf = "../../build/table.uf2"
"""


def _wires(row):
    signal, _, key = row["signal"].partition(".")
    pin = f"{_PICO}:GP{row['gpio']}"
    colour = row["colour"]
    if signal == "KEYS":
        return [_wire(pin, f"button-{key}:1.l", colour), _wire(f"button-{key}:2.l", f"{_PICO}:GND.3", "black")]
    if signal == "LAMPS":
        return [
            _wire(pin, f"resistor-{key}:1", colour),
            _wire(f"resistor-{key}:2", f"lamp-{key}:A", colour),
            _wire(f"lamp-{key}:C", f"{_PICO}:GND.5", "black"),
        ]
    if signal == "PIEZO":
        return [
            _wire(pin, "resistor-PIEZO:1", colour),
            _wire("resistor-PIEZO:2", "piezo:2", colour),
            _wire("piezo:1", f"{_PICO}:GND.6", "black"),
        ]
    if signal == "STRAP":
        return [_wire(pin, "strap:2", colour), _wire("strap:1", f"{_PICO}:GND.2", "black")]
    if signal in ("TAP", "WAVE"):
        part = signal.lower()
        return [_wire(pin, f"{part}:1.l", colour), _wire(f"{part}:2.l", f"{_PICO}:GND.3", "black")]
    return [_wire(pin, f"panel:{signal}", colour)]


def _part(kind, name, top, left, attributes, rotate=0):
    part = {"type": kind, "id": name, "top": top, "left": left}
    return part | ({"rotate": rotate} if rotate else {}) | {"attrs": attributes}


def _wire(start, end, colour):
    return [start, end, colour, ["v0"]]
