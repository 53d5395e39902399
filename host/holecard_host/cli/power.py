"""`holecard power`: switches a table off and on, from another terminal than the one that uses it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from holecard_host.errors import UsageFault
from holecard_host.stands import is_own, keep_one, open_stand

if TYPE_CHECKING:
    from holecard_host.stands import Stand
    from holecard_host.twin.holder import RemoteTwin

DEEDS = ("off", "on", "cycle")


def power(
    url: Annotated[str, typer.Argument(metavar="URL", help="The table, e.g. sim://NAME of `holecard sim`.")],
    do: Annotated[
        str | None, typer.Argument(metavar="off|on|cycle", help="What to do; nothing: tell whether it is on.")
    ] = None,
) -> None:
    """Cut a table's power, at once and wherever it is, and restore it: what a pulled plug does."""
    from holecard_host.twin import registry  # noqa: PLC0415
    from holecard_host.twin.holder import RemoteTwin  # noqa: PLC0415

    if do is not None and do not in DEEDS:
        raise UsageFault(f"{do!r}: one of {', '.join(DEEDS)}")
    scheme, _, name = url.partition("://")
    if is_own(url):
        raise UsageFault(keep_one(url))
    if scheme != "sim" or not registry.is_name(name):
        if do is None:
            raise UsageFault(f"{url} does not tell whether it is on: say {', '.join(DEEDS)}")
        with open_stand(url) as stand:
            _switch(stand, do)
        return
    # What a SimStand does, without its wire: another command may have the port, and without power nothing answers.
    twin = RemoteTwin(registry.find(name))
    try:
        if do is not None:
            _switch(twin, do)
        print(f"{url} is {'on' if twin.powered() else 'off'}")
    finally:
        twin.close()


def _switch(stand: Stand | RemoteTwin, do: str) -> None:
    """Raises UsageFault for a stand that cannot."""
    if do != "on":
        stand.cut()
    if do != "off":
        stand.restore()
