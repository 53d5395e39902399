"""What to order for a build: counted in its circuit, with what is in no circuit added."""

import csv
import io

NOTE = "Written by `make hardware` from [parts.toml](../parts.toml) and [pinmap.toml](../pinmap.toml); edit those."
TITLES = {
    "breadboard": "The breadboard build",
    "arcade-5v": "The arcade build with lamps of 5 V",
    "arcade-12v": "The arcade build with lamps of 12 V",
}


def rows(circuit, parts):
    """(quantity, what, example, alternatives, references, needed?) in the order of the list."""
    found = []
    for part in parts.parts.values():
        components = circuit.of(part.id)
        if not components:
            continue
        needed = "optional" if part.optional else ""
        if part.blocks:
            found += _blocks(part, components)
            continue
        found.append((len(components), part.what, part.example, part.alternatives, _refs(components), needed))
    for extra in parts.extra:
        count = extra["quantity"].get(circuit.build, 0)
        if count:
            needed = "optional" if extra.get("optional") else ""
            found.append((count, extra["what"], extra["example"], extra["alternatives"], "", needed))
    return found


def _blocks(part, components):
    """Rows of poles are put together from blocks of 2, and one of 3 where their number is odd."""
    odd = [component for component in components if len(component.pins) % 2]
    poles = sum(len(component.pins) for component in components)
    for size, count, where in (("2", (poles - 3 * len(odd)) // 2, components), ("3", len(odd), odd)):
        yield count, f"{part.what}: {size} poles", part.blocks[size], part.alternatives, _refs(where), ""


def _refs(components):
    return " ".join(component.ref for component in components)


def markdown(circuit, parts):
    """The page."""
    lines = [
        f"# {TITLES[circuit.build]}: parts",
        "",
        NOTE,
        "",
        "An example is one part that fits, not a recommendation of a maker; the figures that matter are in parts.toml",
        "and checked by `make test`. References are those of the schematic.",
        "",
        "| pieces | what | example | or | references | |",
        "|---:|---|---|---|---|---|",
    ]
    lines += ["| " + " | ".join(str(cell) for cell in row) + " |" for row in rows(circuit, parts)]
    return "\n".join(lines) + "\n"


def table(circuit, parts):
    """The same as CSV, for a spreadsheet or a shop's upload."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(["quantity", "what", "example", "alternatives", "references", "optional"])
    writer.writerows(rows(circuit, parts))
    return out.getvalue()
