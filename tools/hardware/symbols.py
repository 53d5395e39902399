"""Symbols of a schematic, as IEC 60617 draws them: {name: (SVG, {terminal: place})}, the first terminal at (0, 0)."""


def _line(path):
    return f'<path class="line" d="{path}"/>'


def _body(path):
    return f'<path class="body" d="{path}"/>'


def _full(path):
    return f'<path class="full" d="{path}"/>'


_TWO = {"1": (0, 0), "2": (60, 0)}
_DIODE = _line("M0,0 H20 M40,0 H60") + _body("M20,-10 V10 L40,0 Z")
_ARROW = "l-1,-6 l6,4 z"
SYMBOLS = {
    "resistor": (_line("M0,0 H12 M48,0 H60") + _body("M12,-7 H48 V7 H12 Z"), _TWO),
    "capacitor": (_line("M0,0 H17 M17,-11 V11 M23,-11 V11 M23,0 H40"), {"1": (0, 0), "2": (40, 0)}),
    "led": (
        _DIODE + _line("M40,-10 V10 M30,-12 l7,-9 M38,-12 l7,-9") + _full(f"M38,-22 {_ARROW} M46,-22 {_ARROW}"),
        {"A": (0, 0), "K": (60, 0)},
    ),
    "schottky": (_DIODE + _line("M36,-7 V-10 H40 V10 H44 V7"), {"A": (0, 0), "K": (60, 0)}),
    "fuse": (_line("M0,0 H12 M48,0 H60") + _body("M12,-7 H48 V7 H12 Z") + _line("M14,14 H20 L40,-14"), _TWO),
    "lamp": (
        _line("M0,0 H16 M44,0 H60")
        + '<circle class="body" cx="30" cy="0" r="14"/>'
        + _line("M20.1,-9.9 L39.9,9.9 M39.9,-9.9 L20.1,9.9"),
        _TWO,
    ),
    "button": (
        _line("M0,0 H13 M47,0 H60 M12,-9 H48 M30,-9 V-18 M24,-18 H36")
        + '<circle class="body" cx="16" cy="0" r="3"/><circle class="body" cx="44" cy="0" r="3"/>',
        _TWO,
    ),
    "jumper": (
        _line("M0,0 H13 M47,0 H60 M16,-6 Q30,-20 44,-6")
        + '<circle class="body" cx="16" cy="0" r="3"/><circle class="body" cx="44" cy="0" r="3"/>',
        _TWO,
    ),
    "npn": (
        '<circle class="body" cx="28" cy="0" r="22"/>'
        + _line("M0,0 H18 M18,-12 V12 M18,-5 L40,-18 V-30 M18,5 L40,18 V30")
        + _full("M36,15.8 L27.5,14.6 L31.5,8.2 Z"),
        {"B": (0, 0), "C": (40, -30), "E": (40, 30)},
    ),
    "piezo": (
        _line("M0,0 H18 M18,-12 V12 M42,-12 V12 M42,0 H60") + _body("M23,-12 H37 V12 H23 Z"),
        {"+": (0, 0), "-": (60, 0)},
    ),
    "pole": ('<circle class="body" cx="0" cy="0" r="5"/>' + _line("M-3.2,3.2 L3.2,-3.2"), {"1": (0, 0)}),
}
