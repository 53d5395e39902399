"""What a start leaves out: the modules that playing needs, loaded in advance, a piece at a time.

Importing them would take a third of the time from power-on to the first picture. So whoever needs one imports it when
it is needed, in a function; here they are loaded before that, while the table rests, in the order in which a player
comes upon them. Nothing relies on it: a module that is not there yet is loaded when it is used, and that press waits.
"""

import gc


def pieces():
    """Loads one more piece each time that it is asked for the next one, in up to 50 ms on the chip."""
    # What the start has left behind would lie between them; CPython, which has no such setting, has no such worry.
    if hasattr(gc, "threshold"):
        gc.collect()
    yield None
    # The look at what room is left comes a second after the start; together with its code it would hide a short press.
    from holecard.table import stock  # noqa: PLC0415

    yield stock.judge
    from holecard.table import verbs  # noqa: PLC0415

    yield verbs.VERBS
    from holecard.table import turns  # noqa: PLC0415

    yield turns.PHASES
    from holecard.table import reveal  # noqa: PLC0415

    yield reveal.Reveal
    from holecard.rules import session  # noqa: PLC0415

    yield session.deal
    # The shoe is cut at the first deal.
    from holecard.table import cardstream  # noqa: PLC0415

    yield cardstream.CardStream
    from holecard.table import cardrow  # noqa: PLC0415

    yield cardrow.row
    from holecard.table import questions  # noqa: PLC0415

    yield questions.LAYOUTS
    from holecard.table import results  # noqa: PLC0415

    yield results.LAYOUTS
    from holecard.rules import history  # noqa: PLC0415

    yield history.encode
    # The text pages. Later a heap that was played on may have no room for their largest piece.
    from holecard.rules import strategy  # noqa: PLC0415

    yield strategy.hint
    from holecard.table import pages  # noqa: PLC0415

    yield pages.wrap
    from holecard.table import leafing  # noqa: PLC0415

    yield leafing.hint
    from holecard.table import posters  # noqa: PLC0415

    yield posters.LAYOUTS
