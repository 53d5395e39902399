"""The part of the pin map that a Raspberry Pi uses: checked, as its module of numbers, as the table of its page."""

# GPIO (BCM) of each pin on the header; those with other names have none (Raspberry Pi documentation, "GPIO").
_HEADER = """
3V3 5V 2 5V 3 GND 4 14 GND 15 17 18 27 GND 22 23 3V3 24 10 GND
9 25 11 8 GND 7 ID ID 5 GND 6 12 13 GND 19 16 26 20 GND 21
"""
HEADER = dict(enumerate(_HEADER.split(), 1))
PIN = {int(name): pin for pin, name in HEADER.items() if name.isdigit()}
# Where the kernel's I2C1, SPI0 and UART are, whatever the map says.
_FIXED = {"SDA": 2, "SCL": 3, "UART_TX": 14, "UART_RX": 15, "MOSI": 10, "SCLK": 11, "CE": 8}
_HEAD = '"""What is wired to which GPIO (BCM) of a Raspberry Pi. Written by `make pinmap`, see hardware/pinmap.toml."""'
_KEYS = ("BET", "HIT", "STAND", "DOUBLE")
_SPI_TERMINALS = {"MOSI": "SDA, DIN or MOSI", "SCLK": "SCL, CLK or SCK", "CE": "CS", "DC": "DC", "RST": "RES or RST"}


def fault(data):
    """What is wrong with the Pi's part of the map, "" if nothing is."""
    taken = {}
    signals = {wire["signal"] for wire in data["wire"]}
    if set(data["pi"]["gpio"]) != signals:
        return f"pi: the signals differ: {', '.join(sorted(set(data['pi']['gpio']) ^ signals))}"
    rows = [(signal, gpio, PIN.get(gpio)) for signal, gpio in {**data["pi"]["gpio"], **data["pi"]["spi"]}.items()]
    for signal, gpio, pin in rows:
        if pin is None:
            return f"pi: {signal}: there is no GPIO{gpio} on the header"
        if _FIXED.get(signal, gpio) != gpio:
            return f"pi: {signal}: that is GPIO{_FIXED[signal]}, not GPIO{gpio}"
        if pin in taken:
            return f"pi: {signal}: GPIO{gpio} is taken by {taken[pin]}"
        taken[pin] = signal
    for pin in data["pi"]["power"]:
        if not HEADER.get(int(pin), "").startswith(("3V3", "GND")):
            return f"pi: pin {pin} is neither 3V3 nor a ground"
    return ""


def pins_module(data):
    """The text of raspberry_pi_pins.py."""
    gpio, spi = data["pi"]["gpio"], data["pi"]["spi"]
    keys, lamps = (tuple(gpio[f"{group}.{key}"] for key in _KEYS) for group in ("KEYS", "LAMPS"))
    return f"""{_HEAD}

SDA = {gpio["SDA"]}
SCL = {gpio["SCL"]}
# Where they are on the header, for people.
SDA_HEADER = {PIN[gpio["SDA"]]}
SCL_HEADER = {PIN[gpio["SCL"]]}
# What `dtparam=i2c_arm_baudrate` should say: the kernel sets the speed of the bus.
I2C_HZ = {data["pi"]["i2c_hertz"]:_}
# For a panel on SPI0, CE0.
SPI_DC = {spi["DC"]}
SPI_RST = {spi["RST"]}

# Buttons short their pin to ground, lamps light when their pin is high; order: BET, HIT, STAND, DOUBLE.
KEYS = {keys}
LAMPS = {lamps}

# Optional: a passive piezo, two sensors that pull their pin low, and a strap to ground that makes an arcade table.
PIEZO = {gpio["PIEZO"]}
TAP = {gpio["TAP"]}
WAVE = {gpio["WAVE"]}
STRAP = {gpio["STRAP"]}
"""


def wiring_table(data):
    """The table of the page: every wire in the order of the header's pins."""
    rows = []
    for wire in data["wire"]:
        number = data["pi"]["gpio"][wire["signal"]]
        what = "free for a UART" if wire.get("reserved") else "optional" if wire.get("optional") else ""
        rows.append((PIN[number], f"GPIO{number}", wire["colour"], f"{wire['part']}, {wire['terminal']}", what))
    for name, number in data["pi"]["spi"].items():
        rows.append((PIN[number], f"GPIO{number}", "", f"panel, {_SPI_TERMINALS[name]}", "a panel on SPI only"))
    optional = {wire["part"] for wire in data["wire"] if wire.get("optional")} | {"sensors"}
    for pin, what in data["pi"]["power"].items():
        name = HEADER[int(pin)]
        note = "optional" if what.partition(",")[0] in optional else ""
        rows.append((int(pin), name, "red" if name == "3V3" else "black", what, note))
    lines = ["| pin | name | wire | to | |", "|---|---|---|---|---|"]
    lines += [f"| {' | '.join(str(part) for part in row)} |" for row in sorted(rows)]
    return "\n".join(lines)
