"""The page of the electrical checks: every figure of every build, with what it may be."""

from tools.hardware.limit import number
from tools.hardware.limits import limits


def page(built, parts, pins):
    """The page hardware/figures.md."""
    lines = [
        "# Electrical figures",
        "",
        "Written by `make hardware` from [parts.toml](parts.toml), [pinmap.toml](pinmap.toml) and the firmware's",
        "constants. Every figure is the worst that tolerances and data sheets allow; the last column is an alternative",
        "of the list that comes nearer to the bound. `make test` computes all of them again. The formulas are in",
        "[signals.py](../tools/hardware/signals.py) and [limits.py](../tools/hardware/limits.py).",
    ]
    variants = list(parts.variants())
    for build, circuit in built.items():
        lines += ["", f"## {build}", "", "| what | computed | allowed | worst alternative |", "|---|---:|---|---|"]
        others = [
            (name, {each.what: each for each in limits(circuit, variant, pins)}) for name, variant in variants[1:]
        ]
        for limit in limits(circuit, parts, pins):
            worst = _worst(limit, others)
            lines.append(f"| {limit.what} | {number(limit.value, limit.unit)} | {limit.bound} | {worst} |")
    return "\n".join(lines) + "\n"


def _worst(limit, others):
    """The alternative that comes nearest to the bound, when it comes nearer than the part itself."""
    found = [(each[limit.what], name) for name, each in others if limit.what in each]
    upward = limit.most is not None and limit.least is None
    worse = [
        (other.value, name)
        for other, name in found
        if (other.value > limit.value) == upward and other.value != limit.value
    ]
    if not worse:
        return ""
    value, name = max(worse) if upward else min(worse)
    return f"{number(value, limit.unit)} ({name})"
