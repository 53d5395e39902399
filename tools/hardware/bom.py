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
        count = len(components)
        if part.id == "screws":  # ordered by poles
            count = sum(len(component.pins) for component in components)
        refs = " ".join(component.ref for component in components)
        found.append((count, part.what, part.example, part.alternatives, refs, "optional" if part.optional else ""))
    for extra in parts.extra:
        count = extra["quantity"].get(circuit.build, 0)
        if count:
            found.append((count, extra["what"], extra["example"], extra["alternatives"], "", ""))
    return found


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
