"""What the parts of a breadboard look like from above, to scale: 20 pixels are 2.54 mm."""

from html import escape

from tools.pinmap import EDGE

STYLE = """\
text { font-family: "DejaVu Sans", Verdana, sans-serif; font-size: 11px; fill: #2a333d; }
.head { font-size: 20px; font-weight: bold; }
.note { font-size: 12px; fill: #55606c; }
.small { font-size: 8px; }
.tiny { font-size: 7px; fill: #e9f3ea; }
.mark { font-size: 9px; fill: #8b949e; }
.light { fill: #f3f6f8; }
"""
COLOURS = {
    "red": "#d23b3b",
    "black": "#30363d",
    "blue": "#2f6fd0",
    "yellow": "#e3b81c",
    "white": "#f4f4f0",
    "green": "#2f9e50",
    "orange": "#e8832a",
    "violet": "#8a4fc4",
    "gray": "#8c959f",
    "brown": "#8a5a33",
}
_BANDS = [
    *("#20201f", "#7a4a21", "#c9342c", "#e07b24", "#e6c228"),
    *("#3c9a4b", "#2f62c2", "#7d46b5", "#8a8a8a", "#f2f2f2"),
]
_WIRE = 'fill="none" stroke-linecap="round"'
_GLOW = {"white": "#fdfdf6", "green": "#6fd08a", "red": "#ef6a60", "yellow": "#f3d049"}


def wire(colour, points):
    """A jumper wire, its corners rounded."""
    path = _rounded(points, 9)
    ends = "".join(f'<circle cx="{x}" cy="{y}" r="3.2" fill="#4a525b"/>' for x, y in (points[0], points[-1]))
    return (
        f'<path d="{path}" {_WIRE} stroke="#1f262d" stroke-opacity="0.55" stroke-width="6.4"/>'
        f'<path d="{path}" {_WIRE} stroke="{COLOURS[colour]}" stroke-width="4.6"/>{ends}'
    )


def _rounded(points, radius):
    path = f"M{points[0][0]},{points[0][1]}"
    for before, corner, after in zip(points, points[1:], points[2:], strict=False):
        one, two = _towards(corner, before, radius), _towards(corner, after, radius)
        path += f" L{one[0]:g},{one[1]:g} Q{corner[0]:g},{corner[1]:g} {two[0]:g},{two[1]:g}"
    return path + f" L{points[-1][0]:g},{points[-1][1]:g}"


def _towards(start, end, distance):
    across, down = end[0] - start[0], end[1] - start[1]
    length = max((across**2 + down**2) ** 0.5, 1e-9)
    part = min(distance, length / 2) / length
    return round(start[0] + across * part, 1), round(start[1] + down * part, 1)


def board(x, y, width, height, pitch, rows, place, columns):
    """The bare breadboard."""
    top, bottom = place("e1")[1] + 14, place("f1")[1] - 14
    found = [
        f'<rect x="{x}" y="{y}" width="{width}" height="{height}" rx="8" fill="#f7f5ee" stroke="#d8d4c6"/>',
        f'<rect x="{x}" y="{top}" width="{width}" height="{bottom - top}" fill="#e7e3d6"/>',
    ]
    for row, colour, shift in (("+", "#d23b3b", -9), ("-", "#2f6fd0", 9), ("p", "#d23b3b", -9), ("m", "#2f6fd0", 9)):
        line = place(f"{row}1")[1] + shift
        found.append(
            f'<path d="M{x + 14},{line} H{x + width - 14}" stroke="{colour}" stroke-width="1.4" stroke-opacity="0.8"/>'
        )
        for at in (x + 7, x + width - 7):
            sign = "+" if row in "+p" else "\u2212"
            found.append(
                f'<text x="{at}" y="{place(f"{row}1")[1] + 4}" text-anchor="middle" style="fill:{colour}">{sign}</text>'
            )
    holes = []
    for row in rows:
        for column in range(1, columns + 1):
            cx, cy = place(f"{row}{column}")
            holes.append(f"M{cx - 3},{cy - 3}h6v6h-6z")
    found.append(f'<path d="{"".join(holes)}" fill="#c9c4b4"/>')
    for row in "abcdefghij":
        found += [
            f'<text class="mark" x="{at}" y="{place(f"{row}1")[1] + 3}" text-anchor="middle">{row}</text>'
            for at in (x + 8, x + width - 8)
        ]
    for column in (1, *range(5, columns + 1, 5)):
        for row, shift in (("a", -14), ("j", 20)):
            cx, cy = place(f"{row}{column}")
            found.append(f'<text class="mark" x="{cx}" y="{cy + shift}" text-anchor="middle">{column}</text>')
    return "\n".join(found)


def pico(first, last, pitch, pins):
    """The Pico, its USB socket to the left; `first` is the hole at pin 40, `last` the one at pin 20."""
    (x, y), (right, bottom) = first, last
    left, top, width, height = x - 11, y - 13, right - x + 22, bottom - y + 26
    middle = (y + bottom) / 2
    found = [
        f'<rect x="{left}" y="{top}" width="{width}" height="{height}" rx="5" fill="#1f7a45" stroke="#14532f"/>',
        f'<rect x="{left - 11}" y="{middle - 30}" width="44" height="60" rx="3" fill="#c9ced3" stroke="#8b949e"/>',
        f'<text class="small" x="{left + 10}" y="{middle + 3}" text-anchor="middle">USB</text>',
        f'<rect x="{left + 200}" y="{middle - 28}" width="56" height="56" rx="3" fill="#20262c"/>',
        f'<text class="tiny" x="{left + 228}" y="{middle + 3}" text-anchor="middle">RP2040</text>',
        f'<text class="light" x="{left + 120}" y="{middle + 4}" text-anchor="middle">Pico</text>',
        f'<rect x="{left + 56}" y="{middle - 10}" width="22" height="20" rx="9" fill="#f3f3ee" stroke="#aab2ba"/>',
    ]
    names = {pin: name for name, pin in EDGE.items()}
    for pin in range(1, 41):
        cx, cy = (x + pitch * (pin - 1), bottom) if pin <= 20 else (x + pitch * (40 - pin), y)
        used = pins.get(str(pin)) is not None
        found.append(
            f'<circle cx="{cx}" cy="{cy}" r="6" fill="#e0b23c"/><circle cx="{cx}" cy="{cy}" r="2.6" fill="#6b5a22"/>'
        )
        word = names[pin].partition(".")[0].replace("ADC_VREF", "VREF")
        where, anchor = (cy - 10, "start") if pin <= 20 else (cy + 10, "end")
        style = "" if used else ' style="fill:#8fc3a3"'
        turned = f'transform="translate({cx + 2.5} {where}) rotate(-90)"'
        found.append(f'<text class="tiny" text-anchor="{anchor}" {turned}{style}>{word}</text>')
    return "\n".join(found)


def resistor(start, end, ohms, ref):
    """A resistor of 1/4 W with its colour rings (5 %)."""
    (x, y), (right, bottom) = start, end
    length = abs(right - x) + abs(bottom - y)
    turn = 0 if y == bottom else 90
    body = 50 if length > 50 else 40
    left = (length - body) / 2
    digits = f"{ohms:.0f}"
    rings = [int(digits[0]), int(digits[1]), len(digits) - 2]
    marks = "".join(
        f'<rect x="{left + 9 + 9 * n}" y="-7" width="4" height="14" fill="{_BANDS[ring]}"/>'
        for n, ring in enumerate(rings)
    )
    marks += f'<rect x="{left + body - 11}" y="-7" width="4" height="14" fill="#c9a13b"/>'
    across, down, anchor = ((x + right) / 2, y + 17, "middle") if not turn else (x + 11, (y + bottom) / 2 + 3, "start")
    text = f'<text class="small" x="{across}" y="{down}" text-anchor="{anchor}">{ref}</text>'
    return (
        f'<g transform="translate({x} {y}) rotate({turn})">'
        f'<path d="M0,0 H{length}" stroke="#9aa3ad" stroke-width="2.4"/>'
        f'<rect x="{left}" y="-7" width="{body}" height="14" rx="6" fill="#e4cfa2" stroke="#b79f6a"/>{marks}</g>{text}'
    )


def led(anode, cathode, colour, ref):
    """An LED that leans over the edge: its anode in the strip, its cathode in the rail."""
    (x, y), (_, top) = anode, cathode
    middle = (y + top) / 2
    return (
        f'<path d="M{x},{y} V{top}" stroke="#9aa3ad" stroke-width="2.4"/>'
        f'<circle cx="{x}" cy="{middle}" r="19" fill="{_GLOW[colour]}" stroke="#55606c" stroke-width="1.4"/>'
        f'<path d="M{x - 11},{middle - 15.5} H{x + 11}" stroke="#55606c" stroke-width="2.4"/>'
        f'<circle cx="{x - 5}" cy="{middle - 4}" r="5" fill="#ffffff" fill-opacity="0.6"/>'
        f'<text class="small" x="{x}" y="{middle + 12}" text-anchor="middle">{ref}</text>'
        f'<text class="small" x="{x + 22}" y="{y - 8}">+</text>'
        f'<text class="small" x="{x + 22}" y="{top + 12}">\u2212</text>'
    )


def button(first, last, pitch, colour, key):
    """A tactile button of 12 mm over the trench."""
    (x, y), (right, bottom) = first, last
    cx, cy = (x + right) / 2, (y + bottom) / 2
    legs = "".join(
        f'<rect x="{px - 3}" y="{py - 7}" width="6" height="14" fill="#c9ced3"/>'
        for px in (x, right)
        for py in (y, bottom)
    )
    fill = COLOURS[colour]
    return (
        f'{legs}<rect x="{cx - 47}" y="{cy - 47}" width="94" height="94" rx="6" fill="#2b3138" stroke="#14181c"/>'
        f'<circle cx="{cx}" cy="{cy}" r="36" fill="{fill}" stroke="#14181c" stroke-width="1.5"/>'
        f'<text x="{cx}" y="{cy + 4}" text-anchor="middle" style="font-weight:bold">{key}</text>'
    )


def panel(first, last, pitch, names):
    """The OLED module, its pins in a row of holes, its body hanging over the board's edge."""
    (x, y), (right, _) = first, last
    cx = (x + right) / 2
    left, top, side = cx - 107, y - 15, 214
    found = [f'<rect x="{left}" y="{top}" width="{side}" height="{side}" rx="5" fill="#23406e" stroke="#152843"/>']
    for number, name in enumerate(names):
        px = x + pitch * number
        found.append(
            f'<circle cx="{px}" cy="{y}" r="6" fill="#e0b23c"/><circle cx="{px}" cy="{y}" r="2.6" fill="#6b5a22"/>'
        )
        found.append(f'<text class="tiny" x="{px}" y="{y + 17}" text-anchor="middle">{name}</text>')
    for px, py in (
        (left + 14, top + 14),
        (left + side - 14, top + 14),
        (left + 14, top + side - 14),
        (left + side - 14, top + side - 14),
    ):
        found.append(f'<circle cx="{px}" cy="{py}" r="7" fill="#ffffff" stroke="#c9ced3"/>')
    found.append(f'<rect x="{left + 10}" y="{top + 48}" width="{side - 20}" height="118" rx="2" fill="#0b0f14"/>')
    found.append(
        f'<text class="light" x="{cx}" y="{top + 104}" text-anchor="middle" style="font-size:15px">HOLECARD</text>'
    )
    found.append(f'<text class="tiny" x="{cx}" y="{top + 120}" text-anchor="middle">DS1  OLED 128x64, I2C</text>')
    return "\n".join(found)


def piezo(plus, minus, pitch, ref):
    """A round piezo sounder."""
    (x, y), (right, _) = plus, minus
    cx = (x + right) / 2
    return (
        f'<circle cx="{cx}" cy="{y}" r="47" fill="#2b3138" stroke="#14181c"/>'
        f'<circle cx="{cx}" cy="{y}" r="6" fill="#0b0f14"/>'
        f'<text class="light" x="{cx - 24}" y="{y + 4}" text-anchor="middle">+</text>'
        f'<text class="light" x="{cx}" y="{y + 28}" text-anchor="middle" style="font-size:10px">{ref} piezo</text>'
    )


def jumper(start, end):
    """The arcade strap."""
    (x, y), (right, _) = start, end
    return (
        f'<rect x="{x - 8}" y="{y - 8}" width="{right - x + 16}" height="16" rx="3" fill="#30363d"/>'
        f'<text class="tiny" x="{(x + right) / 2}" y="{y + 3}" text-anchor="middle">JP1</text>'
    )


def module(x, y, width, height, words, pins):
    """A sensor beside the board."""
    found = [f'<rect x="{x}" y="{y}" width="{width}" height="{height}" rx="5" fill="#5b3a78" stroke="#3d2452"/>']
    found.append(
        f'<text class="light" x="{x + width / 2}" y="{y + height - 12}" text-anchor="middle">{escape(words)}</text>'
    )
    for name, px in pins.items():
        found.append(f'<circle cx="{px}" cy="{y + 4}" r="6" fill="#e0b23c"/>')
        found.append(f'<text class="tiny" x="{px}" y="{y + 24}" text-anchor="middle">{name}</text>')
    return "\n".join(found)
