"""`python -m holecard_host` and the command `holecard`, from the first import on without a traceback for Ctrl-C."""

import sys

from holecard_host import signals


def main() -> None:
    """Run the command line."""
    try:
        signals.install()
        from holecard_host.cli import app  # noqa: PLC0415 - what is pressed during the imports counts too

        app.main()
    finally:
        signals.done()
        if signals.code:
            sys.exit(signals.code)


if __name__ == "__main__":
    main()
