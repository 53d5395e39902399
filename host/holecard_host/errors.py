"""The host side's errors: each is one clear line for the user and carries the exit code of the command."""

from __future__ import annotations

from collections.abc import Sequence


class HolecardError(Exception):
    """An error that the command `holecard` reports as one line. `exit_code` is its exit code."""

    exit_code = 1

    def __init__(self, message: str, exit_code: int | None = None) -> None:
        super().__init__(message)
        if exit_code is not None:
            self.exit_code = exit_code


class UsageFault(HolecardError):
    """The user asked for something that does not exist: a wrong URL, a malformed file. Exit code 2."""

    exit_code = 2


class Unsupported(UsageFault):
    """What a test needs and its stand does not have; a test that meets it is skipped with this reason. Exit code 2."""


class StandFault(HolecardError):
    """A stand cannot be reached, is busy, vanished, or stays silent. Exit code 3."""

    exit_code = 3


class FirmwareCrash(HolecardError):
    """The firmware ended by itself; `traceback` is what it printed. Exit code 4."""

    exit_code = 4

    def __init__(self, message: str, traceback: str = "") -> None:
        super().__init__(message)
        self.traceback = traceback


# After these nothing more can be said to a stand.
LOST = (StandFault, FirmwareCrash)


class StepFailed(HolecardError, AssertionError):
    """A table did not do what a step expects; the stand is as good as before. Exit code 1."""


class InternalFault(HolecardError):
    """A bug of this program's own. Exit code 70 (EX_SOFTWARE)."""

    exit_code = 70

    def __init__(self, error: BaseException) -> None:
        super().__init__(f"internal fault, please report it: {type(error).__name__}: {error}")


class ScpiError(HolecardError):
    """The table refused a request: `code` is SCPI's number, `text` its message with the detail after `;`.

    `others` are further errors that it reported with it, `answer` what it answered in spite of them ("" if nothing).
    """

    def __init__(
        self,
        code: int,
        text: str,
        request: str = "",
        *,
        others: Sequence[tuple[int, str]] = (),
        answer: str = "",
    ) -> None:
        where = f" for {request}" if request else ""
        also = "".join(f", and {other}, {words}" for other, words in others)
        super().__init__(f"the table answered {code}, {text}{also}{where}")
        self.code = code
        self.text = text
        self.request = request
        self.others = tuple(others)
        self.answer = answer
