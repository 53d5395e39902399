"""What tests of several files need: a port."""

from __future__ import annotations

import os
from collections.abc import Iterator

import pytest


@pytest.fixture
def port() -> Iterator[str]:
    """The path of a pseudo-terminal that nobody has open but this process, and at which nobody answers."""
    import tty  # noqa: PLC0415 - POSIX only

    master, slave = os.openpty()
    tty.setraw(slave)
    yield os.ttyname(slave)
    os.close(slave)
    os.close(master)
