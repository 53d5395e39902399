"""The last rounds: the newest in memory, those before them in the journal."""

from holecard.rules.ruleset import Refused

KEPT = 12
# Of so many the memory has room.
_NEAR = 4


def _nowhere(_back: int):
    raise Refused("that round cannot be read")


class Recall:
    """Rounds counted backwards from the newest, 0. `fetch(back)` gives a (Round, place) that memory no longer
    holds."""

    def __init__(self) -> None:
        self.fetch = _nowhere
        self.count = 0
        self._near: list = []

    def __len__(self) -> int:
        return self.count

    def clear(self) -> None:
        self.count = 0
        self._near = []

    def add(self, current, visible, place: str) -> None:
        """A round that has just ended, what can be seen of it, and its place in the table's own shoe, "" for none."""
        self.count = min(self.count + 1, KEPT)
        self.again(current, visible, place)

    def again(self, current, visible, place: str) -> None:
        """The newest of them, which memory has lost."""
        self._near.append((_line(current), visible, place))
        if len(self._near) > _NEAR:
            self._near.pop(0)

    def line(self, back: int) -> str:
        """The history of the round so many rounds ago. Refused if the journal cannot tell it any more."""
        return self._near[-1 - back][0] if back < len(self._near) else _line(self.fetch(back)[0])

    def visible(self, back: int):
        """What could be seen of it at its end. Refused as `line`."""
        return self._near[-1 - back][1] if back < len(self._near) else self.fetch(back)[0].visible()

    def place(self, back: int) -> str:
        """The numbers of its shoe and of the round in it, "" if its cards were stacked. Refused as `line`."""
        return self._near[-1 - back][2] if back < len(self._near) else self.fetch(back)[1]


def _line(play) -> str:
    from holecard.rules.history import encode  # noqa: PLC0415 - see ahead.py

    return encode(play)
