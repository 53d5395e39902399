"""`holecard sim` with its options, and `holecard power`: what a table keeps, what it is, and its plug."""

import json
import os
import signal

import pytest
from tests.host.test_cli import holecard, invoke, one_line
from tests.host.test_cli_live import Sim

from holecard_host.stands import open_stand
from holecard_host.twin.holder import Holder
from holecard_host.twin.kept import KeptFlash


@pytest.fixture(autouse=True)
def _runtime(tmp_path, monkeypatch):
    folder = tmp_path / "run"
    folder.mkdir()
    monkeypatch.setenv("XDG_RUNTIME_DIR", str(folder))


@pytest.fixture
def table():
    with Holder("red", realtime=False) as holder:
        yield holder


def state() -> dict:
    return json.loads(invoke("query", "sim://red", "TABL:STAT?").stdout)


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGKILL])
def test_a_kept_table_goes_on_where_it_was(tmp_path, number):
    options = ("--name", "red", "--keep", str(tmp_path / "flash"))
    sim = Sim(*options, "--rules", "casino")
    assert str(tmp_path / "flash") in sim.head()
    assert invoke("query", "sim://red", "ROUN:BET 0,25", "ROUN:DEAL", "*OPC?").exit_code == 0
    before = state()
    sim.end(number)
    sim = Sim(*options)
    sim.head()
    assert state() == before
    assert sim.end() == (130, "")


def test_settings_and_the_strap_make_an_arcade_table(tmp_path):
    settings = tmp_path / "arcade.json"
    settings.write_text('{"mode": "arcade", "panel": "sh1106"}')
    for options in (["--arcade"], ["--settings", str(settings)]):
        sim = Sim("--name", "red", *options)
        sim.head()
        answers = holecard("query", "sim://red", "SYST:MODE?", "DIAG:PAN?").stdout.splitlines()
        assert answers[0] == "arcade"
        assert ("sh1106" in answers[1]) == ("--settings" in options)
        # A finger still plays.
        assert "Played 1 rounds" in holecard("play", "--on", "sim://red", "--rounds", "1").stdout
        assert sim.end() == (130, "")


def test_an_arcade_table_takes_no_rules_from_whoever_starts_it():
    result = holecard("sim", "--name", "red", "--arcade", "--rules", "casino")
    assert (result.returncode, result.stdout) == (1, "")
    assert "which takes no --rules" in one_line(result.stderr)


def test_settings_that_the_table_would_refuse_start_nothing(tmp_path):
    settings = tmp_path / "settings.json"
    settings.write_text('{"panel": "ssd1307"}')
    result = holecard("sim", "--name", "red", "--settings", str(settings), "--keep", str(tmp_path / "flash"))
    assert (result.returncode, result.stdout) == (2, "")
    assert "settings: panel: ssd1306 or sh1106" in one_line(result.stderr)
    assert not (tmp_path / "flash").exists()


# -- power


def test_power_is_cut_and_restored_while_another_program_has_the_port(table):
    with open_stand("sim://red") as stand:
        for do, told in (("off", "off"), ("off", "off"), ("on", "on"), ("on", "on"), ("cycle", "on")):
            result = invoke("power", "sim://red", do)
            assert (result.exit_code, result.stdout) == (0, f"sim://red is {told}\n")
            assert table.twin.powered() == (told == "on")
        assert stand.wire.ask("*IDN?").startswith("Holecard,")
    assert table.twin.simulator.boots == 3
    assert invoke("power", "sim://red").stdout == "sim://red is on\n"


def test_without_power_the_other_commands_say_how_to_switch_it_on(table):
    invoke("power", "sim://red", "off")
    for line in (["query", "sim://red", "*IDN?"], ["screen", "sim://red", "-o", "x.png"], ["audit", "sim://red"]):
        result = invoke(*line)
        assert result.exit_code == 3
        assert one_line(result.stderr) == (
            "holecard: sim://red is switched off: `holecard power sim://red on` switches it on"
        )


@pytest.mark.parametrize("realtime", [False, True])
def test_a_table_without_power_is_listed_as_off(realtime):
    with Holder("red", realtime=realtime):
        invoke("power", "sim://red", "off")
        (found,) = [row for row in json.loads(invoke("devices", "--json").stdout) if row["port"] == "sim://red"]
        assert found["status"] == "off"
        assert found["answer"] == "switched off: `holecard power sim://red on` switches it on"
        assert found["answer"] in invoke("devices").stdout
        invoke("power", "sim://red", "on")
        (found,) = [row for row in json.loads(invoke("devices", "--json").stdout) if row["port"] == "sim://red"]
        assert found["status"] == "table"


def test_stands_without_a_plug_of_ours_say_so_in_a_line(table):
    for url, code, why in (
        (table.entry.port, 2, "it offers bench, commands, framebuffer, wire"),
        ("sim://cpython", 2, "is a new table for each command"),
        ("rp2040://", 2, "is a new table for each command"),
        ("sim://blue", 3, "no simulated table blue runs"),
    ):
        result = invoke("power", url, "off")
        assert result.exit_code == code
        assert why in one_line(result.stderr)
    assert "say off, on, cycle" in one_line(invoke("power", table.entry.port).stderr)


# -- play, where nobody can play


def test_play_in_a_pipe_refuses_an_arcade_table_on_a_cable():
    with Holder("red", realtime=False, strap=True) as holder:
        result = invoke("play", "--on", holder.entry.port)
        assert (result.exit_code, result.stdout) == (1, "")
        assert "an arcade table, whose keys work only at the table itself" in one_line(result.stderr)
        for option in (["--rules", "casino"], ["--seed", "00"]):
            result = invoke("play", "--on", "sim://red", *option)
            assert (result.exit_code, result.stdout) == (1, "")
            assert f"an arcade table, which takes no {option[0]}" in one_line(result.stderr)


@pytest.mark.parametrize(("strap", "way"), [(False, "BENC:CLE"), (True, "CLEAR --key-file FILE")])
def test_play_in_a_pipe_tells_a_lock_and_its_way_out(tmp_path, strap, way):
    flash = KeptFlash(tmp_path / "flash")
    for folder in ("a", "b"):
        for name in ("hot", "bhot"):
            flash[f"{folder}/{name}"] = b"damaged"
    with Holder("red", realtime=False, strap=strap, keep=flash):
        for option in ([], ["--rules", "casino"]):
            result = invoke("play", "--on", "sim://red", *option)
            assert (result.exit_code, result.stdout) == (1, "")
            line = one_line(result.stderr)
            assert "sim://red is locked (record damaged)" in line
            assert way in line
        if not strap:
            assert invoke("query", "sim://red", "BENC:CLE").exit_code == 0
            assert "Played 1 rounds" in invoke("play", "--on", "sim://red", "--rounds", "1").stdout
    flash.close()


def test_a_round_that_somebody_else_has_finished_is_not_counted(table):
    invoke("play", "--on", "sim://red", "--rounds", "1")
    assert state()["phase"] == "settled"
    result = invoke("play", "--on", "sim://red", "--rounds", "1")
    assert ">>> press" in result.stdout


@pytest.mark.skipif(os.name == "nt", reason="needs a pseudo-terminal")
@pytest.mark.parametrize(("columns", "longest", "pictures"), [(40, 0, False), (80, 64, True), (150, 128, True)])
def test_on_a_terminal_that_only_prints_the_screens_fit(columns, longest, pictures, monkeypatch):
    from tests.host.test_cli import COMMAND  # noqa: PLC0415
    from tests.host.test_cli_terminal import Terminal  # noqa: PLC0415

    terminal = Terminal("env", "TERM=dumb", f"COLUMNS={columns}", *COMMAND, "play", "--rounds", "1")
    assert terminal.end() == 0
    drawn = [
        line for line in terminal.seen.decode().splitlines() if set(line) & set("▀▄█") or "\u2801" <= line < "\u2900"
    ]
    assert bool(drawn) == pictures
    assert max((len(line) for line in drawn), default=0) <= longest
    assert "Played 1 rounds" in terminal.seen.decode()
