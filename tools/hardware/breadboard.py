"""A picture of the breadboard build: every leg and every wire in its hole, and read back through the board's strips."""

from html import escape

from tools.hardware import pictured
from tools.hardware.circuit import KEYS
from tools.hardware.joined import Joined, differences
from tools.hardware.schematic import DrawingFault

PITCH, COLUMNS = 20, 63
_X0, _Y0 = 70, 150
# Height of each row of holes, in pitches below the upper rail: as on boards of 830 holes.
ROWS = {"+": 0, "-": 1, "a": 4, "b": 5, "c": 6, "d": 7, "e": 8, "f": 11, "g": 12, "h": 13, "i": 14, "j": 15}
ROWS |= {"p": 18, "m": 19}  # the lower rails, plus and minus
_RAILS = "+-pm"
NOTE = (
    "Piezo, sensors and JP1 are optional; JP1 makes it an arcade table, leave it off while you build. "
    "Where the rails are broken in the middle, bridge them; where a rail has no hole at a column, take the next one."
)
_FIRST = 24  # column of the first button's left legs
_STEP = 7
_PANEL = 57


def place(hole):
    """The pixel of a hole, as "a5"."""
    return _X0 + PITCH * int(hole[1:]), _Y0 + PITCH * ROWS[hole[0]]


def strip(hole):
    """What the board's metal joins a hole with."""
    row, column = hole[0], int(hole[1:])
    if not 1 <= column <= COLUMNS:
        raise DrawingFault(f"breadboard: there is no hole {hole}")
    if row in _RAILS:
        return row
    return ("upper" if row in "abcde" else "lower", column)


def draw(circuit, pinmap, parts):
    """The SVG. Raises DrawingFault when two legs share a hole, or when the board, read back, is not the circuit."""
    board = _Board(circuit, pinmap, parts)
    board.build()
    wrong = list(differences(board.joined.groups(board.legs), circuit))
    if wrong:
        raise DrawingFault("breadboard: " + "; ".join(wrong))
    return board.svg()


def page(circuit, pinmap, parts):
    """The list of what goes into which hole, step by step, as Markdown."""
    board = _Board(circuit, pinmap, parts)
    board.build()
    lines = [
        "# The breadboard, hole by hole",
        "",
        "Written by `make hardware`; the same as [breadboard.svg](breadboard.svg).",
    ]
    lines += [
        "Rows are letters, columns numbers. Upper rails: +, -. Lower rails: lower +, lower -. All holes of a rail are",
        "one: where yours has a gap at the number, take the next hole. A wire of another colour does as well.",
    ]
    for heading, steps in board.steps.items():
        lines += ["", f"## {heading}", "", "| what | into | |", "|---|---|---|"]
        lines += [f"| {what} | {', '.join(_spoken(hole) for hole in holes)} | \u2610 |" for what, holes in steps]
    return "\n".join(lines) + "\n"


def _spoken(hole):
    rail = {"+": "+", "-": "-", "p": "lower +", "m": "lower -"}.get(hole[0])
    return f"{rail} at {hole[1:]}" if rail else hole


class _Board:
    def __init__(self, circuit, pinmap, parts):
        self.circuit, self.pinmap, self.parts = circuit, pinmap, parts
        self.joined, self.legs, self._taken = Joined(), {}, {}
        self._things, self._wires, self._texts = [], [], []
        self.steps = {}  # heading: what goes into which holes
        self._heading = ""

    def build(self):
        """Put everything into its holes."""
        self._heading = "Pico and supply"
        self._pico()
        self._feeds()
        self._heading = "Panel"
        self._panel()
        for number, key in enumerate(KEYS):
            self._key(key, _FIRST + _STEP * number, number)
        self._heading = "Sound (optional)"
        self._piezo()
        self._heading = "Arcade strap (optional)"
        self._strap()
        self._heading = "Sensors (optional)"
        self._sensors()

    # Holes and wires

    def _leg(self, ref, terminal, hole):
        self._take(hole, f"{ref}.{terminal}")
        if (ref, terminal) in self.legs:
            self.joined.same(self.legs[ref, terminal], strip(hole))
        self.legs[ref, terminal] = strip(hole)

    def _take(self, hole, who):
        if hole in self._taken:
            raise DrawingFault(f"breadboard: {who} and {self._taken[hole]} share the hole {hole}")
        self._taken[hole] = who

    def _wire(self, colour, start, end, *between):
        """A wire from hole to hole, through these pixels."""
        self._take(start, f"a wire to {end}")
        self._take(end, f"a wire from {start}")
        self.joined.same(strip(start), strip(end))
        self._wires.append(pictured.wire(colour, [place(start), *between, place(end)]))
        self._note(f"{colour} wire", start, end)

    def _note(self, what, *holes):
        self.steps.setdefault(self._heading, []).append((what, holes))

    def _colour(self, signal):
        return next(row["colour"] for row in self.pinmap["wire"] if row["signal"] == signal)

    def _one(self, part, label=None):
        return next(each for each in self.circuit.of(part) if label in (None, each.label))

    def _hole(self, signal, row):
        """A hole beside the Pico's pin of a signal."""
        pin = next(each["pin"] for each in self.pinmap["wire"] if each["signal"] == signal)
        return f"{row}{pin if pin <= 20 else 41 - pin}"

    # Parts

    def _pico(self):
        pico = self._one("pico")
        grounds = []
        for pin in range(1, 41):
            hole = f"h{pin}" if pin <= 20 else f"c{41 - pin}"
            self._take(hole, f"pin {pin}")
            net = pico.pins.get(str(pin))
            if net is None:
                continue
            self.legs[pico.ref, str(pin)] = strip(hole)
            if net == "GND":
                grounds.append(hole)
        for hole in grounds:  # one plane inside the Pico
            self.joined.same(strip(grounds[0]), strip(hole))
        self._note("Pico, USB to the left: pins 40 and 21", "c1", "c20")
        self._note("the same: pins 1 and 20", "h1", "h20")
        self._things.append(pictured.pico(place("c1"), place("h20"), PITCH, pico.pins))

    def _feeds(self):
        self._wire("red", "a5", "+5")
        self._wire("black", "a18", "-18")
        self._wire("black", "a13", "-13")
        self._wire("black", "j3", "m3")
        self._wire("black", "j13", "m13")
        self._wire("red", "+22", "p22")

    def _key(self, key, column, number):
        lamp = f"LAMPS.{key}"
        self._heading = "Buttons"
        button, resistor = self._one("button", key), self._one("led-resistor", key)
        led = next(
            each
            for each in self.circuit.components.values()
            if each.label == key and each.part.startswith("led-") and each.ref[0] == "D"
        )
        glow = led.part.removeprefix("led-")
        for terminal, at in (("1", column), ("2", column + 2)):
            for row in "dg":
                self._leg(button.ref, terminal, f"{row}{at}")
        self._things.append(pictured.button(place(f"d{column}"), place(f"g{column + 2}"), PITCH, glow, key))
        self._note(f"button {key} ({button.ref})", *(f"{row}{at}" for row in "dg" for at in (column, column + 2)))
        self._wire("black", f"a{column + 2}", f"-{column + 2}")
        start, end = self._hole(f"KEYS.{key}", "j"), f"j{column}"
        self._under(self._colour(f"KEYS.{key}"), start, end, 4 - number)
        self._heading = "Lamps"
        self._leg(resistor.ref, "1", f"b{column + 1}")
        self._leg(resistor.ref, "2", f"b{column + 5}")
        self._things.append(
            pictured.resistor(
                place(f"b{column + 1}"), place(f"b{column + 5}"), self.parts["led-resistor"]["ohms"], resistor.ref
            )
        )
        self._note(f"{resistor.ref}, {self.parts['led-resistor'].value} Ohm", f"b{column + 1}", f"b{column + 5}")
        self._leg(led.ref, "A", f"a{column + 5}")
        self._leg(led.ref, "K", f"-{column + 5}")
        self._things.append(pictured.led(place(f"a{column + 5}"), place(f"-{column + 5}"), glow, led.ref))
        self._note(f"{led.ref}, {glow}: long leg, short leg", f"a{column + 5}", f"-{column + 5}")
        start, end = self._hole(lamp, "a"), f"a{column + 1}"
        self._over(self._colour(lamp), start, end, 5 - number)

    def _over(self, colour, start, end, lane):
        """A wire above the board's upper edge."""
        y = _Y0 - 32 - 9 * lane
        self._wire(colour, start, end, (place(start)[0], y), (place(end)[0], y))

    def _under(self, colour, start, end, lane, *more):
        """A wire in the gap between the holes and the lower rails."""
        y = place("j1")[1] + 7 + 6 * lane
        last = more[0][0] if more else place(end)[0]
        self._wire(colour, start, end, (place(start)[0], y), (last, y), *more)

    def _panel(self):
        panel = self._one("panel")
        order = ("GND", "VCC", "SCL", "SDA")
        for number, terminal in enumerate(order):
            self._leg(panel.ref, terminal, f"j{_PANEL + number}")
        self._note("panel, display up: GND, VCC, SCL, SDA", *(f"j{_PANEL + number}" for number in range(4)))
        self._things.append(pictured.panel(place(f"j{_PANEL}"), place(f"j{_PANEL + 3}"), PITCH, order))
        for number, (colour, rail) in enumerate((("black", "-"), ("red", "+"))):
            column = _PANEL + number
            self._wire(colour, f"f{column}", f"e{column}")
            self._wire(colour, f"a{column}", f"{rail}{column}")
        for signal, column, lane, row in (("SCL", _PANEL + 2, 5, "h"), ("SDA", _PANEL + 3, 6, "g")):
            pull = self._one("pullup", signal)
            self._note(f"{pull.ref}, {self.parts['pullup'].value}Ohm", f"e{column}", f"f{column}")
            self._leg(pull.ref, "1", f"e{column}")
            self._leg(pull.ref, "2", f"f{column}")
            self._things.append(
                pictured.resistor(
                    place(f"e{column}"),
                    place(f"f{column}"),
                    self.parts["pullup"]["ohms"],
                    "R2 R1" if signal == "SDA" else "",
                )
            )
            self._wire("red", f"a{column}", f"+{column}")
            end = f"{row}{column}"
            x = place(f"a{_PANEL - 5}")[0] + (8 if signal == "SCL" else -2)
            y = place(end)[1]
            self._under(
                self._colour(signal), self._hole(signal, "j"), end, lane, (x, place("j1")[1] + 7 + 6 * lane), (x, y)
            )

    def _piezo(self):
        piezo, resistor = self._one("piezo"), self._one("piezo-resistor")
        self._leg(resistor.ref, "1", "d49")
        self._leg(resistor.ref, "2", "d53")
        self._things.append(
            pictured.resistor(place("d49"), place("d53"), self.parts["piezo-resistor"]["ohms"], resistor.ref)
        )
        self._note(f"{resistor.ref}, {self.parts['piezo-resistor'].value} Ohm", "d49", "d53")
        self._note(f"piezo {piezo.ref}: +, -", "a53", "a55")
        self._leg(piezo.ref, "+", "a53")
        self._leg(piezo.ref, "-", "a55")
        self._things.append(pictured.piezo(place("a53"), place("a55"), PITCH, piezo.ref))
        self._wire("black", "d55", "d57")
        self._over(self._colour("PIEZO"), self._hole("PIEZO", "a"), "c49", 1)

    def _strap(self):
        strap = self._one("strap")
        self._note("jumper JP1: only for an arcade table", "i8", "i9")
        self._leg(strap.ref, "1", "i9")
        self._leg(strap.ref, "2", "i8")
        self._things.append(pictured.jumper(place("i8"), place("i9")))

    def _sensors(self):
        """Beside the board, on wires of their own: each terminal's wire ends in one hole."""
        top = place("m1")[1] + 70
        for part, column, words, out in (("tap", 4, "tap sensor", "TAP"), ("wave", 13, "hand-wave sensor", "WAVE")):
            sensor = self._one(part)
            x = place(f"a{column}")[0]
            pins = {"VCC": x + 20, "GND": x + 60, "OUT": x + 100}
            self._things.append(pictured.module(x, top, 120, 60, words, pins))
            colour, hole = self._colour(out), self._hole(out, "j")
            for terminal, colour_, end in (
                ("VCC", "red", f"p{column + 1}"),
                ("GND", "black", f"m{column + 4}"),
                ("OUT", colour, hole),
            ):
                self._leg(sensor.ref, terminal, end)
                points = [place(end), (pins[terminal], top + 4)]
                if terminal == "OUT":
                    y = place("m1")[1] + (42 if part == "tap" else 32)
                    points[1:1] = [(place(end)[0], y), (pins[terminal], y)]
                self._wires.append(pictured.wire(colour_, points))
                self._note(f"{colour_} wire from {terminal} of the {words}", end)

    def svg(self):
        """The picture."""
        width, height = _X0 + PITCH * (COLUMNS + 3), _Y0 + PITCH * 27 + 10
        upper, lower = place("+1")[1] - 20, place("m1")[1] + 20
        body = [pictured.board(_X0, upper, PITCH * (COLUMNS + 1), lower - upper, PITCH, ROWS, place, COLUMNS)]
        title = "Holecard on a breadboard"
        return (
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" height="{height}" '
            f'role="img">\n<title>{escape(title)}</title>\n<style>{pictured.STYLE}</style>\n'
            f'<rect width="{width}" height="{height}" fill="#ffffff"/>\n'
            f'<text class="head" x="{_X0}" y="36">{escape(title)}</text>\n'
            f'<text class="note" x="{_X0}" y="56">{escape(NOTE)}</text>\n'
            + "\n".join([*body, *self._things, *self._wires])
            + "\n</svg>\n"
        )
