"""What listens to a wire: one seam for the recorder, for those who watch, and for whatever else wants to know."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from .wire import Wire


class Observer:
    """Hears everything that one wire sends and receives. It may not raise anything but what `rest` is told."""

    def sent(self, data: bytes, aside: bool) -> None:
        """Bytes went out; `aside`: an observer wanted them, not the wire's owner."""

    def heard(self, data: bytes, aside: bool) -> None:
        """Bytes came in."""

    def did(self, what: str, arguments: tuple[Any, ...]) -> None:
        """Something is about to be done to the stand that does not go over the wire, as a finger's press."""

    def rest(self, wire: Wire) -> None:
        """A request has been answered in full: the moment for questions of one's own, with `wire.aside`.

        Raises what `Wire.ask` raises.
        """

    def close(self) -> None:
        """The wire is being closed."""


openers: list[Callable[[Wire], Observer]] = []
"""Called for every wire that is opened while they stand here."""
