"""The look of a text page: a title bar and up to seven lines of 21 characters."""

from holecard.table import font, frame

_LINE = 8


def page(canvas, scene) -> None:
    """`scene.lines`, the first as the title."""
    lines = scene.lines
    canvas.fill_rect(0, 0, 128, _LINE, 1)
    if lines:
        canvas.text(font.TEXT, lines[0], 1, 0, 0)
    if scene.bench:
        frame.bench_banner(canvas, 104, 0, 0)
    y = _LINE + 1
    for line in lines[1:8]:
        canvas.text(font.TEXT, line, 1, y)
        y += _LINE
