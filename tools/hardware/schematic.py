"""The schematic of a build, drawn by hand, in code, and read back: `draw` refuses what is not the circuit."""

from tools.hardware.circuit import KEYS, LAMPS, LOGIC
from tools.hardware.joined import differences
from tools.hardware.sheet import Sheet
from tools.pinmap import EDGE


class DrawingFault(Exception):
    """A drawing shows something else than the circuit."""


def draw(circuit, parts):
    """The SVG. Raises DrawingFault when the drawing, read back, is not the circuit."""
    plan = _Plan(circuit, parts)
    plan.draw()
    groups, names = plan.sheet.nets()
    wrong = list(differences(groups, circuit))
    nets = circuit.nets()
    wrong += [f"{net}: its label is on another net" for net, got in names.items() if got != set(nets.get(net, ()))]
    if wrong:
        raise DrawingFault(f"schematic of {circuit.build}: " + "; ".join(wrong))
    return plan.sheet.svg(f"Holecard, schematic of the {circuit.build} build")


class _Plan:
    def __init__(self, circuit, parts):
        self.circuit, self.parts = circuit, parts
        self.arcade = circuit.build != "breadboard"
        self.sheet = Sheet(1400, 990 if self.arcade else 830)

    def draw(self):
        sheet, build = self.sheet, self.circuit.build
        sheet.text(40, 38, f"Holecard: {build}", "head")
        sheet.text(40, 56, "Flags of the same name are joined. A grey pin stays free.", "note")
        self._pico(170, 80)
        self._panel(560, 30)
        self._sound(980, 30)
        self._strap(980, 160)
        height = 500 if self.arcade else 310
        sheet.frame(560, 290, 400, height, "Buttons" + (" (contacts C, NO)" if self.arcade else ""))
        sheet.frame(980, 290, 380, height, "Lamps" + (": one transistor to each" if self.arcade else ""))
        for row, key in enumerate(KEYS):
            if self.arcade:
                self._arcade_button(key, 390 + 108 * row)
                self._arcade_lamp(key, 390 + 108 * row)
            else:
                self._button(key, 350 + 60 * row)
                self._lamp(key, 350 + 60 * row)
        self._commons()
        self._sensors(40, 610)
        if build == "breadboard":
            self._notes(580, 650)
        elif build == "arcade-5v":
            self._usb(40, 820)
        elif build == "arcade-12v":
            self._twelve(40, 820)

    # Small helpers

    def _one(self, part, label=None):
        found = [each for each in self.circuit.of(part) if label in (None, each.label)]
        return found[0]

    def _value(self, part):
        return self.parts[part].value

    def _two(self, part, label, symbol, x, y, turn=0, at=None):
        component = self._one(part, label)
        places = self.sheet.put(component.ref, symbol, x, y, turn)
        across, down, anchor = at or ((30, -12, "middle") if turn == 0 else (12, 28, "start"))
        words = f"{component.ref} {self._value(component.part)}".strip()
        self.sheet.text(x + across, y + down, words, "value", anchor)
        return places

    def _pole(self, label, net, x, y, above=True):
        """A screw terminal of the driver board, where there is one."""
        if not self.arcade:
            return ""
        component = self._one("screws", label)
        pole = next(pole for pole, each in component.pins.items() if each == net)
        self.sheet.put(component.ref, "pole", x, y, names={"1": pole})
        if above is not None:
            self.sheet.text(x, y - 9 if above else y + 18, f"{component.ref}.{pole}", "note", "middle")
        return f"{component.ref}.{pole}"

    # Blocks

    def _pico(self, x, y):
        component, sheet = self._one("pico"), self.sheet
        names = {pin: name for name, pin in EDGE.items()}
        pins = []
        for pin in range(1, 41):
            side, row = ("left", pin) if pin <= 20 else ("right", 41 - pin)
            used = component.pins.get(str(pin)) is not None
            name = names[pin].partition(".")[0]
            words = f"{pin}  {name}" if side == "left" else f"{name}  {pin}"
            pins.append((str(pin), side, 22 * row + 20, words, used))
        sheet.box(component.ref, x, y, 190, 490, pins)
        sheet.text(x + 95, y + 18, f"{component.ref}  Raspberry Pi Pico", "ref", "middle")
        for pin, side, offset, _, used in pins:
            edge, away = (x, -1) if side == "left" else (x + 190, 1)
            if used:
                sheet.wire((edge, y + offset), (edge + 15 * away, y + offset))
                sheet.label(edge + 15 * away, y + offset, component.pins[pin], side)
            else:
                sheet.cross(edge + 8 * away, y + offset)

    def _panel(self, x, y):
        sheet, panel = self.sheet, self._one("panel")
        sheet.frame(x, y, 400, 240, "Panel: I2C at 400 kHz")
        rows = {"GND": 90, "VCC": 120, "SCL": 170, "SDA": 200}
        pins = [(name, "left", offset - 60, name, True) for name, offset in rows.items()]
        places = sheet.box(panel.ref, x + 290, y + 60, 90, 170, pins)
        sheet.text(x + 335, y + 52, f"{panel.ref}  OLED 128x64", "ref", "middle")
        for name, net in panel.pins.items():
            px, py = places[name]
            start = x + 235 if name in ("GND", "VCC") else x + 70
            sheet.wire((start, py), (px, py))
            sheet.label(start, py, net, "left")
            self._pole("panel", net, x + 260, py)
        sheet.wire((x + 95, y + 70), (x + 135, y + 70))
        sheet.rail(x + 115, y + 70, LOGIC)
        for signal, column in (("SDA", 95), ("SCL", 135)):
            at = (-12, 34, "end") if signal == "SDA" else (12, 34, "start")
            top = self._two("pullup", signal, "resistor", x + column, y + 70, 90, at)
            sheet.wire(top["2"], (x + column, places[signal][1]))

    def _sound(self, x, y):
        sheet = self.sheet
        sheet.frame(x, y, 380, 115, "Sound (optional)")
        row = y + 65
        sheet.label(x + 85, row, "PIEZO", "left")
        ends = self._two("piezo-resistor", "PIEZO", "resistor", x + 110, row)
        sheet.wire((x + 85, row), ends["1"])
        piezo = self._one("piezo")
        places = sheet.put(piezo.ref, "piezo", x + 220, row)
        sheet.text(x + 250, row - 18, f"{piezo.ref} passive", "value", "middle")
        sheet.wire(ends["2"], places["+"])
        sheet.wire(places["-"], (x + 335, row))
        sheet.ground(x + 335, row)
        self._pole("piezo", "SOUND", x + 195, row)
        self._pole("piezo", "GND", x + 305, row)

    def _strap(self, x, y):
        sheet = self.sheet
        sheet.frame(x, y, 380, 110, "Arcade strap (optional): put on = arcade")
        sheet.label(x + 85, y + 65, "STRAP", "left")
        ends = self._two("strap", None, "jumper", x + 150, y + 65, at=(30, -22, "middle"))
        sheet.wire((x + 85, y + 65), ends["1"])
        sheet.wire(ends["2"], (x + 270, y + 65))
        sheet.ground(x + 270, y + 65)

    def _button(self, key, y):
        self.sheet.label(690, y, f"KEYS.{key}", "left")
        ends = self._two("button", key, "button", 750, y, at=(30, -24, "middle"))
        self.sheet.wire((690, y), ends["1"])
        self.sheet.wire(ends["2"], (880, y))
        self.sheet.text(845, y - 8, key, "note", "middle")

    def _lamp(self, key, y):
        resistor = self._two("led-resistor", key, "resistor", 1105, y)
        self.sheet.label(1090, y, f"LAMPS.{key}", "left")
        self.sheet.wire((1090, y), resistor["1"])
        led = next(
            each
            for each in self.circuit.components.values()
            if each.part.startswith("led-") and each.label == key and each.ref.startswith("D")
        )
        places = self.sheet.put(led.ref, "led", 1190, y)
        self.sheet.text(1250, y - 12, f"{led.ref} {led.part.removeprefix('led-')}", "value")
        self.sheet.wire(resistor["2"], places["A"])
        self.sheet.wire(places["K"], (1320, y))

    def _commons(self):
        """The wires that go from button to button and from lamp to lamp."""
        sheet = self.sheet
        if not self.arcade:
            for column in (880, 1320):
                sheet.wire((column, 350), (column, 560))
                sheet.ground(column, 560)
            return
        sheet.wire((930, 390), (930, 765))
        sheet.ground(930, 765)
        pole = self._pole("buttons", "GND", 930, 740, above=None)
        sheet.text(918, 744, f"{pole}, common", "note", "end")
        sheet.wire((1340, 360), (1340, 765), (1270, 765))
        sheet.label(1270, 765, LAMPS, "left")
        self._pole("lamps", LAMPS, 1300, 765)

    def _arcade_button(self, key, y):
        sheet = self.sheet
        sheet.label(668, y, f"KEYS.{key}", "left")
        series = self._two("key-series", key, "resistor", 765, y, 180, (-30, -12, "middle"))
        sheet.wire((668, y), series["2"])
        filter_ = self._two("key-capacitor", key, "capacitor", 685, y + 10, 90, (16, 24, "start"))
        sheet.wire((685, y), filter_["1"])
        sheet.ground(*filter_["2"])
        up = self._two("key-pullup", key, "resistor", 785, y - 65, 90, (12, 34, "start"))
        sheet.rail(785, y - 65, LOGIC)
        sheet.wire(up["2"], (785, y))
        switch = self._two("arcade-button", key, "button", 850, y, at=(30, -24, "middle"))
        sheet.wire(series["1"], switch["1"])
        sheet.wire(switch["2"], (930, y))
        sheet.text(880, y + 18, key, "note", "middle")
        self._pole("buttons", f"SWITCH.{key}", 820, y, above=False)

    def _arcade_lamp(self, key, y):
        sheet = self.sheet
        sheet.label(1088, y, f"LAMPS.{key}", "left")
        base = self._two("base-resistor", key, "resistor", 1100, y)
        sheet.wire((1088, y), base["1"])
        driver = self._one("driver", key)
        places = sheet.put(driver.ref, "npn", 1170, y)
        sheet.wire(base["2"], places["B"])
        sheet.name(1224, y + 2, driver.ref, self._value("driver"))
        sheet.ground(*places["E"])
        lamp = next(
            each for each in self.circuit.components.values() if each.ref.startswith("LA") and each.label == key
        )
        ends = sheet.put(lamp.ref, "lamp", 1325, y - 30, 180)
        sheet.text(1303, y - 49, f"{lamp.ref} {key}", "value", "middle")
        sheet.wire(places["C"], ends["2"])
        sheet.wire(ends["1"], (1340, y - 30))
        self._pole("lamps", f"LAMP.{key}", 1238, y - 30)

    def _notes(self, x, y):
        for row, words in enumerate(
            (
                "The long leg of an LED, its anode, goes to the resistor.",
                "A tactile button: take two legs that are diagonal to each other, and it fits either way round.",
                "The panel: go by the names printed at its pins; some modules have VCC and GND the other way round.",
                "R1 and R2 stay, whether or not the panel's module has pull-ups of its own.",
                "The pull-ups of buttons, sensors and strap are inside the Pico.",
            )
        ):
            self.sheet.text(x, y + 20 * row, words)

    def _sensors(self, x, y):
        sheet = self.sheet
        sheet.frame(x, y, 480, 190, "Sensors (optional): their outputs go low")
        for part, column, words in (("tap", 120, "tap sensor"), ("wave", 350, "wave sensor")):
            sensor = self._one(part)
            pins = [(name, "left", offset, name, True) for name, offset in (("VCC", 25), ("GND", 60), ("OUT", 95))]
            places = sheet.box(sensor.ref, x + column + 20, y + 60, 80, 120, pins)
            sheet.text(x + column + 60, y + 52, f"{sensor.ref}  {words}", "ref", "middle")
            for name, net in sensor.pins.items():
                sheet.wire((x + column - 50, places[name][1]), places[name])
                sheet.label(x + column - 50, places[name][1], net, "left")
                if part == "tap" or name == "OUT":
                    self._pole("sensors", net, x + column - 20, places[name][1])

    def _usb(self, x, y):
        sheet, supply = self.sheet, self._one("supply-usb")
        sheet.frame(x, y, 1320, 150, "Supply: USB feeds the Pico through its socket, and the lamps through a fuse")
        places = sheet.box(
            supply.ref, x + 40, y + 50, 120, 80, [("+", "right", 20, "5 V", True), ("-", "right", 60, "0 V", True)]
        )
        sheet.text(x + 100, y + 44, f"{supply.ref}  USB supply", "ref", "middle")
        sheet.wire(places["-"], (x + 200, y + 110))
        sheet.ground(x + 200, y + 110)
        fuse = self._two("fuse", None, "fuse", x + 360, y + 70, at=(30, -20, "middle"))
        sheet.wire(places["+"], fuse["1"])
        sheet.wire((x + 280, y + 70), (x + 280, y + 110), (x + 300, y + 110))
        sheet.label(x + 300, y + 110, "VBUS", "right")
        sheet.wire(fuse["2"], (x + 480, y + 70))
        sheet.label(x + 480, y + 70, LAMPS, "right")
        sheet.text(x + 380, y + 114, "pin 40, behind the Pico's USB socket", "note")

    def _twelve(self, x, y):
        sheet = self.sheet
        sheet.frame(
            x,
            y,
            1320,
            150,
            "Supply: 12 V for the lamps, 5 V out of it for the Pico; a USB cable may be plugged in at the same time",
        )
        supply, jack, buck = self._one("supply-12v"), self._one("jack"), self._one("buck")
        one = sheet.box(
            supply.ref, x + 20, y + 50, 90, 80, [("+", "right", 20, "12 V", True), ("-", "right", 60, "0 V", True)]
        )
        sheet.text(x + 65, y + 44, f"{supply.ref}  plug-in supply", "ref", "middle")
        two = sheet.box(
            jack.ref, x + 150, y + 50, 70, 80, [("+", "left", 20, "inner", True), ("-", "left", 60, "outer", True)]
        )
        sheet.text(x + 185, y + 44, f"{jack.ref}  DC jack", "ref", "middle")
        sheet.wire(one["+"], two["+"])
        sheet.wire(one["-"], two["-"])
        # The jack's own two solder lugs are the same metal: its nets go on at the right.
        sheet.wire((x + 135, y + 70), (x + 135, y + 30), (x + 250, y + 30), (x + 250, y + 70), (x + 300, y + 70))
        sheet.wire((x + 130, y + 110), (x + 130, y + 140), (x + 250, y + 140), (x + 250, y + 110), (x + 300, y + 110))
        sheet.ground(x + 300, y + 110)
        self._pole("12 V", "12V_IN", x + 275, y + 70)
        self._pole("12 V", "GND", x + 275, y + 110)
        fuse = self._two("fuse", None, "fuse", x + 330, y + 70, at=(30, -20, "middle"))
        sheet.wire((x + 300, y + 70), fuse["1"])
        diode = self._two("diode", "reversed plug", "schottky", x + 430, y + 70, at=(30, -16, "middle"))
        sheet.wire(fuse["2"], diode["A"])
        pins = [("VIN", "left", 20, "VIN", True), ("GND", "left", 60, "GND", True), ("VOUT", "right", 20, "VOUT", True)]
        module = sheet.box(buck.ref, x + 700, y + 50, 130, 80, pins)
        sheet.text(x + 765, y + 44, f"{buck.ref}  step-down module", "ref", "middle")
        sheet.wire(diode["K"], module["VIN"])
        sheet.wire((x + 540, y + 70), (x + 540, y + 110), (x + 560, y + 110))
        sheet.label(x + 560, y + 110, LAMPS, "right")
        sheet.wire(module["GND"], (x + 670, y + 110))
        sheet.ground(x + 670, y + 110)
        other = self._two("diode", "two supplies", "schottky", x + 900, y + 70, at=(30, -16, "middle"))
        sheet.wire(module["VOUT"], other["A"])
        sheet.wire(other["K"], (x + 1020, y + 70))
        sheet.label(x + 1020, y + 70, "VSYS", "right")
        sheet.text(x + 1085, y + 74, "pin 39", "note")
