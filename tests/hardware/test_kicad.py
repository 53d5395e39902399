"""The circuits once more, in SKiDL with KiCad's own symbols: its rule check, and its pin numbers."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import pytest
from tools import pinmap
from tools.hardware import circuit, netlist, parts, rules

SYMBOLS = Path("/usr/share/kicad/symbols")
# Names that KiCad gives to the pins behind our terminals, where they are more than numbers.
_NAMES = {("lamp", "1"): "+", ("lamp", "2"): "-"}


@pytest.fixture
def skidl(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Any:
    if not (SYMBOLS / "Device.kicad_sym").exists():
        pytest.skip("KiCad's symbols are not installed (Debian: apt install kicad-symbols)")
    monkeypatch.chdir(tmp_path)  # it leaves logs where it is started
    monkeypatch.setitem(os.environ, "KICAD6_SYMBOL_DIR", str(SYMBOLS))
    module = pytest.importorskip("skidl", reason="skidl is not installed (pip install 'holecard[kicad]')")
    module.set_default_tool(module.KICAD6)
    module.lib_search_paths[module.KICAD6].append(str(SYMBOLS))
    return module


def _functions(skidl: Any) -> dict[str, Any]:
    kinds = skidl.Pin.types
    return {
        rules.PASSIVE: kinds.PASSIVE,
        rules.INPUT: kinds.INPUT,
        rules.OUTPUT: kinds.OUTPUT,
        rules.OPEN: kinds.BIDIR,
        rules.SOURCE: kinds.PWROUT,
        rules.SINK: kinds.PWRIN,
        rules.EARTH: kinds.PASSIVE,
    }


@pytest.mark.parametrize("build", ["breadboard", "arcade-5v", "arcade-12v"])
def test_kicad_s_symbols_and_skidl_s_rule_check_agree(skidl: Any, build: str) -> None:
    listed = parts.load()
    built = circuit.circuit(build, pinmap.load())
    skidl.reset()
    nets = {name: skidl.Net(name) for name in built.nets()}
    for component in built.components.values():
        part = listed[component.part]
        library, _, symbol = part.kicad.partition(":")
        if part.id == "screws":
            symbol = f"Screw_Terminal_01x{len(component.pins):02}"
        if library:
            placed = skidl.Part(library, symbol, ref=component.ref)
        else:
            pins = [
                skidl.Pin(num=terminal, name=terminal, func=_functions(skidl)[rules.kind(component, terminal)])
                for terminal, net in component.pins.items()
                if net
            ]
            placed = skidl.Part(name=part.id, tool=skidl.SKIDL, dest=skidl.NETLIST, ref=component.ref, pins=pins)
        for terminal, net in component.pins.items():
            if net is None:
                continue
            number = netlist.terminal(component, terminal, listed)
            pin = next(each for each in placed.pins if each.num == number)
            named = _NAMES.get((component.part.partition("-")[0], terminal), terminal)
            assert pin.name in (named, "~", f"Pin_{terminal}"), (component.ref, terminal, pin.name)
            nets[net] += pin
    for name in ("VSYS", "LAMP+"):  # fed through a diode, which this rule check does not see; ours does
        if name in nets:
            nets[name].drive = skidl.POWER
    skidl.ERC()
    assert (skidl.erc_logger.error.count, skidl.erc_logger.warning.count) == (0, 0)
