"""Draws what a player may see. `View` knows the `Scene` and the `Visible` in it, never the round."""

from holecard.table import asking, frame, hands, posters, results, textpage


def _playing(canvas, scene) -> None:
    hands.dealer(canvas, scene.visible)
    hands.player(canvas, scene)


# Those that need a dealt round, and those that do not.
_ROUND = {
    "insurance": asking.insurance,
    "playing": _playing,
    "doubling": asking.doubling,
    "settled": results.settled,
}
_OTHER = {
    "attract": posters.attract,
    "betting": asking.betting,
    "saved": posters.saved,
    "broke": posters.broke,
    "away": posters.away,
    "locked": posters.locked,
}


class View:
    """The whole picture from one scene. Drawing again from the same scene gives the same pixels."""

    def __init__(self, canvas) -> None:
        self.canvas = canvas

    def draw(self, scene) -> None:
        """Redraw everything; KeyError for an unknown phase. A round's phase without a round shows only the frame."""
        canvas = self.canvas
        canvas.fill(0)
        if scene.page:
            textpage.page(canvas, scene)
        elif scene.phase in _ROUND:
            if scene.visible is not None:
                _ROUND[scene.phase](canvas, scene)
            frame.status(canvas, scene)
        else:
            _OTHER[scene.phase](canvas, scene)
            if scene.phase != "attract":
                frame.status(canvas, scene)
        frame.labels(canvas, scene)
