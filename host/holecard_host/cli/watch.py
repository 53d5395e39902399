"""`holecard watch`: a table live, beside whoever uses it."""

from __future__ import annotations

import contextlib
import datetime
import json
import queue
import re
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Annotated, Any

import typer

from holecard import __version__
from holecard_host.cli.play import is_terminal
from holecard_host.text import printable
from holecard_host.transcript.record import VERSION, Transcript
from holecard_host.tui.friendly import friendly
from holecard_host.watching import Watcher, lamp_names

_EVENT = re.compile(r"!EVT \d+ \d+ (\{.*\})$")


def watch(
    url: Annotated[str, typer.Argument(metavar="URL", help="A table that runs, e.g. sim://NAME or /dev/ttyACM0.")],
    as_json: Annotated[bool, typer.Option("--json", help="One line of JSON for everything that is seen.")] = False,
    record: Annotated[
        Path | None, typer.Option("--record", metavar="FILE", help="Write what is seen and said as a transcript.")
    ] = None,
    seconds: Annotated[
        float | None, typer.Option("--for", metavar="SECONDS", min=0, help="End by itself after so long.")
    ] = None,
) -> None:
    """Look at a table's screen, lamps, events, meters and loop time while somebody else tests it.

    It presses nothing. A table that nobody uses is asked by this command itself, which then takes its events, and
    leaves it to whoever wants it.
    """
    with _record(record, url) as keep:
        if is_terminal() and not as_json:
            from holecard_host.tui.watch import watch as watch_in_terminal  # noqa: PLC0415 - takes a while to import

            watch_in_terminal(url, keep, seconds)
            return
        for item in _seen(url, seconds):
            keep(item)
            for line in [json.dumps(item)] if as_json else plain(item):
                print(line, flush=True)


def _seen(url: str, seconds: float | None) -> Iterator[dict[str, Any]]:
    came: queue.Queue[dict[str, Any] | Exception] = queue.Queue()
    watcher = Watcher(url, came.put)
    watcher.start()
    end = None if seconds is None else time.monotonic() + seconds
    try:
        while end is None or time.monotonic() < end:
            try:
                item = came.get(timeout=0.1)
            except queue.Empty:
                continue
            if isinstance(item, Exception):
                raise item
            yield item
    finally:
        watcher.stop()


def plain(item: dict[str, Any]) -> Iterator[str]:
    """One seen thing as lines of text, with the time of day in front."""
    clock = datetime.datetime.fromtimestamp(float(item["t"])).strftime("%H:%M:%S.%f")[:-3]
    for line in _told(item):
        yield f"{clock} {printable(line)}"


def _told(item: dict[str, Any]) -> Iterator[str]:
    if "from" in item:
        yield f"seen through {item['from']}"
    if "picture" in item:
        lit = bytes.fromhex(item["picture"])
        yield f"screen: another picture, {int.from_bytes(lit, 'big').bit_count()} pixels lit"
    if "lamps" in item:
        yield f"lamps: {lamp_names(item['lamps'])}"
    if "meters" in item:
        yield "meters: " + ", ".join(f"{name} {value}" for name, value in item["meters"].items())
    if "loop" in item:
        yield f"loop: {item['loop'] / 1000:.2f} ms for a pass with a request"
    if "line" in item:
        found = _EVENT.match(item["line"])
        if found is None:
            yield f"{'>' if item['dir'] == 'out' else '<'} {item['line']}"
            return
        with contextlib.suppress(ValueError):
            told = friendly(json.loads(found[1]))
            if told is not None:
                yield told[0].strip()


@contextlib.contextmanager
def _record(path: Path | None, url: str) -> Iterator[Any]:
    if path is None:
        yield lambda item: None
        return
    transcript = Transcript(path)
    began = time.time()
    transcript.write({"holecard_transcript": VERSION, "url": url, "program": __version__, "clock": "host"})

    def keep(item: dict[str, Any]) -> None:
        rest = {name: value for name, value in item.items() if name != "t"}
        transcript.write({"host": round((item["t"] - began) * 1e6), "dir": "seen", **rest})

    try:
        yield keep
    finally:
        transcript.close()
    if transcript.fault is not None:
        raise transcript.fault
