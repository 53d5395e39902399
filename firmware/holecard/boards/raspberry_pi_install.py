"""The table as a service of systemd: it starts with the Pi, and again when it fails."""

import getpass
import os
import subprocess
import sys

from holecard.boards.raspberry_pi import RECORDS
from holecard.boards.raspberry_pi_faults import BoardFault, tell

NAME = "holecard.service"
FOLDER = "/etc/systemd/system"
# What may use pins, panel and serial ports on Raspberry Pi OS.
_GROUPS = "gpio i2c spi dialout"
_UNIT = """\
# Written by `%(command)s install`, which also takes it away (--remove).
[Unit]
Description=Holecard, a blackjack table
Documentation=https://pypi.org/project/holecard/
# A table that fails at once ten times in a row waits for somebody to look at it.
StartLimitIntervalSec=60
StartLimitBurst=10

[Service]
Type=notify
ExecStart=%(start)s
User=%(user)s
%(groups)s%(folder)s
# It ends at SIGTERM as soon as everything is written.
TimeoutStopSec=10
Restart=always
RestartSec=1
# 2 and 3: wrong options, or a Pi that is no table; trying again would change nothing.
RestartPreventExitStatus=2 3
NoNewPrivileges=yes
ProtectSystem=strict
PrivateTmp=yes

[Install]
WantedBy=multi-user.target
"""


def unit(user: str, records: str, changes, groups: str) -> str:
    """The text of the unit. `groups`: those of the system, separated by spaces."""
    command = [sys.executable, "-m", "holecard"]
    start = command + ["--records", records]
    for name, value in sorted(changes.items()):
        start += ["--" + name, value]
    # systemd makes folders below /var/lib itself, and then gives them to the user; others must be there.
    there = records == RECORDS
    return _UNIT % {
        "command": " ".join(command),
        "start": " ".join(_quoted(word) for word in start),
        "user": user,
        "groups": "SupplementaryGroups=%s\n" % groups if groups else "",
        "folder": "StateDirectory=holecard\nStateDirectoryMode=0700" if there else "ReadWritePaths=" + _quoted(records),
    }


def install(options, changes) -> int:
    """Write the unit and start it, or take it away (`options.remove`), or only print it (`options.dry_run`).

    Raises BoardFault when systemd is not there, or does not want to.
    """
    user = os.environ.get("SUDO_USER") or getpass.getuser()
    records = os.path.abspath(options.records)
    text = unit(user, records, changes, " ".join(name for name in _GROUPS.split() if _has_group(name)))
    if options.dry_run:
        print(text, end="")
        return 0
    if os.geteuid() != 0:
        raise BoardFault("a service is installed by root: sudo %s -m holecard install" % sys.executable)
    path = os.path.join(FOLDER, NAME)
    if options.remove:
        _systemctl("disable", "--now", NAME)
        if os.path.exists(path):
            os.unlink(path)
        _systemctl("daemon-reload")
        tell("removed %s; the records stay in %s" % (path, records))
        return 0
    if user == "root":
        raise BoardFault(
            "the table needs no root: as the user who is to run it, sudo %s -m holecard install" % sys.executable
        )
    try:
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)
    except OSError as error:
        raise BoardFault("cannot write %s (%s): is this a system with systemd?" % (path, error.strerror))
    _systemctl("daemon-reload")
    _systemctl("enable", NAME)
    # Not only start: what runs may be the version before.
    _systemctl("restart", NAME)
    tell("installed %s, and started it; what it says: journalctl -u holecard" % path)
    return 0


def _has_group(name: str) -> bool:
    import grp  # noqa: PLC0415 - POSIX only

    try:
        grp.getgrnam(name)
    except KeyError:
        return False
    return True


def _systemctl(*arguments: str) -> None:
    try:
        run = subprocess.run(["systemctl", *arguments], capture_output=True, text=True, check=False)
    except OSError as error:
        raise BoardFault("systemctl cannot be started (%s): is this a system with systemd?" % error.strerror)
    if run.returncode:
        said = (run.stderr or run.stdout).strip().splitlines()
        raise BoardFault("systemctl %s: %s" % (" ".join(arguments), said[-1] if said else run.returncode))


def _quoted(word: str) -> str:
    """A word of ExecStart: systemd's own quoting, in which % and $ mean something too."""
    word = word.replace("\\", "\\\\").replace('"', '\\"').replace("%", "%%").replace("$", "$$")
    return '"%s"' % word if not word or " " in word or "\\" in word else word
