"""A panel that was plugged in again between two transfers, on the simulated table."""

from __future__ import annotations

import pytest

from holecard_host.stands import open_stand


@pytest.mark.parametrize("playing", [False, True])
def test_a_panel_that_was_swapped_unseen_comes_back_by_itself(playing: bool) -> None:
    with open_stand("sim://cpython") as stand:
        if playing:
            stand.wire.command('BENC:SHOE "10,10,9,7"')
            stand.wire.command("ROUN:DEAL")
        stand.wire.ask("*OPC?")
        stand.faults.plug_panel(False)
        stand.faults.plug_panel(True)
        assert stand.frame() == bytes(1024)
        stand.advance(62_000)
        assert any(stand.frame())
        assert stand.frame().hex() == stand.wire.ask("DISP:DATA?").lower()
        assert stand.wire.ask("*OPC?") == "1"
