"""Turn the drawings beside this file into `artwork.py` and `cardart.py` in `firmware/holecard/table`.

    python tools/artwork/build.py          write the modules
    python tools/artwork/build.py --check  exit 1 if one is not what the drawings say

A drawing is a block of text: a line `= A B C` names what follows, then each line holds one row of all of them,
'#' for ink. Fonts name single characters, `sprites.txt` names pictures. All glyphs of a block are equally tall.
"""

import sys
from pathlib import Path

HERE = Path(__file__).parent
TABLE = HERE.parent.parent / "firmware" / "holecard" / "table"
FONTS = ("small", "tiny", "text", "head", "large")
# Of the pictures, what is seen of a table before the first card.
BEFORE = ("CHIP",)
HEADER = '''"""Fonts and pictures as column bytes. Written by tools/artwork/build.py from the drawings beside it.

A font is (height, characters, widths, data); its glyphs follow each other in `data`. A picture is
(data, width, height, format) as `FrameBuffer.blit` takes it. Both are MONO_VLSB: for every 8 rows one byte
per column, the topmost row in the lowest bit.
"""
'''


def read(path):
    """All drawings of one file as {name: list of rows}; ValueError names the line that does not fit."""
    drawings, names = {}, []
    for number, line in enumerate(path.read_text().splitlines(), 1):
        if line.startswith("= "):
            names = line[2:].split(" ")
            drawings.update((name, []) for name in names)
        elif names and line.strip() and not line.startswith("# "):
            rows = line.split(" ")
            if len(rows) != len(names) or set(line) - set("#. "):
                raise ValueError(f"{path.name}:{number}: {len(rows)} drawings under {len(names)} names")
            for name, row in zip(names, rows, strict=True):
                if drawings[name] and len(row) != len(drawings[name][0]):
                    raise ValueError(f"{path.name}:{number}: {name} is not {len(drawings[name][0])} wide here")
                drawings[name].append(row)
    return drawings


def doubled(rows):
    """Twice the size. A step in an outline gets its corner filled, so that slopes look drawn; ends stay square."""

    def at(y, x):
        return 0 <= y < len(rows) and 0 <= x < len(rows[0]) and rows[y][x] == "#"

    def quarter(y, x, dy, dx):
        if at(y, x):
            return True
        beside_both = at(y + dy, x) and at(y, x + dx)
        # Two strokes that run on past the corner enclose it, as in an L: that corner stays sharp.
        return beside_both and not (at(y + dy, x - dx) and at(y - dy, x + dx))

    return [
        "".join("#" if quarter(y, x, dy, dx) else "." for x in range(len(rows[0])) for dx in (-1, 1))
        for y in range(len(rows))
        for dy in (-1, 1)
    ]


def columns(rows):
    """A drawing as MONO_VLSB bytes, page by page."""
    return bytes(
        sum(1 << i for i, row in enumerate(rows[top : top + 8]) if row[x] == "#")
        for top in range(0, len(rows), 8)
        for x in range(len(rows[0]))
    )


def literal(name, data, width=112):
    """`name = b"..."` wrapped to lines of 28 bytes."""
    step = width // 4
    parts = ["".join(f"\\x{b:02x}" for b in data[i : i + step]) for i in range(0, len(data), step)]
    if len(parts) == 1:
        return f'{name}b"{parts[0]}"'
    return "\n".join([f"{name}(", *(f'    b"{part}"' for part in parts), ")"])


def font(name, drawings):
    """The module's lines for one font."""
    heights = {len(rows) for rows in drawings.values()}
    if len(heights) != 1:
        raise ValueError(f"{name}: glyphs of {sorted(heights)} rows")
    characters = "".join(sorted(drawings))
    widths = bytes(len(drawings[c][0]) for c in characters)
    data = b"".join(columns(drawings[c]) for c in characters)
    quoted = characters.replace("\\", "\\\\").replace('"', '\\"')
    return (
        f'_{name}_CHARACTERS = "{quoted}"\n'
        + literal(f"_{name}_WIDTHS = ", widths)
        + "\n"
        + literal(f"_{name}_DATA = ", data)
        + f"\n{name} = ({heights.pop()}, _{name}_CHARACTERS, _{name}_WIDTHS, _{name}_DATA)\n"
    )


def modules():
    """The text of `artwork.py`, which a start needs, and of `cardart.py`."""
    first = [HEADER, *(font(name.upper(), read(HERE / f"{name}.txt")) for name in FONTS)]
    outcome = {c: doubled(rows) for c, rows in read(HERE / "head.txt").items() if c.isalpha() or c == "!"}
    second = [HEADER, font("OUTCOME", outcome)]
    for name, rows in read(HERE / "sprites.txt").items():
        text = literal(f"_{name} = ", columns(rows)) + f"\n{name} = (_{name}, {len(rows[0])}, {len(rows)}, 0)\n"
        (first if name in BEFORE else second).append(text)
    return {TABLE / "artwork.py": "\n".join(first), TABLE / "cardart.py": "\n".join(second)}


if __name__ == "__main__":
    for path, text in modules().items():
        if sys.argv[1:] == ["--check"]:
            if path.read_text() != text:
                sys.exit(1)
        else:
            path.write_text(text)
