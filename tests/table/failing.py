"""A flash that fails, on a fake board."""

from __future__ import annotations

from tests.table.rig import Rig


class Flash:
    """Fails `times` from the writing number `first` (of these files) on; what that `leaves` of the file: the "old" one,
    a "torn" one, the "whole" new one, or "nothing": then no file can be read any more either."""

    def __init__(self, rig: Rig, first: int, times: int, leaves: str) -> None:
        self.count = 0
        self._rig = rig
        self._range = range(first, first + times)
        self._leaves = leaves
        self._save = rig.board.save
        rig.board.save = self.save  # type: ignore[method-assign]
        choose = rig.board.choose_mode

        def choose_mode(mode: str) -> str:
            self.count += 1
            if self.count - 1 in self._range:
                raise OSError(5)
            return choose(mode)

        rig.board.choose_mode = choose_mode

    def save(self, name: str, data: bytes) -> None:
        self.count += 1
        if self.count - 1 not in self._range:
            self._save(name, data)
            return
        if self._leaves == "whole":
            self._save(name, data)
        elif self._leaves == "torn":
            self._rig.board.files[name] = bytes(data[: len(data) // 2])
        elif self._leaves == "nothing":
            self._rig.board.broken = True
        raise OSError(5)

    def mend(self) -> None:
        self._range = range(0)
        self._rig.board.broken = False
