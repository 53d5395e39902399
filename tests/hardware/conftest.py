"""Fixtures of the simulated hardware: both interpreters, and a probe on each."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from tests.hardware.support import INTERPRETERS, Probe


@pytest.fixture(params=INTERPRETERS)
def interpreter(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture
def probe(interpreter: str) -> Iterator[Probe]:
    probe = Probe(interpreter)
    yield probe
    probe.simulator.kill()
