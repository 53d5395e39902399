"""What is wired to what: reads hardware/pinmap.toml, refuses nonsense, and writes everything that follows from it.

python tools/pinmap.py          write the files
python tools/pinmap.py --check  exit 1 when one of them is not what would be written
"""

import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
if str(ROOT) not in sys.path:
    sys.path.insert(0, str(ROOT))

from tools import pinmap_pi, wokwi  # noqa: E402 - only found once the root is on the path
from tools.hardware import parts  # noqa: E402

SOURCE = ROOT / "hardware" / "pinmap.toml"
PINS = ROOT / "firmware" / "holecard" / "boards" / "pico_pins.py"
WIRING = ROOT / "docs" / "wiring.md"
PI_PINS = PINS.with_name("raspberry_pi_pins.py")
PI_WIRING = ROOT / "docs" / "raspberry-pi.md"
BEGIN, END = "<!-- pins: written by make pinmap -->", "<!-- end of pins -->"

# The Pico's edge, pin 1 to 40 (Pico datasheet, figure 2); the grounds are numbered as Wokwi numbers them.
_EDGE = """
GP0 GP1 GND.1 GP2 GP3 GP4 GP5 GND.2 GP6 GP7 GP8 GP9 GND.3 GP10 GP11 GP12 GP13 GND.4 GP14 GP15
GP16 GP17 GND.5 GP18 GP19 GP20 GP21 GND.6 GP22 RUN GP26 GP27 GND.7 GP28 ADC_VREF 3V3 3V3_EN GND.8 VSYS VBUS
"""
EDGE = {name: pin for pin, name in enumerate(_EDGE.split(), 1)}
# GPIOs that can carry the data and the clock of each I2C bus (RP2040 datasheet, table 2).
SDA_OF = {0: (0, 4, 8, 12, 16, 20, 28), 1: (2, 6, 10, 14, 18, 26)}
_HEAD = '"""What is wired to which GPIO of the Pico. Written by `make pinmap` from hardware/pinmap.toml: edit that."""'
_GROUPS = {"KEYS": "BET HIT STAND DOUBLE", "LAMPS": "BET HIT STAND DOUBLE"}


class PinFault(Exception):
    """The map contradicts itself or the Pico."""


def load(path=SOURCE):
    """The map, checked. Raises PinFault with the signal's name."""
    data = parts.read(path, PinFault)
    check(data)
    return data


def check(data):
    """Raise PinFault when the map contradicts itself or the Pico."""
    for row in data["wire"]:
        _complete(row, "signal", ("gpio", "pin"))
    for row in data["power"]:
        _complete(row, "name", ("pin",))
    taken = {}
    rows = [(f"GP{wire['gpio']}", wire["signal"], wire["pin"]) for wire in data["wire"]]
    rows += [(row["name"], row["name"], row["pin"]) for row in data["power"]]
    for name, signal, pin in rows:
        if name not in EDGE:
            raise PinFault(f"{signal}: the Pico has no {name} on its edge")
        if EDGE[name] != pin:
            raise PinFault(f"{signal}: {name} is pin {EDGE[name]}, not {pin}")
        if pin in taken:
            raise PinFault(f"{signal}: {name} is taken by {taken[pin]}")
        taken[pin] = signal
    for name, members in _GROUPS.items():
        found = [wire["signal"].partition(".")[2] for wire in data["wire"] if wire["signal"].startswith(name + ".")]
        if found != members.split():
            raise PinFault(f"{name}: needs {members}, in this order")
    bus = data["bus"]["number"]
    sda, scl = gpio(data, "SDA"), gpio(data, "SCL")
    if sda not in SDA_OF[bus] or scl - 1 not in SDA_OF[bus]:
        raise PinFault(f"SDA, SCL: GP{sda} and GP{scl} are not the pins of I2C{bus}")
    why = pinmap_pi.fault(data)
    if why:
        raise PinFault(why)


def _complete(row, name, numbers):
    """Raise PinFault when an entry lacks a field, or has no number where one is needed."""
    who = row.get(name) or f"the entry for {row.get('part')}, {row.get('terminal')}"
    for field in (name, *numbers, "colour", "part", "terminal", "note"):
        if not isinstance(row.get(field), int if field in numbers else str):
            raise PinFault(f"{who}: needs {field} = a {'number' if field in numbers else 'text'}")


def gpio(data, signal):
    """The GPIO of one signal."""
    return next(wire["gpio"] for wire in data["wire"] if wire["signal"] == signal)


def group(data, name):
    """The GPIOs of a group, in the order of the keys."""
    return tuple(wire["gpio"] for wire in data["wire"] if wire["signal"].startswith(name + "."))


def pins_module(data):
    """The text of pico_pins.py."""
    return f"""{_HEAD}

I2C_BUS = {data["bus"]["number"]}
SDA = {gpio(data, "SDA")}
SCL = {gpio(data, "SCL")}
I2C_HZ = {data["bus"]["hertz"]:_}

# Buttons short their pin to ground, lamps light when their pin is high; order: BET, HIT, STAND, DOUBLE.
KEYS = {group(data, "KEYS")}
LAMPS = {group(data, "LAMPS")}

# Optional: a passive piezo, two sensors that pull their pin low, and a strap to ground that makes an arcade table.
PIEZO = {gpio(data, "PIEZO")}
TAP = {gpio(data, "TAP")}
WAVE = {gpio(data, "WAVE")}
STRAP = {gpio(data, "STRAP")}
"""


def wiring_table(data):
    """The table for docs/wiring.md: every wire in the order of the Pico's pins."""
    rows = [(wire["pin"], f"GP{wire['gpio']}", wire) for wire in data["wire"]]
    rows += [(row["pin"], row["name"].partition(".")[0], row) for row in data["power"]]
    lines = ["| pin | name | wire | to | | note |", "|---|---|---|---|---|---|"]
    for pin, name, row in sorted(rows, key=lambda entry: entry[0]):
        need = "reserved" if row.get("reserved") else "optional" if row.get("optional") else ""
        need = need or ", ".join(row.get("builds", []))
        lines.append(
            f"| {pin} | {name} | {row['colour']} | {row['part']}, {row['terminal']} | {need} | {row['note']} |"
        )
    return "\n".join(lines)


def with_table(text, table):
    """A document with what stands between the two marks replaced. Raises PinFault when it has no marks."""
    before, begin, rest = text.partition(BEGIN)
    _, end, after = rest.partition(END)
    if not begin or not end:
        raise PinFault(f"the page needs the marks {BEGIN} and {END}")
    return f"{before}{begin}\n{table}\n{end}{after}"


def outputs(data):
    """Every file that follows from the map, and its text."""
    return {
        PINS: pins_module(data),
        ROOT / "hardware" / "wokwi" / "diagram.json": wokwi.diagram(data, parts.load()),
        ROOT / "hardware" / "wokwi" / "wokwi.toml": wokwi.project(),
        WIRING: with_table(WIRING.read_text(encoding="utf-8"), wiring_table(data)),
        PI_PINS: pinmap_pi.pins_module(data),
        PI_WIRING: with_table(PI_WIRING.read_text(encoding="utf-8"), pinmap_pi.wiring_table(data)),
    }


def main(arguments):
    """Write the files, or compare them."""
    try:
        stale = [
            (path, text)
            for path, text in outputs(load()).items()
            if not path.exists() or path.read_text(encoding="utf-8") != text
        ]
    except (PinFault, parts.PartFault) as fault:
        print(f"pinmap: {fault}", file=sys.stderr)
        return 2
    for path, text in stale:
        name = path.relative_to(ROOT)
        if "--check" in arguments:
            print(f"pinmap: {name} is not what hardware/pinmap.toml says: run make pinmap", file=sys.stderr)
        else:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")
            print(f"pinmap: wrote {name}")
    return 1 if stale and "--check" in arguments else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
