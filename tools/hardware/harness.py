"""The wires of an arcade build, from the driver board's screw terminals to what is in the case: as WireViz reads it.

WireViz and Graphviz draw it; a drawing carries the digest of what it was drawn from, so that a machine without them
still notices one that is out of date.
"""

import contextlib
import hashlib
import io
import re
import shutil
import subprocess
import tempfile
from pathlib import Path

from tools.hardware.circuit import KEYS

_CODES = {
    "red": "RD",
    "black": "BK",
    "blue": "BU",
    "yellow": "YE",
    "white": "WH",
    "green": "GN",
    "orange": "OG",
    "violet": "VT",
    "gray": "GY",
    "brown": "BN",
}
_HEAD = "# Written by `make hardware` from hardware/pinmap.toml and parts.toml; drawn by WireViz.\n"
_MARK = re.compile(r"<!-- drawn from sha256 ([0-9a-f]{64}) by (.*) -->")


class _Harness:
    def __init__(self, circuit, parts, colours):
        self.circuit, self.wires, self.colours = circuit, parts.wires[circuit.build], colours
        self.connectors, self.cables, self.links = [], [], []

    def block(self, label):
        """The reference of a row of screw terminals, with its nets by pole."""
        found = next(each for each in self.circuit.of("screws") if each.label == label)
        return found.ref, list(found.pins.values())

    def connector(self, ref, kind, labels, style=""):
        names = ", ".join(f'"{label}"' for label in labels)
        self.connectors.append(f'  {ref}: {{type: "{kind}", pinlabels: [{names}]{style}}}')

    def cable(self, name, colours, metres, note=""):
        codes = ", ".join(_CODES[colour] for colour in colours)
        extra = f', notes: "{note}"' if note else ""
        self.cables.append(
            f"  {name}: {{gauge: 0.25 mm2, length: {metres:g}, colors: [{codes}], show_wirecount: false{extra}}}"
        )

    def link(self, *ends):
        self.links.append("  -\n" + "\n".join(f"    - {name}: {pins}" for name, pins in ends))

    def text(self):
        options = 'options: {fontname: "DejaVu Sans", bgcolor: WH}'
        return (
            _HEAD
            + f"{options}\nconnectors:\n"
            + "\n".join(self.connectors)
            + "\ncables:\n"
            + "\n".join(self.cables)
            + "\nconnections:\n"
            + "\n".join(self.links)
            + "\n"
        )


def source(circuit, pinmap, parts):
    """The YAML."""
    colours = {wire["signal"]: wire["colour"] for wire in pinmap["wire"]}
    plan = _Harness(circuit, parts, colours)
    _straight(
        plan,
        "panel",
        "DS1",
        "OLED panel",
        ("GND", "VCC", "SCL", "SDA"),
        ("black", "red", colours["SCL"], colours["SDA"]),
        plan.wires["panel"],
        "short: I2C",
    )
    _pairs(plan, "buttons", "SW", ("NO", "C"), "KEYS", "black", "switch")
    _pairs(plan, "lamps", "LA", ("minus", "plus"), "LAMPS", "red", "lamp")
    _straight(plan, "piezo", "BZ1", "piezo (optional)", ("+", "-"), (colours["PIEZO"], "black"), plan.wires["panel"])
    _sensors(plan)
    if circuit.build == "arcade-12v":
        _straight(plan, "12 V", "J1", "DC jack", ("inner", "outer"), ("red", "black"), plan.wires["panel"])
    return plan.text()


def _straight(plan, label, ref, kind, names, colours, metres, note=""):
    block, nets = plan.block(label)
    cable = f"W{len(plan.cables) + 1}"
    plan.connector(block, f"screws: {label}", nets)
    plan.connector(ref, kind, names)
    plan.cable(cable, colours, metres, note)
    span = f"[1-{len(names)}]"
    plan.link((block, span), (cable, span), (ref, span))


def _pairs(plan, label, ref, names, group, common, kind):
    """A pair of wires to each button; one wire of each goes to the common pole."""
    block, nets = plan.block(label)
    plan.connector(block, f"screws: {label}", nets)
    for number, key in enumerate(KEYS, 1):
        cable = f"W{len(plan.cables) + 1}"
        plan.connector(f"{ref}{number}", f"button {key}: {kind}", names)
        plan.cable(cable, (plan.colours[f"{group}.{key}"], common), plan.wires["keys"])
        plan.link((block, f"[{number}, 5]"), (cable, "[1-2]"), (f"{ref}{number}", "[1-2]"))


def _sensors(plan):
    block, nets = plan.block("sensors")
    plan.connector(block, "screws: sensors", nets)
    for ref, kind, pole, signal in (
        ("S1", "tap sensor (optional)", 3, "TAP"),
        ("S2", "wave sensor (optional)", 4, "WAVE"),
    ):
        cable = f"W{len(plan.cables) + 1}"
        plan.connector(ref, kind, ("VCC", "GND", "OUT"))
        plan.cable(cable, ("red", "black", plan.colours[signal]), plan.wires["keys"])
        plan.link((block, f"[1, 2, {pole}]"), (cable, "[1-3]"), (ref, "[1-3]"))


def tools():
    """The names and versions of what draws, or None when one of them is not installed."""
    if shutil.which("dot") is None:
        return None
    try:
        from wireviz import __version__  # noqa: PLC0415 - an extra
    except ImportError:
        return None
    said = subprocess.run(["dot", "-V"], capture_output=True, text=True, check=False).stderr
    found = re.search(r"version ([\d.]+)", said)
    return f"WireViz {__version__}, Graphviz {found[1] if found else '?'}"


def drawn_from(svg):
    """(digest of the YAML, tools) that a drawing says it was made from; ("", "") when it does not say."""
    found = _MARK.search(svg)
    return (found[1], found[2]) if found else ("", "")


def digest(yaml):
    """What a drawing of this YAML must carry."""
    return hashlib.sha256(yaml.encode()).hexdigest()


def draw(yaml):
    """(SVG, parts list as TSV), without what changes from run to run. Needs what `tools` looks for."""
    from wireviz.wireviz import parse  # noqa: PLC0415 - an extra

    with tempfile.TemporaryDirectory() as folder, contextlib.redirect_stdout(io.StringIO()):
        parse(yaml, output_formats=("svg", "tsv"), output_dir=folder, output_name="harness")
        svg = (Path(folder) / "harness.svg").read_text(encoding="utf-8")
        tsv = next(Path(folder).glob("*.tsv")).read_text(encoding="utf-8")
    svg = re.sub(r"<!--.*?-->\s*", "", svg, flags=re.DOTALL)
    return f"{svg.rstrip()}\n<!-- drawn from sha256 {digest(yaml)} by {tools()} -->\n", tsv
