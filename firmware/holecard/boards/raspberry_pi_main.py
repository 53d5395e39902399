"""`python -m holecard`: plays until SIGTERM or Ctrl-C; `install` makes a service of it."""

import argparse
import signal
import sys

from holecard import __version__
from holecard.boards import raspberry_pi, raspberry_pi_install, settings
from holecard.boards.raspberry_pi_faults import BoardFault, tell
from holecard.drivers import panel
from holecard.start import play

# As the command `holecard` has them: wrong use, and a table that cannot be reached.
_USAGE, _UNREACHABLE = 2, 3


def main(arguments) -> int:
    """The exit code: 0, 2 for wrong use, 3 when this machine cannot be a table. An exception is the table's own."""
    options = _parser().parse_args(arguments)
    try:
        changes = _changes(options)
        if options.do == "install":
            return raspberry_pi_install.install(options, changes)
        board = raspberry_pi.Board(options.records, changes)
    except ValueError as error:
        tell(str(error))
        return _USAGE
    except BoardFault as fault:
        tell(str(fault))
        return _UNREACHABLE

    def end(_number, _frame):
        board.ending = True

    # Both end the table once nothing is left to be written.
    signal.signal(signal.SIGTERM, end)
    signal.signal(signal.SIGINT, end)
    if board.problem:
        tell(board.problem)
    if play(board):
        tell("ended, because the byte 0x03 (Ctrl-C) came over the wire")
    return 0


def _changes(options) -> dict:
    """Fields of the settings that the command line gives. ValueError names the option."""
    given = {
        "panel": options.panel,
        "bus": options.bus,
        "serial": options.serial,
        "tcp": options.tcp,
        "mode": options.mode,
    }
    changes = {name: value for name, value in given.items() if value is not None}
    if options.tcp and ":" not in options.tcp:
        changes["tcp"] = "127.0.0.1:" + options.tcp
    for name, value in changes.items():
        checker = raspberry_pi.OWN.get(name)
        try:
            if checker:
                checker(value)
        except ValueError as error:
            raise ValueError("--%s %s: %s" % (name, value, error))
    return changes


class _Parser(argparse.ArgumentParser):
    def error(self, message):
        tell("%s; see `%s --help`" % (message, self.prog))
        sys.exit(_USAGE)


def _parser():
    parser = _Parser(
        prog="python -m holecard",
        description="The blackjack table on a Raspberry Pi: buttons, lamps, panel; see docs/raspberry-pi.md.",
        epilog="What is not given comes from settings.json in the folder of the records, or has the default there.",
    )
    parser.add_argument("do", nargs="?", choices=("run", "install"), default="run", help="install: as a service")
    parser.add_argument("--records", metavar="FOLDER", default=raspberry_pi.RECORDS, help="default: %(default)s")
    parser.add_argument("--panel", choices=panel.KINDS, help="its controller")
    parser.add_argument("--bus", choices=("i2c", "spi"), help="what the panel is wired to")
    parser.add_argument("--serial", metavar="PATH", help='a port for the wire; "auto": the USB gadget; "": none')
    parser.add_argument("--tcp", metavar="[HOST:]PORT", help='the wire over TCP; "": none')
    parser.add_argument("--mode", choices=settings.MODES, help="what the settings or the strap say otherwise")
    parser.add_argument("--dry-run", action="store_true", help="install: print the unit and do nothing")
    parser.add_argument("--remove", action="store_true", help="install: take the service away again")
    parser.add_argument("--version", action="version", version="holecard " + __version__)
    return parser
