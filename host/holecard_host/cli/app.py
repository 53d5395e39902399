"""The command `holecard`: its subcommands, and how every failure ends as one line and an exit code."""

from __future__ import annotations

import contextlib
import importlib
import os
import sys
from typing import Annotated, Any, NoReturn

import typer
from typer.core import TyperGroup

from holecard import __version__
from holecard_host import signals
from holecard_host.cli import output
from holecard_host.errors import FirmwareCrash, HolecardError, InternalFault, OutputFault, UsageFault
from holecard_host.text import printable

# In the order of the help; each is a function of the same name in the module of that name beside this file.
COMMANDS = (
    "play",
    "devices",
    "query",
    "cases",
    "run",
    "accept",
    "screen",
    "watch",
    "replay",
    "vcd",
    "sim",
    "power",
    "doctor",
    "flash",
    "image",
    "prove",
    "verify",
    "audit",
    "operator",
)
EXIT_INTERRUPTED = 130  # 128 + SIGINT, as shells report it
_SETTINGS = {"help_option_names": ["-h", "--help"]}
# What an unknown option and all other wrong use raise. Typer does not export it, and has it from click or of its own.
_WrongUse: Any = typer.BadParameter.__base__


class _Guarded(TyperGroup):
    """Imports a command when it is asked for, and turns what it raises into a line on stderr and an exit code."""

    def list_commands(self, ctx: Any) -> list[str]:
        return list(dict.fromkeys([*COMMANDS, *super().list_commands(ctx)]))

    def get_command(self, ctx: Any, cmd_name: str) -> Any:
        if cmd_name not in COMMANDS:
            return super().get_command(ctx, cmd_name)
        if cmd_name not in self.commands:
            module = importlib.import_module(f"holecard_host.cli.{cmd_name}")
            alone = typer.Typer(add_completion=False, rich_markup_mode="rich", context_settings=_SETTINGS)
            alone.command(cmd_name)(getattr(module, cmd_name))
            self.commands[cmd_name] = typer.main.get_command(alone)
        return self.commands[cmd_name]

    def make_context(self, info_name: Any, args: list[str], parent: Any = None, **extra: Any) -> Any:
        try:
            return super().make_context(info_name, args, parent, **extra)
        except _WrongUse as error:
            _refuse(error, info_name)

    def invoke(self, ctx: Any) -> Any:
        try:
            result = super().invoke(ctx)
            output.flush()
        except _WrongUse as error:
            _refuse(error, f"{ctx.command_path} {ctx.invoked_subcommand or ''}".rstrip())
        except HolecardError as error:
            if isinstance(error, InternalFault) and _debugging():
                raise
            report(error)
            raise typer.Exit(error.exit_code) from None
        except KeyboardInterrupt:
            raise typer.Exit(EXIT_INTERRUPTED) from None
        except OSError as error:
            # What no command expects is trouble with its surroundings, as a terminal that has vanished.
            fault = OutputFault(error)
            report(fault)
            raise typer.Exit(fault.exit_code) from None
        return result


def _refuse(error: Any, command: str) -> NoReturn:
    said = printable(" ".join(error.format_message().split())).rstrip(".")
    report(UsageFault(f"{said[:1].lower()}{said[1:]}; see `{command} --help`"))
    raise typer.Exit(UsageFault.exit_code)


def report(error: HolecardError) -> None:
    """Say on stderr what went wrong: the device's own traceback first if there is one, then one line.

    After a signal nothing: what went wrong then is what the signal interrupted.
    """
    if signals.code:
        return
    lines = [f"holecard: {' '.join(str(error).split())}"]
    if isinstance(error, FirmwareCrash):
        lines[:0] = [f"table| {line}" for line in error.traceback.rstrip().splitlines()]
    with contextlib.suppress(OSError):  # then there is nobody left to tell
        print("\n".join(lines), file=sys.stderr, flush=True)


def _debugging() -> bool:
    return bool(os.environ.get("HOLECARD_DEBUG"))


app = typer.Typer(
    name="holecard",
    cls=_Guarded,
    help="Play, drive and test a Holecard blackjack table, simulated or real.",
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode="rich",
    context_settings=_SETTINGS,
)


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


def main() -> None:
    """Entry point of the command. Whatever happens, the user sees no Python traceback (HOLECARD_DEBUG=1 shows it)."""
    try:
        try:
            output.prepare()
            app()
        finally:
            output.flush()
    except KeyboardInterrupt:
        sys.exit(EXIT_INTERRUPTED)
    except HolecardError as error:
        # From what comes before a command: --version and --help.
        report(error)
        sys.exit(error.exit_code)
    except OSError:
        sys.exit(OutputFault.exit_code)  # stderr cannot be written
    except Exception as error:
        if _debugging():
            raise
        report(InternalFault(error))
        sys.exit(InternalFault.exit_code)
