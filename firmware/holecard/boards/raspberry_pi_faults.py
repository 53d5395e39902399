"""What keeps a Raspberry Pi from being a table, each in one line that says what to do about it."""

import getpass
import sys

from holecard.boards.raspberry_pi_files import read

_MODEL = "/proc/device-tree/model"
_EXTRA = "pip install 'holecard[pi]'"


class BoardFault(Exception):
    """The table cannot start on this machine; the text is one line for its owner."""


def tell(text: str) -> None:
    """One line for whoever looks after the machine: the terminal, or systemd's journal."""
    print("holecard: " + text, file=sys.stderr, flush=True)


def model() -> str:
    """Which Raspberry Pi this is, in its own words; "" if it is none."""
    try:
        text = read(_MODEL)
    except OSError:
        return ""
    found = (text or b"").rstrip(b"\0").decode("ascii", "replace")
    return found if found.startswith("Raspberry Pi") else ""


def missing(package: str, error: Exception) -> str:
    """A Python package that is not there, or does not load."""
    return "%s cannot be loaded (%s): %s" % (package, error, _EXTRA)


def pins(error: Exception) -> str:
    """What RPi.GPIO or rpi-lgpio said when it was loaded, or when it was to set up the pins."""
    said = " ".join(str(error).split())
    low = said.lower()
    board = model()
    if "busy" in low:
        return "another program has the pins (%s): end it; a line of /boot/firmware/config.txt can be one" % said
    if "/dev/mem" in low or "gpiochip" in low or "permission" in low:
        return "no access to the pins (%s): %s" % (said, join("gpio"))
    if not board:
        return "this is no Raspberry Pi (%s): holecard play runs the same table on any computer" % said
    # RPi.GPIO writes to registers that a Pi 5 has elsewhere; its drop-in asks the kernel.
    return "RPi.GPIO does not run on this %s (%s): pip uninstall RPi.GPIO, then pip install rpi-lgpio" % (board, said)


def no_device(path: str, switch: str) -> str:
    """A bus that the Pi does not offer; `switch` is what raspi-config calls it."""
    return "there is no %s: switch it on with sudo raspi-config nonint %s 0, then restart the Pi" % (path, switch)


def no_permission(path: str, group: str) -> str:
    """A device that only members of a group may open."""
    return "no permission for %s: %s" % (path, join(group))


def join(group: str) -> str:
    """How to become a member of a group."""
    try:
        user = getpass.getuser()
    except (KeyError, OSError):
        user = "$USER"
    return "sudo usermod -aG %s %s, then log in again" % (group, user)
