"""The joints of an arcade build's driver board, net by net: what to solder together, and where to beep."""

from tools.hardware.bom import TITLES
from tools.pinmap import EDGE

# In the order of the build guide; a net belongs to the first whose beginning it has.
_BLOCKS = {
    "Supply": ("GND", "3V3", "VBUS", "VSYS", "LAMP+", "12V", "5V"),
    "Panel": ("SDA", "SCL"),
    "Buttons": ("KEYS.", "SWITCH."),
    "Lamps": ("LAMPS.", "BASE.", "LAMP."),
    "Sound (optional)": ("PIEZO", "SOUND"),
    "Sensors and strap (optional)": ("TAP", "WAVE", "STRAP"),
}
_OFF_BOARD = (
    "arcade-button",
    "lamp-5v",
    "lamp-12v",
    "panel",
    "piezo",
    "tap",
    "wave",
    "jack",
    "supply-usb",
    "supply-12v",
)
_NAMES = {str(pin): name.partition(".")[0] for name, pin in EDGE.items()}


def page(circuit, parts):
    """The page."""
    lines = [
        f"# {TITLES[circuit.build]}: the joints of the driver board",
        "",
        "Written by `make hardware`. Each line is one net: everything in it is joined, and with nothing else. Solder",
        "it, tick it, and let the meter beep from the first to the last. X are the screw terminals; their other side",
        f"is in the [harness](../harness/{circuit.build}.svg). References are those of the",
        f"[schematic](../schematic/{circuit.build}.svg). A BC337 with its flat side towards you, legs down: C, B, E.",
        "The ring of a diode is its K. Resistors, capacitors and the fuse may be turned round.",
    ]
    nets = circuit.nets()
    for block in _BLOCKS:
        rows = [net for net in nets if _block(net) == block]
        lines += ["", f"## {block}", "", "| net | join | |", "|---|---|---|"]
        for net in rows:
            names = [_name(circuit, parts, place) for place in nets[net]]
            joined = [name for name in names if name]
            lines.append(f"| {net} | {', '.join(joined)} | \u2610 |")
    return "\n".join(lines) + "\n"


def _block(net):
    return next((block for block, begins in _BLOCKS.items() if net.startswith(begins)), "Supply")


def _name(circuit, parts, place):
    ref, terminal = place
    component = circuit.components[ref]
    if component.part in _OFF_BOARD:
        return ""
    if component.part == "pico":
        return f"Pico pin {terminal} ({_NAMES[terminal]})"
    value = parts[component.part].value
    leg = (
        ""
        if component.part in ("pullup", "key-series", "key-pullup", "key-capacitor", "base-resistor")
        else f".{terminal}"
    )
    leg = "" if component.part in ("piezo-resistor", "fuse") else leg
    return f"{ref}{leg} ({value})" if value and not leg else f"{ref}{leg}"
