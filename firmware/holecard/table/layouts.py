"""A picture is made of parts: (x, y, width, height, key of a scene, drawing of a scene). See view.py."""

from holecard.table import frame
from holecard.table.canvas import HEIGHT, WIDTH

STATUS = (0, 0, WIDTH, 8, frame.status_key, frame.status)


def body(key, draw) -> tuple:
    """One part between status line and labels."""
    return ((0, 8, WIDTH, 48, key, draw), STATUS)


def whole(key, draw) -> tuple:
    """One part that is all of the panel, what is below the labels too."""
    return ((0, 0, WIDTH, HEIGHT, key, draw),)
