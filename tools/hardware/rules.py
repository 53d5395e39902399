"""Electrical rules: what may be joined to what, as the rule check of a schematic editor knows it, and what a pin bears.

`faults(circuit, parts)` gives a sentence for each fault; none of them means that the circuit is right, only that it is
not wrong in these ways.
"""

from tools.hardware.circuit import GROUND, LOGIC
from tools.pinmap import EDGE

PASSIVE, INPUT, OUTPUT, OPEN, SOURCE, SINK, EARTH = "passive", "input", "output", "open", "source", "sink", "earth"
# Terminals that are more than a piece of metal. A bus line only pulls down; sensors may do either.
KINDS = {
    "panel": {"VCC": SINK, "GND": EARTH, "SCL": OPEN, "SDA": OPEN},
    "tap": {"VCC": SINK, "GND": EARTH, "OUT": OUTPUT},
    "wave": {"VCC": SINK, "GND": EARTH, "OUT": OUTPUT},
    "buck": {"VIN": SINK, "GND": EARTH, "VOUT": SOURCE},
    "supply-usb": {"+": SOURCE, "-": EARTH},
    "supply-12v": {"+": SOURCE, "-": EARTH},
}
_PICO = {"KEYS": INPUT, "TAP": INPUT, "WAVE": INPUT, "STRAP": INPUT, "LAMPS": OUTPUT, "PIEZO": OUTPUT}
_PICO |= {"SDA": OPEN, "SCL": OPEN}
_PICO_POWER = {"3V3": SOURCE, "GND": EARTH, "VSYS": SINK, "VBUS": PASSIVE}
_NAMES = {str(pin): name.partition(".")[0] for name, pin in EDGE.items()}
_THROUGH = ("fuse", "diode")
# A transistor and a module end the way that a voltage can take; all else lets it pass when no current flows.
_BLOCKS = ("driver", "pico", "panel", "buck", "tap", "wave", "screws")


def kind(component, terminal):
    """What a terminal is, electrically."""
    if component.part != "pico":
        return KINDS.get(component.part, {}).get(terminal, PASSIVE)
    name = _NAMES[terminal]
    if name in _PICO_POWER:
        return _PICO_POWER[name]
    return _PICO.get((component.pins[terminal] or "").partition(".")[0], PASSIVE)


def faults(circuit, parts):
    """A sentence for each rule that is broken."""
    nets = circuit.nets()
    return [*_open(circuit), *_nets(circuit, nets), *_fed(circuit, nets), *_voltages(circuit, parts)]


def _open(circuit):
    for component in circuit.components.values():
        for terminal, net in component.pins.items():
            if net is None and component.part != "pico":
                yield f"{component.ref} ({component.part}): terminal {terminal} is connected to nothing"


def _nets(circuit, nets):
    for net, terminals in nets.items():
        if len(terminals) == 1:
            ref, terminal = terminals[0]
            yield f"{net}: only {ref}.{terminal} is on it, so it leads nowhere"
        kinds = {place: kind(circuit.components[place[0]], place[1]) for place in terminals}
        driving = [place for place, what in kinds.items() if what in (OUTPUT, SOURCE)]
        if len(driving) > 1:
            names = " and ".join(f"{ref}.{terminal}" for ref, terminal in driving)
            yield f"{net}: {names} both drive it"
        if OUTPUT in kinds.values() and net in (GROUND, LOGIC):
            yield f"{net}: an output is shorted to it"
        for (ref, terminal), what in kinds.items():
            if (what == EARTH) != (net == GROUND) and what in (EARTH, SOURCE):
                yield f"{ref}.{terminal} is on {net}: a ground and a supply are joined"
            if what == INPUT and len(terminals) > 1 and not _driver(circuit, terminals, ref):
                yield f"{net}: nothing that could drive the input {ref}.{terminal} is on it"


def _driver(circuit, terminals, ref):
    return any(other != ref and circuit.components[other].part not in ("key-capacitor",) for other, _ in terminals)


def _fed(circuit, nets):
    fed = {net for net, terminals in nets.items() if _is(circuit, terminals, SOURCE)}
    grown = True
    while grown:
        grown = False
        for component in circuit.components.values():
            if component.part in _THROUGH and set(component.pins.values()) & fed:
                new = set(component.pins.values()) - fed
                fed |= new
                grown = grown or bool(new)
    for net, terminals in nets.items():
        if _is(circuit, terminals, SINK) and net not in fed:
            yield f"{net}: nothing feeds what takes its supply from it"


def _is(circuit, terminals, what):
    return any(kind(circuit.components[ref], terminal) == what for ref, terminal in terminals)


def _voltages(circuit, parts):
    bears = parts["pico"]["volts"][1]
    for net, volts in highest(circuit, parts).items():
        for ref, terminal in circuit.nets()[net]:
            component = circuit.components[ref]
            if component.part == "pico" and _NAMES[terminal].startswith("GP") and volts > bears:
                yield (
                    f"{_NAMES[terminal]} ({net}) would see {volts:g} V and bears {bears:g} V: "
                    "put a transistor between them"
                )


def highest(circuit, parts):
    """{net: volts} the highest voltage that can come to a net, through anything that lets a voltage pass."""
    found = {GROUND: 0.0, LOGIC: parts["panel"]["volts"]}
    for component in circuit.components.values():
        if component.part.startswith("supply") or component.part == "buck":
            out = component.pins["VOUT" if component.part == "buck" else "+"]
            found[out] = parts[component.part]["volts"]
        if component.part in ("tap", "wave"):
            net = component.pins["OUT"]
            found[net] = max(found.get(net, 0.0), parts[component.part]["output"])
    changed = True
    while changed:
        changed = False
        for component in circuit.components.values():
            if component.part in _BLOCKS:
                continue
            nets = [net for net in component.pins.values() if net not in (None, GROUND)]
            top = max((found.get(net, 0.0) for net in nets), default=0.0)
            for net in nets:
                if found.get(net, 0.0) < top and net not in (LOGIC,):
                    found[net] = top
                    changed = True
    return {net: found.get(net, 0.0) for net in circuit.nets()}
