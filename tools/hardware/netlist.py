"""The circuit as a netlist that KiCad's board editor imports (its "legacy" S-expressions, version E)."""

from tools.hardware.circuit import Component


def terminal(component: Component, name, parts):
    """The number that a terminal has in KiCad's symbol."""
    return parts[component.part].pins.get(name, name) if component.part != "pico" else name


def text(circuit, parts):
    """The netlist."""
    lines = ['(export (version "E")', f'  (design (source "hardware/pinmap.toml") (tool "holecard {circuit.build}"))']
    lines.append("  (components")
    for component in circuit.components.values():
        part = parts[component.part]
        fields = f'(ref "{component.ref}") (value "{_plain(part.value or part.id)}")'
        if part.footprint:
            fields += f' (footprint "{part.footprint}")'
        fields += f' (description "{_plain(part.what)}")'
        library, _, symbol = part.kicad.partition(":")
        if part.id == "screws":
            symbol = f"Screw_Terminal_01x{len(component.pins):02}"
        if symbol:
            fields += f' (libsource (lib "{library}") (part "{symbol}"))'
        lines.append(f"    (comp {fields})")
    lines[-1] += ")"
    lines.append("  (nets")
    for code, (net, terminals) in enumerate(circuit.nets().items(), 1):
        nodes = " ".join(
            f'(node (ref "{ref}") (pin "{terminal(circuit.components[ref], name, parts)}"))' for ref, name in terminals
        )
        lines.append(f'    (net (code "{code}") (name "{net}") {nodes})')
    lines[-1] += "))"
    return "\n".join(lines) + "\n"


def _plain(words):
    return words.replace('"', "'")
