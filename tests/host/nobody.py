"""Another user of this computer, who may do less."""

from __future__ import annotations

import contextlib
import os
import signal
import time
from collections.abc import Callable, Iterator

import pytest

root_only = pytest.mark.skipif(os.name == "nt" or os.getuid() != 0, reason="a second user needs root")


@contextlib.contextmanager
def as_nobody(do: Callable[[], object]) -> Iterator[tuple[int, str]]:
    """Does something in a process of another user, which then lives until the block is left: its id, what it raised.

    Forked: another user may not be able to start this Python.
    """
    import pwd  # noqa: PLC0415 - POSIX only

    reads, writes = os.pipe()
    pid = os.fork()
    if pid == 0:
        try:
            os.setgroups([])
            os.setgid(pwd.getpwnam("nobody").pw_gid)
            os.setuid(pwd.getpwnam("nobody").pw_uid)
            kept = do()
            os.write(writes, b"done\n")
            time.sleep(60)
            del kept
        except BaseException as error:
            os.write(writes, f"{error}\n".encode())
        os._exit(0)
    try:
        with open(reads, encoding="utf-8", closefd=False) as told:
            yield pid, told.readline().strip()
    finally:
        os.kill(pid, signal.SIGKILL)
        os.waitpid(pid, 0)
        os.close(reads)
        os.close(writes)
