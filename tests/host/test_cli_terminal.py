"""The command `holecard` on a terminal: keys, clicks, bugs and signals, and what is left on the screen."""

import fcntl
import os
import pty
import re
import select
import signal
import struct
import subprocess
import sys
import termios
import time

import pytest
from tests.host.test_cli import COMMAND, holecard
from tests.host.test_cli_live import Sim

TERMINALS: "list[Terminal]" = []


@pytest.fixture(autouse=True)
def _nothing_is_left_running():
    yield
    while TERMINALS:
        TERMINALS.pop().process.kill()


class Terminal:
    """A program on a pseudo-terminal of its own."""

    def __init__(self, *command: str) -> None:
        self._master, slave = pty.openpty()
        fcntl.ioctl(slave, termios.TIOCSWINSZ, struct.pack("HHHH", 40, 150, 0, 0))
        self.process = subprocess.Popen(
            command,
            stdin=slave,
            stdout=slave,
            stderr=slave,
            # The terminal's own size counts, not that of the one in which the tests run.
            env={**os.environ, "TERM": "xterm-256color", "COLUMNS": "", "LINES": ""},
            start_new_session=True,
        )
        os.close(slave)
        self.seen = b""
        TERMINALS.append(self)

    def wait_for(self, text: bytes, seconds: float = 30) -> None:
        deadline = time.monotonic() + seconds
        while text not in self.seen:
            assert time.monotonic() < deadline, self.seen[-2000:]
            assert self._read(), self.seen[-2000:]

    def press(self, keys: bytes) -> None:
        os.write(self._master, keys)

    def end(self, seconds: float = 30) -> int:
        """Its exit code."""
        deadline = time.monotonic() + seconds
        while self.process.poll() is None and time.monotonic() < deadline and self._read():
            pass
        code = self.process.wait(10)
        while self._read(0) == 1:
            pass
        os.close(self._master)
        return code

    def vanish(self) -> None:
        """As when the window is closed."""
        os.close(self._master)

    def words(self) -> str:
        """What was left on the terminal after the full-screen interface had ended, without control sequences."""
        rest = self.seen.rpartition(b"\x1b[?1049l")[2].decode("utf-8", "replace")
        return re.sub(r"\x1b(?:\[[0-9;?<>=]*[A-Za-z]|\][^\x07\x1b]*(?:\x07|\x1b\\)|[>=78])", "", rest).strip()

    def _read(self, seconds: float = 0.1) -> int:
        """1 when something came, 2 when nothing did, 0 when the other side is closed."""
        if not select.select([self._master], [], [], seconds)[0]:
            return 2
        try:
            data = os.read(self._master, 65536)
        except OSError:
            data = b""  # Linux's way to say that the other side of a pseudo-terminal is closed
        self.seen += data
        return 1 if data else 0


@pytest.mark.parametrize(("key", "code"), [(b"q", 0), (b"\x03", 130)])
def test_play_in_a_terminal_starts_and_ends_and_takes_its_events_back(key, code):
    name = f"test-{os.getpid()}-tty{code}"
    sim = Sim("--name", name)
    try:
        sim.head()
        terminal = Terminal(*COMMAND, "play", "--on", f"sim://{name}")
        terminal.wait_for(b"STAND")
        terminal.press(key)
        assert (terminal.end(), terminal.words()) == (code, "")
        assert holecard("query", f"sim://{name}", "SYST:COMM:EVEN?").stdout == "0\n"
    finally:
        sim.end()


def click(terminal, row):
    """Press and release in one write, as a terminal reports a quick click (SGR mouse mode)."""
    terminal.press(b"\x1b[<0;60;%dM\x1b[<0;60;%dm" % (row, row))


def test_a_click_in_a_real_terminal_plays():
    terminal = Terminal(*COMMAND, "play", "--seed", "00")
    terminal.wait_for(b"Place your bets")
    assert b"\x1b[?1006h" in terminal.seen
    # HIT lies at columns 45 to 73; above the buttons a click means nothing.
    for row in (10, 34):
        assert b"Dealer: " not in terminal.seen
        click(terminal, row)
        time.sleep(0.5)
    # The last thing that the log says of the deal: earlier lines may have scrolled away before they were drawn.
    terminal.wait_for(b"Dealer: ")
    terminal.press(b"q")
    assert terminal.end() == 0


BUGS = {
    "drawing": "from holecard_host.tui.widgets import PanelView; PanelView.render_line = broken",
    "composing": "from holecard_host.tui.app import PlayApp; PlayApp.compose = broken",
    "feeding": "from holecard_host.tui.feed import Feed; Feed._look = broken",
}


@pytest.mark.parametrize("bug", BUGS)
def test_a_bug_in_the_terminal_interface_is_one_line(bug):
    program = (
        "import sys\n"
        "def broken(*_): raise ZeroDivisionError('oh\\nno')\n"
        f"{BUGS[bug]}\n"
        "sys.argv = ['holecard', 'play']\n"
        "from holecard_host.cli.app import main; main()\n"
    )
    terminal = Terminal(sys.executable, "-c", program)
    assert terminal.end() == 70
    assert terminal.words() == "holecard: internal fault, please report it: ZeroDivisionError: oh no"
    assert b"Traceback" not in terminal.seen


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_a_signal_gives_the_terminal_back(number):
    terminal = Terminal(*COMMAND, "play")
    terminal.wait_for(b"STAND")
    os.kill(terminal.process.pid, number)
    assert (terminal.end(), terminal.words()) == (128 + number, "")
    assert b"\x1b[?1049l" in terminal.seen
    assert b"Traceback" not in terminal.seen


def test_a_terminal_that_vanishes_ends_the_game_without_a_signal_too():
    terminal = Terminal(*COMMAND, "play")
    terminal.wait_for(b"STAND")
    terminal.vanish()
    assert terminal.process.wait(20) == 129
