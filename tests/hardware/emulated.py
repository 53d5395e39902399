"""What the tests of the emulated chip share: whether it can run here."""

from __future__ import annotations

import importlib.util

import pytest

from holecard_host.twin.emulated.needs import missing

URL = "rp2040://"

_MISSING = missing(download=False)
needs_chip = pytest.mark.skipif(bool(_MISSING), reason=_MISSING or "-")
needs_emulator = pytest.mark.skipif(
    importlib.util.find_spec("rp2040py") is None, reason="the emulated chip is not installed: holecard[emulator]"
)
