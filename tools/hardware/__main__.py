"""Write everything under hardware/ that follows from pinmap.toml and parts.toml.

python -m tools.hardware          write the files
python -m tools.hardware --check  exit 1 when one of them is not what would be written, or when a check fails
"""

import sys

from tools import pinmap
from tools.hardware import bom, breadboard, circuit, figures, harness, joints, netlist, parts, rules, schematic
from tools.hardware.limits import limits

HARDWARE = parts.ROOT / "hardware"


def faults(pins, listed):
    """A sentence for each rule and each limit that does not hold, with every alternative of the list of parts."""
    for build, each in circuit.circuits(listed.builds, pins).items():
        yield from (f"{build}: {sentence}" for sentence in rules.faults(each, listed))
        told = set()
        for name, variant in listed.variants():  # the list as it is comes first
            with_it = f" with {name}" if name else ""
            for limit in limits(each, variant, pins):
                if not limit.good and limit.what not in told:
                    told.add(limit.what)
                    yield f"{build}{with_it}: {limit.sentence()}"


def outputs(pins, listed):
    """Every file that needs no other program, and its text."""
    built = circuit.circuits(listed.builds, pins)
    found = {HARDWARE / "figures.md": figures.page(built, listed, pins)}
    for build, each in built.items():
        found[HARDWARE / "bom" / f"{build}.md"] = bom.markdown(each, listed)
        found[HARDWARE / "bom" / f"{build}.csv"] = bom.table(each, listed)
        found[HARDWARE / "schematic" / f"{build}.svg"] = schematic.draw(each, listed)
        found[HARDWARE / "schematic" / f"{build}.net"] = netlist.text(each, listed)
        if build != "breadboard":
            found[HARDWARE / "joints" / f"{build}.md"] = joints.page(each, listed)
            found[HARDWARE / "harness" / f"{build}.yml"] = harness.source(each, pins, listed)
    found[HARDWARE / "breadboard.md"] = breadboard.page(built["breadboard"], pins, listed)
    found[HARDWARE / "breadboard.svg"] = breadboard.draw(built["breadboard"], pins, listed)
    return found


def drawings(found):
    """The harness files among the outputs, and what is drawn of each."""
    return {path: (path.with_suffix(".svg"), path.with_suffix(".tsv")) for path in found if path.suffix == ".yml"}


def stale(pins, listed):
    """The paths of files that are not what would be written; a drawing of WireViz by the digest that it carries."""
    found = outputs(pins, listed)
    old = [path for path, text in found.items() if not path.exists() or path.read_text(encoding="utf-8") != text]
    for path, (svg, tsv) in drawings(found).items():
        said, _ = harness.drawn_from(svg.read_text(encoding="utf-8")) if svg.exists() else ("", "")
        if said != harness.digest(found[path]) or not tsv.exists():
            old.append(svg)
    return old


def main(arguments):
    """Write the files, or compare them."""
    try:
        pins, listed = pinmap.load(), parts.load()
        wrong = list(faults(pins, listed))
        if not wrong:
            return _check(pins, listed) if "--check" in arguments else _write(pins, listed)
    except (pinmap.PinFault, parts.PartFault, schematic.DrawingFault) as fault:
        wrong = [str(fault)]
    for sentence in wrong:
        print(f"hardware: {sentence}", file=sys.stderr)
    return 2


def _check(pins, listed):
    old = stale(pins, listed)
    for path in old:
        print(f"hardware: {path.relative_to(parts.ROOT)} is out of date: run make hardware", file=sys.stderr)
    return 1 if old else 0


def _write(pins, listed):
    found = outputs(pins, listed)
    for path, (svg, tsv) in drawings(found).items():
        if harness.tools() is None:
            continue
        found[svg], found[tsv] = harness.draw(found[path])
    new = [path for path, text in found.items() if not path.exists() or path.read_text(encoding="utf-8") != text]
    for path in new:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(found[path], encoding="utf-8")
        print(f"hardware: wrote {path.relative_to(parts.ROOT)}")
    print(f"hardware: every check holds; {len(new)} of {len(found)} files are new")
    old = stale(pins, listed)
    for path in old:
        print(
            f"hardware: {path.relative_to(parts.ROOT)} is out of date, and WireViz or Graphviz is missing here: "
            "pip install 'holecard[hardware]', apt install graphviz",
            file=sys.stderr,
        )
    return 1 if old else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
