"""Programs that tests start and whose output they read while they run."""

from __future__ import annotations

import subprocess
from concurrent.futures import ThreadPoolExecutor


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
