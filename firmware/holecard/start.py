"""From power-on to the game, and what happens when the game ends."""

import gc
import io
import sys


def start() -> None:
    """Runs the table on the Pico.

    Returns, in bench mode only, for MicroPython's prompt: when the two outer keys were held at power-on, or when the
    byte 0x03 (Ctrl-C) comes, with which Thonny and mpremote begin.
    """
    # While modules load, what stays lies between what does not. One collection on the way keeps enough of the heap in
    # one piece for a long answer; more of them, of 10 ms and more each, would only make the start longer. CPython has
    # no such setting, and no such worry.
    if hasattr(gc, "threshold"):
        gc.threshold(131072)
    from holecard.boards.pico import Board  # noqa: PLC0415 - the machine's own, only here

    board = Board()
    if board.service():
        board.close()
        print("Holecard: the prompt, because BET and DOUBLE were held at power-on. To play: reset.")
        return
    if play(board):
        print("Holecard: the prompt, because Ctrl-C came. To play: Ctrl-D, or reset.")


def play(board) -> bool:
    """Runs the table on `board`, and closes it when the table ends: True if that was because of the byte 0x03."""
    try:
        from holecard.app import run  # noqa: PLC0415 - the prompt should not wait for it

        run(board)
    except (Exception, KeyboardInterrupt) as error:
        # Nothing but the game may ever run on an arcade table, least of all a prompt.
        if board.mode == "arcade":
            try:
                print(_traceback(error))
            finally:
                # Though there may be no memory to tell why.
                board.reset()
        if not isinstance(error, KeyboardInterrupt):
            raise
        return True
    finally:
        board.close()
    return False


def _traceback(error) -> str:
    if not hasattr(sys, "print_exception"):
        return repr(error)
    text = io.StringIO()
    sys.print_exception(error, text)
    return text.getvalue()
