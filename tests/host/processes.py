"""Programs that tests start and whose output they read while they run."""

from __future__ import annotations

import subprocess
from concurrent.futures import ThreadPoolExecutor


def heard(process: subprocess.Popen[str], text: str) -> None:
    """Waits for a line with `text` on stdout. An AssertionError tells what came instead when the program ends first."""
    assert process.stdout is not None
    told = []
    for line in process.stdout:
        if text in line:
            return
        told.append(line)
    raise AssertionError(f"it ended with {process.wait(30)} before it said {text!r}: {''.join(told)!r}")


def rest(process: subprocess.Popen[str], seconds: float = 30) -> tuple[str, str]:
    """Waits for its end: what it still says on stdout and on stderr.

    `communicate` would begin behind what `readline` has read ahead, in the middle of a character at worst. Raises
    TimeoutExpired, and kills it, when it goes on for longer.
    """
    with ThreadPoolExecutor(2) as pool:
        told = [pool.submit(pipe.read) if pipe else None for pipe in (process.stdout, process.stderr)]
        try:
            process.wait(seconds)
        except subprocess.TimeoutExpired:
            process.kill()
            raise
        output, errors = (one.result() if one else "" for one in told)
    for pipe in (process.stdout, process.stderr):
        if pipe:
            pipe.close()
    return output, errors
