"""Draws what a player may see. `View` knows the `Scene` and the `Visible` in it, never the round.

A picture is made of parts, each in a rectangle of its own. A part is drawn again only when what it depends on, its key,
is not what it was: a press changes one label, a bought card one row.
"""

from holecard.table import asking, frame
from holecard.table.canvas import HEIGHT, WIDTH
from holecard.table.layouts import STATUS

_AMOUNT = (0, 8, asking.CHIP_X, 30, lambda scene: scene.bet, asking.amount)
_CHIP = (asking.CHIP_X, 8, WIDTH - asking.CHIP_X, 30, lambda scene: scene.chip, asking.chip)
_ADVICE = (0, 38, WIDTH, 18, lambda scene: (scene.message, scene.rules_name, scene.seal), asking.advice)
# Those that need a dealt round.
_ROUND = ("insurance", "playing", "doubling", "settled")
_BARE = (STATUS,)


class View:
    """Keeps `canvas` at the picture of the scene that was drawn last; nobody else draws on it."""

    def __init__(self, canvas) -> None:
        self.canvas = canvas
        self._labels = frame.Labels(canvas)
        # By phase, and that of a "page". The others come from the modules that draw them.
        self._layouts = {"betting": (_AMOUNT, _CHIP, _ADVICE, STATUS)}
        self._layout: tuple = ()
        self._keys: list = []

    def draw(self, scene) -> None:
        """KeyError for an unknown phase. A round's phase without a round shows only the frame."""
        canvas = self.canvas
        layout = self._choose(scene)
        if layout is not self._layout:
            self._layout = layout
            self._keys = [None] * len(layout)
            canvas.fill(0)
            self._labels.forget()
        keys = self._keys
        for i, part in enumerate(layout):
            x, y, width, height, key, draw = part
            now = key(scene)
            if now != keys[i]:
                keys[i] = now
                canvas.fill_rect(x, y, width, height, 0)
                draw(canvas, scene)
                if y + height == HEIGHT:
                    self._labels.forget()
        self._labels.draw(scene)

    def _choose(self, scene) -> tuple:
        name = "page" if scene.page else scene.phase
        if name in _ROUND and scene.visible is None:
            return _BARE
        if name not in self._layouts:
            self._layouts.update(_drawn(name))
        return self._layouts[name]


def _drawn(name: str) -> dict:
    """That layout and those that are drawn by the same module: see ahead.py."""
    if name == "settled":
        from holecard.table import results  # noqa: PLC0415

        return results.LAYOUTS
    if name in _ROUND:
        from holecard.table import questions  # noqa: PLC0415

        return questions.LAYOUTS
    from holecard.table import posters  # noqa: PLC0415

    return posters.LAYOUTS
