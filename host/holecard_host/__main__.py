"""`python -m holecard_host` and the command `holecard`, from the first import on without a traceback for Ctrl-C."""

import sys


def main() -> None:
    """Run the command line."""
    try:
        from holecard_host.cli import app  # noqa: PLC0415 - what is pressed during the imports counts too
    except KeyboardInterrupt:
        sys.exit(130)
    app.main()


if __name__ == "__main__":
    main()
