"""The command `holecard` as a process: simulated tables, exit codes, Ctrl-C, signals."""

import json
import os
import select
import signal
import subprocess
import sys
import time
from collections.abc import Sequence

import pytest
from PIL import Image
from tests.hardware.support import INTERPRETERS
from tests.host.processes import heard, rest
from tests.host.test_cli import CASES, COMMAND, holecard, one_line

from holecard_host.stands import open_stand


@pytest.mark.parametrize("interpreter", INTERPRETERS)
@pytest.mark.parametrize("by", ["name", "buttons"])
@pytest.mark.parametrize("file", ["sifl", "casino"])
def test_cases_pass_on_a_simulated_table_and_json_is_all_there_is(file, by, interpreter):
    path = CASES / f"{file}.json"
    # With the cards being turned they are played in test_cases_runner.py.
    result = holecard("cases", str(path), "--by", by, "--on", f"sim://{interpreter}", "--no-animation", "--json")
    assert (result.returncode, result.stderr) == (0, "")
    verdicts = json.loads(result.stdout)
    assert [v for v in verdicts if set(v) != {"id", "passed", "detail"} or not v["passed"] or v["detail"]] == []
    assert [v["id"] for v in verdicts] == [case["id"] for case in json.loads(path.read_text("utf-8"))["cases"]]


def test_several_files_make_one_list():
    result = holecard("cases", str(CASES / "sifl.json"), str(CASES / "casino.json"), "--no-animation", "--json")
    assert result.returncode == 0
    files = [json.loads((CASES / f"{name}.json").read_text("utf-8"))["cases"] for name in ("sifl", "casino")]
    assert [verdict["id"] for verdict in json.loads(result.stdout)] == [case["id"] for case in files[0] + files[1]]


def test_the_table_of_cases_names_each():
    result = holecard("cases", str(CASES / "sifl.json"), "--by", "buttons", env={**os.environ, "COLUMNS": "120"})
    assert result.returncode == 0
    assert "S01" in result.stdout
    assert "passed" in result.stdout


def test_play_in_a_pipe_plays_a_few_rounds_and_ends_with_0():
    result = holecard("play", "--rules", "casino", "--rounds", "2")
    assert (result.returncode, result.stderr) == (0, "")
    assert "Played 2 rounds" in result.stdout
    assert ">>> press HIT" in result.stdout
    screens = result.stdout.split("--- ")
    assert max(len(screen.splitlines()) for screen in screens) >= 32


def test_play_in_a_pipe_takes_a_few_seconds_and_other_cards_every_time():
    started = time.monotonic()
    first, second = (holecard("play") for _ in range(2))
    assert time.monotonic() - started < 10  # for both, with everything else that the machine does
    assert (first.returncode, second.returncode) == (0, 0)
    assert "Cards: from the table's own shuffle" in first.stdout
    assert first.stdout != second.stdout


def test_play_in_a_pipe_can_be_repeated():
    first, second, other = (holecard("play", "--seed", seed) for seed in ("c0ffee", "c0ffee", "c0ffef"))
    assert (first.returncode, first.stderr) == (0, "")
    assert first.stdout.startswith("Cards: from the seed c0ffee")
    assert first.stdout == second.stdout
    assert first.stdout.split("---", 1)[1] != other.stdout.split("---", 1)[1]


@pytest.mark.parametrize("seed", ["", "abc", "xy", "00" * 33, "00 11", '";*RST;"'])
def test_play_tells_what_a_seed_is(seed):
    result = holecard("play", "--seed", seed)
    assert (result.returncode, result.stdout) == (2, "")
    assert "1 to 32 bytes in hexadecimal" in one_line(result.stderr)


def test_play_in_a_pipe_without_unicode():
    result = holecard("play", "--rounds", "1", env={**os.environ, "PYTHONIOENCODING": "ascii"})
    assert (result.returncode, result.stderr) == (0, "")
    assert result.stdout.isascii()


def test_play_knows_two_rule_sets():
    result = holecard("play", "--rules", "vegas")
    assert result.returncode == 2
    assert "sifl, casino" in one_line(result.stderr)


@pytest.mark.parametrize(
    ("url", "code"),
    [
        ("sim://pascal", 3),
        ("gopher://x", 2),
        ("", 2),
        ("socket://localhost:99999", 2),
        ("socket://localhost", 2),
        ("socket://a b:5025", 2),
        ("/dev/ttyNONE", 3),
        ("socket://127.0.0.1:1", 3),
    ],
)
def test_a_wrong_or_dead_url_is_one_line(url, code):
    result = holecard("query", url, "*IDN?")
    assert result.returncode == code
    assert one_line(result.stderr).startswith("holecard: ")


def test_query_and_screen_on_a_simulated_table(tmp_path):
    result = holecard("query", "sim://cpython", "*IDN?", "*CLS", "SYST:VERS?")
    assert (result.returncode, result.stderr) == (0, "")
    assert result.stdout.startswith("Holecard,")
    assert result.stdout.splitlines()[1] == "1999.0"
    result = holecard("query", "sim://cpython", "NONS:ENSE", "*IDN?")
    assert result.returncode == 1
    assert one_line(result.stderr).startswith("-113,")
    target = tmp_path / "panel.png"
    assert holecard("screen", "sim://cpython", "-o", str(target)).returncode == 0
    assert len(Image.open(target).convert("1").tobytes().strip(b"\0")) > 0


def test_play_on_what_answers_but_is_no_table_is_one_line():
    program = (
        "import os, tty\n"
        "master, slave = os.openpty(); tty.setraw(slave); print(os.ttyname(slave), flush=True)\n"
        "while line := os.read(master, 1000):\n"
        "    if line.strip(): os.write(master, b'Holecard,a,b,c;0,\"No error\"\\n')\n"
    )
    mock = subprocess.Popen([sys.executable, "-c", program], stdout=subprocess.PIPE, text=True)
    try:
        path = mock.stdout.readline().strip()
        result = holecard("play", "--on", path)
        assert result.returncode == 3
        assert one_line(result.stderr).endswith("answered 'Holecard,a,b,c' to TABL:STAT?, which is no JSON")
    finally:
        mock.kill()
        mock.communicate()


def test_ctrl_c_exits_with_130_and_says_nothing():
    process = subprocess.Popen(
        [*COMMAND, "play", "--rounds", "50"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )
    process.stdout.readline()
    os.killpg(process.pid, signal.SIGINT)
    _, errors = rest(process)
    assert (process.returncode, errors) == (130, "")


class Sim:
    """`holecard sim` in the background."""

    def __init__(self, *arguments: str, before: Sequence[str] = (), **options) -> None:
        self.process = subprocess.Popen(
            [*before, *COMMAND, "sim", *arguments],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            start_new_session=True,
            **options,
        )

    def head(self, seconds: float = 20) -> str:
        """What it says once it runs."""
        text = ""
        deadline = time.monotonic() + seconds
        while "Ctrl-C" not in text and time.monotonic() < deadline and self.process.poll() is None:
            if select.select([self.process.stdout], [], [], 0.1)[0]:
                text += os.read(self.process.stdout.fileno(), 65536).decode()
        return text

    def end(self, number: int = signal.SIGINT) -> tuple[int, str]:
        if self.process.poll() is None:
            os.killpg(self.process.pid, number)
        _, errors = rest(self.process)
        return self.process.returncode, errors


@pytest.mark.parametrize("name", ["cpython", "micropython", "pi"])
def test_sim_tells_which_names_are_reserved(name):
    result = holecard("sim", "--name", name)
    assert (result.returncode, result.stdout) == (2, "")
    assert f"'{name}' cannot be the name of a table: it is reserved" in one_line(result.stderr)


@pytest.mark.parametrize("command", [["sim", "--name", "deep"], ["query", "sim://deep", "*IDN?"]])
def test_a_runtime_directory_too_deep_for_a_socket_is_one_line(tmp_path, command):
    deep = tmp_path / ("deep" * 30)
    deep.mkdir()
    result = holecard(*command, env={**os.environ, "XDG_RUNTIME_DIR": str(deep)})
    assert (result.returncode, result.stdout) == (3, "")
    line = one_line(result.stderr)
    assert "set XDG_RUNTIME_DIR" in line if command[0] == "sim" else "no simulated table deep" in line


def test_what_a_command_changes_at_a_table_that_stays_on_it_changes_back(tmp_path):
    name = f"test-{os.getpid()}-back"
    sim = Sim("--name", name)
    try:
        sim.head()
        one = tmp_path / "one.json"
        one.write_text(json.dumps({"cases": json.loads((CASES / "sifl.json").read_text("utf-8"))["cases"][:1]}))
        passed = holecard("cases", str(one), "--on", f"sim://{name}", "--no-animation", "--json")
        assert passed.returncode == 0
        assert holecard("query", f"sim://{name}", "DISP:ANIM?", "DISP:ANIM OFF").stdout == "1\n"
        games = []
        for _ in range(2):
            played = holecard("play", "--on", f"sim://{name}", "--rounds", "1", "--seed", "00", "--rules", "casino")
            assert played.returncode == 0
            with open_stand(f"sim://{name}") as stand:
                assert json.loads(stand.wire.ask("TABL:STAT?"))["rules"] == "casino"
                # Had the seed stayed, these cards would be the same both times.
                stand.wire.command("ROUN:NEXT")
                stand.wire.command("ROUN:DEAL")
                games.append(json.loads(stand.wire.ask("TABL:DEAL?"))["seats"])
                stand.wire.command("*RST")
        assert games[0] != games[1]
    finally:
        sim.end()


@pytest.mark.parametrize("kind", INTERPRETERS)
def test_sim_keeps_a_table_running_for_several_commands(kind):
    name = f"test-{os.getpid()}-{kind}"
    sim = Sim("--name", name, "--kind", kind, "--rules", "casino")
    try:
        head = sim.head()
        assert f"sim://{name}" in head
        assert holecard("query", f"sim://{name}", "ROUN:BET 0,25").returncode == 0
        state = json.loads(holecard("query", f"sim://{name}", "TABL:STAT?").stdout)
        assert (state["rules"], state["bets"]) == ("casino", [25])
        listed = json.loads(holecard("devices", "--json").stdout)
        assert f"sim://{name}" in [item["port"] for item in listed]
        second = holecard("sim", "--name", name)
        assert second.returncode == 3
        assert name in one_line(second.stderr)
    finally:
        code, errors = sim.end()
    assert (code, errors) == (130, "")
    assert holecard("query", f"sim://{name}", "*IDN?").returncode in (2, 3)


def test_sim_in_the_background_of_a_script_ends_by_an_interrupt():
    name = f"test-{os.getpid()}-job"
    process = subprocess.Popen(
        ["sh", "-c", f"({sys.executable} -m holecard_host sim --name {name} & echo $!; wait $!; echo ended $?)"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    pid = int(process.stdout.readline())
    heard(process, "Ctrl-C")
    os.kill(pid, signal.SIGINT)
    assert rest(process) == ("ended 130\n", "")


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP])
def test_sim_ends_on_a_signal_and_leaves_nothing(number, tmp_path):
    sim = Sim("--name", "ends", env={**os.environ, "XDG_RUNTIME_DIR": str(tmp_path)})
    sim.head()
    assert len(list((tmp_path / "holecard").iterdir())) == 3
    # A terminal that is closed tells its programs twice.
    os.kill(sim.process.pid, number)
    code, errors = sim.end(number)
    assert (code, errors) == (128 + number, "")
    assert list((tmp_path / "holecard").iterdir()) == []


def test_sim_under_nohup_outlives_its_terminal():
    sim = Sim("--name", f"test-{os.getpid()}-nohup", before=["nohup"])
    sim.head()
    os.kill(sim.process.pid, signal.SIGHUP)
    time.sleep(0.5)
    assert sim.process.poll() is None
    assert sim.end(signal.SIGTERM)[0] == 143
