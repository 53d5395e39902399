"""The look of a text page: a title and up to seven lines of 21 characters."""

from holecard.table import font, frame

_CELL = 6
_BANNER = 105


def page(canvas, scene) -> None:
    """`scene.lines`, the first as the title. Seven lines above key labels are set closer, in capitals.

    A dark row always stays between the last line and the labels.
    """
    lines = scene.lines
    x = canvas.text(font.SMALL, lines[0] if lines else "", 1, 0) + 3
    canvas.hline(x, 3, (_BANNER - 3 if scene.bench else 127) - x, 1)
    if scene.bench:
        frame.bench_banner(canvas, _BANNER, 0)
    labelled = any(scene.labels)
    close = labelled and len(lines) > 7
    y = 7 if labelled and len(lines) > 6 else 8
    for line in lines[1:8]:
        if close:
            canvas.text_cells(font.SMALL, line, 1, y, _CELL)
            y += 7
        else:
            canvas.text(font.TEXT, line, 1, y)
            y += 8
