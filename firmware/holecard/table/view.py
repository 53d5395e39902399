"""Draws what a player may see. `View` knows the `Scene` and the `Visible` in it, never the round.

A picture is made of parts, each in a rectangle of its own. A part is drawn again only when what it depends on, its key,
is not what it was: a press changes one label, a bought card one row.
"""

from holecard.table import asking, frame, hands, posters, results, textpage
from holecard.table.canvas import HEIGHT, WIDTH


def _round_key(scene) -> tuple:
    # A `Visible` does not change, there is a new one after each action.
    return (scene.visible, scene.seat, scene.hand, scene.seats, scene.amount, scene.insurance_left)


def _page_key(scene) -> tuple:
    return (tuple(scene.lines), any(scene.labels), scene.bench)


def _poster_key(scene) -> tuple:
    return (scene.message, scene.bankroll)


def _attract_key(scene) -> tuple:
    return (scene.frame, any(scene.labels), scene.bench)


# (x, y, width, height, key of a scene, drawing of a scene)
_STATUS = (0, 0, WIDTH, 8, frame.status_key, frame.status)
_DEALER = (0, hands.DEALER, WIDTH, 24, hands.dealer_key, hands.dealer)
_PLAYER = (0, hands.PLAYER, WIDTH, 24, hands.player_key, hands.player)
_DOUBLING = (0, hands.PLAYER, WIDTH, 24, _round_key, asking.doubling)
_AMOUNT = (0, 8, asking.CHIP_X, 30, lambda scene: scene.bet, asking.amount)
_CHIP = (asking.CHIP_X, 8, WIDTH - asking.CHIP_X, 30, lambda scene: scene.chip, asking.chip)
_ADVICE = (0, 38, WIDTH, 18, lambda scene: (scene.message, scene.rules_name, scene.seal), asking.advice)


def _body(key, draw) -> tuple:
    return ((0, 8, WIDTH, 48, key, draw), _STATUS)


def _whole(key, draw) -> tuple:
    return ((0, 0, WIDTH, HEIGHT, key, draw),)


_PAGE = _whole(_page_key, textpage.page)
# Those that need a dealt round, and those that do not.
_ROUND = {
    "insurance": _body(_round_key, asking.insurance),
    "playing": (_DEALER, _PLAYER, _STATUS),
    "doubling": (_DEALER, _DOUBLING, _STATUS),
    "settled": _body(_round_key, results.settled),
}
_BARE = (_STATUS,)
_OTHER = {
    "attract": _whole(_attract_key, posters.attract),
    "betting": (_AMOUNT, _CHIP, _ADVICE, _STATUS),
    "saved": _body(_poster_key, posters.saved),
    "broke": _body(_poster_key, posters.broke),
    "away": _body(_poster_key, posters.away),
    # It has no keys: its reason may reach into their line.
    "locked": ((0, 8, WIDTH, HEIGHT - 8, _poster_key, posters.locked), _STATUS),
}


class View:
    """Keeps `canvas` at the picture of the scene that was drawn last; nobody else draws on it."""

    def __init__(self, canvas) -> None:
        self.canvas = canvas
        self._labels = frame.Labels(canvas)
        self._layout: tuple = ()
        self._keys: list = []

    def draw(self, scene) -> None:
        """KeyError for an unknown phase. A round's phase without a round shows only the frame."""
        canvas = self.canvas
        layout = _layout(scene)
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


def _layout(scene) -> tuple:
    if scene.page:
        return _PAGE
    if scene.phase in _ROUND:
        return _ROUND[scene.phase] if scene.visible is not None else _BARE
    return _OTHER[scene.phase]
