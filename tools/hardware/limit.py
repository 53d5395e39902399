"""One figure of a circuit and its bounds, and what the checks compute with."""

import ast
import functools
from dataclasses import dataclass

from tools.hardware.parts import ROOT

_BOARDS = ROOT / "firmware" / "holecard" / "boards"
_PREFIXES = ((1e6, "M"), (1e3, "k"), (1, ""), (1e-3, "m"), (1e-6, "u"), (1e-9, "n"), (1e-12, "p"))


@dataclass(frozen=True)
class Limit:
    """One figure and what it may be. `advice` says what to change when it is outside."""

    what: str
    value: float
    unit: str
    least: float | None = None
    most: float | None = None
    advice: str = ""

    @property
    def good(self):
        return (self.least is None or self.value >= self.least) and (self.most is None or self.value <= self.most)

    @property
    def bound(self):
        """The bound in words."""
        if self.least is not None and self.most is not None:
            return f"{number(self.least, self.unit)} to {number(self.most, self.unit)}"
        if self.most is not None:
            return f"at most {number(self.most, self.unit)}"
        return f"at least {number(self.least, self.unit)}"

    def sentence(self):
        """What is wrong, and what to do."""
        return f"{self.what} is {number(self.value, self.unit)}, allowed is {self.bound}: {self.advice}"


def number(value, unit):
    """A value with an SI prefix, three digits."""
    if not unit or value == 0:
        return f"{value:.3g}{' ' + unit if unit else ''}"
    power, prefix = next((each for each in _PREFIXES if abs(value) >= each[0] * 0.9995), _PREFIXES[-1])
    shown = value / power
    return f"{shown:.0f} {prefix}{unit}" if shown >= 99.95 else f"{shown:.3g} {prefix}{unit}"


def parallel(*ohms):
    """The resistance of resistors side by side."""
    return 1 / sum(1 / each for each in ohms)


@functools.cache
def constant(file, name):
    """A constant of a module of the boards, which cannot be imported without a machine."""
    for node in ast.parse((_BOARDS / file).read_text(encoding="utf-8")).body:
        if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name) and node.targets[0].id == name:
            return ast.literal_eval(node.value)
    raise LookupError(f"{file} has no {name}")
