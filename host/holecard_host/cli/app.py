"""The command `holecard`: its subcommands, and how every failure ends as one line and an exit code."""

from __future__ import annotations

import os
import signal
import sys
from typing import Annotated, Any

import typer
from typer.core import TyperGroup

from holecard import __version__
from holecard_host.cli import cases, devices, doctor, flash, image, play, query, screen, sim
from holecard_host.errors import FirmwareCrash, HolecardError

EXIT_INTERRUPTED = 130  # 128 + SIGINT, as shells report it
EXIT_BROKEN_PIPE = 141  # 128 + SIGPIPE
EXIT_TERMINATED = 143  # 128 + SIGTERM
EXIT_BUG = 70  # EX_SOFTWARE


class _Guarded(TyperGroup):
    """Turns what a command raises into a line on stderr and an exit code."""

    def invoke(self, ctx: Any) -> Any:
        try:
            result = super().invoke(ctx)
            print(end="", flush=True)
        except HolecardError as error:
            report(error)
            raise typer.Exit(error.exit_code) from None
        except KeyboardInterrupt:
            raise typer.Exit(EXIT_INTERRUPTED) from None
        except BrokenPipeError:
            _silence_stdout()
            raise typer.Exit(EXIT_BROKEN_PIPE) from None
        except OSError as error:
            # What no command expects is trouble with its surroundings, most likely a full disk behind stdout.
            _silence_stdout()
            report(HolecardError(str(error)))
            raise typer.Exit(HolecardError.exit_code) from None
        return result


def report(error: HolecardError) -> None:
    """Say on stderr what went wrong: the device's own traceback first if there is one, then one line."""
    if isinstance(error, FirmwareCrash) and error.traceback:
        for line in error.traceback.rstrip().splitlines():
            print(f"table| {line}", file=sys.stderr)
    print(f"holecard: {' '.join(str(error).split())}", file=sys.stderr)


def _silence_stdout() -> None:
    # Python flushes stdout once more at exit, which would complain about what is closed or full.
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


app = typer.Typer(
    name="holecard",
    cls=_Guarded,
    help="Play, drive and test a Holecard blackjack table, simulated or real.",
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode="rich",
    context_settings={"help_option_names": ["-h", "--help"]},
)
app.command("play")(play.play)
app.command("devices")(devices.devices)
app.command("query")(query.query)
app.command("cases")(cases.cases)
app.command("screen")(screen.screen)
app.command("sim")(sim.sim)
app.command("doctor")(doctor.doctor)
app.command("flash")(flash.flash)
app.command("image")(image.image)


def _version(wanted: bool) -> None:
    if wanted:
        print(f"holecard {__version__}")
        raise typer.Exit


@app.callback(invoke_without_command=True)
def root(
    ctx: typer.Context,
    version: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Show the version and exit.")
    ] = False,
) -> None:
    """Play, drive and test a Holecard blackjack table, simulated or real."""
    if ctx.invoked_subcommand is None:
        print(ctx.get_help())


def _terminate(number: int, frame: object) -> None:
    raise SystemExit(EXIT_TERMINATED)


def main() -> None:
    """Entry point of the command. Whatever happens, the user sees no Python traceback (HOLECARD_DEBUG=1 shows it)."""
    signal.signal(signal.SIGTERM, _terminate)
    # A script's background job starts with SIGINT ignored; `holecard sim` must still end by it.
    signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        app()
    except KeyboardInterrupt:
        sys.exit(EXIT_INTERRUPTED)
    except BrokenPipeError:
        _silence_stdout()
        sys.exit(EXIT_BROKEN_PIPE)
    except Exception as error:
        if os.environ.get("HOLECARD_DEBUG"):
            raise
        text = " ".join(str(error).split())
        print(f"holecard: internal fault, please report it: {type(error).__name__}: {text}", file=sys.stderr)
        sys.exit(EXIT_BUG)
