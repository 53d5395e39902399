"""A sheet of a schematic: symbols, wires and labels with places, written as SVG and read back as nets."""

import itertools
from html import escape

from tools.hardware import symbols
from tools.hardware.joined import Joined

STYLE = """\
text { font-family: "DejaVu Sans", Verdana, sans-serif; font-size: 11px; fill: #1d2733; }
.line { fill: none; stroke: #1d2733; stroke-width: 1.6; stroke-linecap: round; stroke-linejoin: round; }
.body { fill: #fffdf2; stroke: #1d2733; stroke-width: 1.6; stroke-linejoin: round; }
.full { fill: #1d2733; stroke: none; }
.wire { fill: none; stroke: #1b6e3c; stroke-width: 1.6; stroke-linecap: round; stroke-linejoin: round; }
.dot { fill: #1b6e3c; }
.flag { fill: #eef4fb; stroke: #2b5c94; stroke-width: 1.1; }
.net { fill: #1f4a7d; font-size: 10.5px; }
.ref { font-weight: bold; }
.value, .note { fill: #55606c; }
.note { font-size: 10.5px; }
.off { fill: #9aa3ad; }
.frame { fill: none; stroke: #c3cad2; stroke-width: 1; stroke-dasharray: 5 4; }
.title { font-size: 12.5px; font-weight: bold; fill: #34414f; }
.head { font-size: 19px; font-weight: bold; }
"""


class Sheet:
    """Everything has a place on a grid of 5; a terminal is joined to a wire that passes through its place."""

    def __init__(self, width, height):
        self.width, self.height = width, height
        self.terminals = {}
        self._segments, self._labels = [], []
        self._below, self._above = [], []

    def frame(self, x, y, width, height, title):
        """A dashed frame with a title."""
        self._below.append(f'<rect class="frame" x="{x}" y="{y}" width="{width}" height="{height}" rx="6"/>')
        self.text(x + 10, y + 18, title, "title")

    def text(self, x, y, words, kind="note", anchor="start"):
        """A line of text."""
        self._above.append(f'<text class="{kind}" x="{x}" y="{y}" text-anchor="{anchor}">{escape(words)}</text>')

    def put(self, ref, symbol, x, y, turn=0, names=None, **offset):
        """A symbol with its first terminal at (x, y), turned clockwise; returns {terminal: place}."""
        shape, terminals = symbols.SYMBOLS[symbol]
        self._below.append(f'<g transform="translate({x} {y}) rotate({turn})">{shape}</g>')
        places = {name: _turned(x, y, place, turn) for name, place in terminals.items()}
        self._own(ref, {(names or {}).get(name, name): place for name, place in places.items()})
        return places

    def box(self, ref, x, y, width, height, pins):
        """A module: `pins` are (terminal, side, offset, name, used); the place of each is on the box's edge."""
        self._below.append(f'<rect class="body" x="{x}" y="{y}" width="{width}" height="{height}" rx="3"/>')
        places = {}
        for terminal, side, offset, name, used in pins:
            edge = x if side == "left" else x + width
            inside = edge + 8 if side == "left" else edge - 8
            anchor = "start" if side == "left" else "end"
            self.text(inside, y + offset + 4, name, "note" if used else "off", anchor)
            places[terminal] = (edge, y + offset)
        self._own(ref, {terminal: places[terminal] for terminal, *_, used in pins if used})
        return places

    def name(self, x, y, ref, value="", anchor="start", apart=13):
        """Reference and value of a symbol, one above the other."""
        self.text(x, y, ref, "ref", anchor)
        if value:
            self.text(x, y + apart, value, "value", anchor)

    def wire(self, *points):
        """A wire through these places."""
        self._segments += list(itertools.pairwise(points))
        path = " ".join(f"{x},{y}" for x, y in points)
        self._below.append(f'<polyline class="wire" points="{path}"/>')

    def label(self, x, y, net, side):
        """A net's name in a flag at the left or right of its place."""
        self._labels.append(((x, y), net))
        away = -1 if side == "left" else 1
        width = 14 + 7 * len(net)
        points = [
            (x, y),
            (x + 7 * away, y - 8),
            (x + width * away, y - 8),
            (x + width * away, y + 8),
            (x + 7 * away, y + 8),
        ]
        path = " ".join(f"{px},{py}" for px, py in points)
        self._below.append(f'<polygon class="flag" points="{path}"/>')
        self.text(x + away * (width + 5) / 2, y + 4, net, "net", "middle")

    def ground(self, x, y):
        """The sign for ground, hanging from its place."""
        self._labels.append(((x, y), "GND"))
        lines = f"M{x},{y} v8 M{x - 10},{y + 8} h20 M{x - 6},{y + 12} h12 M{x - 2.5},{y + 16} h5"
        self._below.append(f'<path class="line" d="{lines}"/>')

    def rail(self, x, y, net):
        """The sign for a supply, standing on its place."""
        self._labels.append(((x, y), net))
        self._below.append(f'<path class="line" d="M{x},{y} v-8 M{x - 9},{y - 8} h18"/>')
        self.text(x, y - 12, net, "net", "middle")

    def cross(self, x, y):
        """A terminal that is left open."""
        self._below.append(f'<path class="line" style="stroke:#9aa3ad" d="M{x - 3},{y - 3} l6,6 m0,-6 l-6,6"/>')

    def nets(self):
        """(groups of joined terminals, {net: a terminal's place or None}): what the drawing says."""
        joined = Joined()
        places = {*self.terminals.values(), *(place for place, _ in self._labels)}
        for one, other in self._segments:
            joined.same(one, other)
            for place in places | {end for segment in self._segments for end in segment}:
                if _on(place, one, other):
                    joined.same(place, one)
        for place, net in self._labels:
            joined.same(place, net)
        names = {net: joined.find(net) for _, net in self._labels}
        return joined.groups(self.terminals), {
            net: {terminal for terminal, place in self.terminals.items() if joined.find(place) == group}
            for net, group in names.items()
        }

    def svg(self, title):
        """The sheet."""
        dots = "".join(f'<circle class="dot" cx="{x}" cy="{y}" r="3"/>\n' for x, y in self._dots())
        return (
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {self.width} {self.height}" '
            f'width="{self.width}" height="{self.height}" role="img">\n<title>{escape(title)}</title>\n'
            f"<style>{STYLE}</style>\n"
            f'<rect width="{self.width}" height="{self.height}" fill="#ffffff"/>\n'
            + "\n".join([*self._below, dots.rstrip(), *self._above])
            + "\n</svg>\n"
        )

    def _own(self, ref, places):
        for terminal, place in places.items():
            self.terminals[ref, terminal] = place

    def _dots(self):
        ends = [end for segment in self._segments for end in segment]
        for place in sorted(set(ends)):
            through = sum(_on(place, *segment) and place not in segment for segment in self._segments)
            touching = ends.count(place) + 2 * through + (place in self.terminals.values())
            if touching > 2:
                yield place


def _turned(x, y, place, turn):
    across, down = place
    for _ in range(turn // 90):
        across, down = -down, across
    return x + across, y + down


def _on(place, one, other):
    (x, y), (ax, ay), (bx, by) = place, one, other
    if ax == bx:
        return x == ax and min(ay, by) <= y <= max(ay, by)
    return ay == by == y and min(ax, bx) <= x <= max(ax, bx)
