"""The list of parts, hardware/parts.toml, and figures out of it."""

import tomllib
from dataclasses import dataclass, field
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
SOURCE = ROOT / "hardware" / "parts.toml"
# Entries of `data` and `alternative` that are no figures.
_WORDS = ("type", "inductive", "name", "value")


class PartFault(Exception):
    """The list of parts contradicts itself, or a circuit needs what is not in it."""


@dataclass(frozen=True)
class Part:
    """One line of the list. `data` are its figures in SI units; `alternative` those that replace them."""

    id: str
    what: str
    example: str
    alternatives: str
    value: str = ""
    optional: bool = False
    kicad: str = ""
    footprint: str = ""
    pins: dict = field(default_factory=dict)
    data: dict = field(default_factory=dict)
    alternative: list = field(default_factory=list)
    blocks: dict = field(default_factory=dict)

    def __getitem__(self, figure):
        """One figure. Raises PartFault when the list does not have it."""
        try:
            return self.data[figure]
        except KeyError:
            raise PartFault(f"{self.id}: hardware/parts.toml gives no {figure!r} for it") from None

    def range(self, figure):
        """A figure with the part's tolerance, as (least, most)."""
        nominal, tolerance = self[figure], self["tolerance"]
        return nominal * (1 - tolerance), nominal * (1 + tolerance)


@dataclass(frozen=True)
class Parts:
    """All of the list: `parts` by id, what is in no circuit, and the wires of each build."""

    builds: tuple
    parts: dict
    extra: list
    wires: dict

    def __getitem__(self, name):
        try:
            return self.parts[name]
        except KeyError:
            raise PartFault(f"{name}: hardware/parts.toml has no such part") from None

    def with_data(self, name, **figures):
        """The same list with some figures of one part replaced."""
        part = self[name]
        kept = {key: getattr(part, key) for key in part.__dataclass_fields__}
        kept["data"] = part.data | figures
        return Parts(self.builds, self.parts | {name: Part(**kept)}, self.extra, self.wires)

    def variants(self):
        """(name, list) for the list as it is and for every alternative that has figures of its own."""
        yield "", self
        for part in self.parts.values():
            for other in part.alternative:
                figures = {key: value for key, value in other.items() if key not in ("name", "value")}
                yield f"{part.id}: {other['name']}", self.with_data(part.id, **figures)


def load(path=SOURCE):
    """The list. Raises PartFault for a part that is there twice, a word that means nothing, a figure that is none."""
    data = read(path, PartFault)
    parts = {}
    for row in data["part"]:
        name = row.get("id") or row.get("what") or "a part"
        if name in parts:
            raise PartFault(f"{name}: is in hardware/parts.toml twice")
        try:
            parts[name] = Part(**row)
        except TypeError as error:
            raise PartFault(f"{name}: hardware/parts.toml: {str(error).removeprefix('Part.__init__() ')}") from None
        for figures in (parts[name].data, *parts[name].alternative):
            _check(name, figures)
    return Parts(tuple(data["builds"]), parts, data["extra"], data["wires"])


def read(path, fault):
    """What a file in TOML says. Raises `fault` with its name and the line that cannot be read."""
    try:
        return tomllib.loads(Path(path).read_text(encoding="utf-8"))
    except tomllib.TOMLDecodeError as error:
        raise fault(f"hardware/{Path(path).name} cannot be read: {error}") from None


def _check(part, figures):
    for name, figure in figures.items():
        if name in _WORDS:
            continue
        numbers = figure if isinstance(figure, list) else [figure]
        if not all(isinstance(number, int | float) and number > 0 for number in numbers):
            raise PartFault(f"{part}: {name} = {figure!r} in hardware/parts.toml: needs a number above zero")
        if isinstance(figure, list) and (len(figure) != 2 or figure[0] > figure[1]):
            raise PartFault(f"{part}: {name} = {figure!r} in hardware/parts.toml: needs [least, most]")
