"""From power-on to the game, and what happens when the game ends."""

import io
import sys


def start() -> None:
    """Runs the table on this board. Returns, in bench mode, when the two outer keys were held at power-on."""
    from holecard.boards.pico import Board  # noqa: PLC0415 - the machine's own, only here

    board = Board()
    if board.service():
        board.close()
        print("Holecard: the prompt, because BET and DOUBLE were held at power-on. To play: reset.")
        return
    from holecard.app import run  # noqa: PLC0415 - the prompt should not wait for it

    try:
        run(board)
    except (Exception, KeyboardInterrupt) as error:
        # Nothing but the game may ever run on an arcade table, least of all a prompt.
        if board.mode == "arcade":
            print(_traceback(error))
            board.reset()
        raise
    finally:
        board.close()


def _traceback(error) -> str:
    if not hasattr(sys, "print_exception"):
        return repr(error)
    text = io.StringIO()
    sys.print_exception(error, text)
    return text.getvalue()
