"""`python -m holecard install`: the unit, and what it does with systemd."""

from __future__ import annotations

import configparser
import os
import shutil
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

pytestmark = pytest.mark.skipif(os.name != "posix", reason="a Raspberry Pi runs Linux")
if os.name == "posix":
    from holecard.boards import raspberry_pi_install as installer
    from holecard.boards.raspberry_pi_faults import BoardFault
    from holecard.boards.raspberry_pi_main import main


def fields(text: str) -> dict[str, str]:
    parser = configparser.ConfigParser(interpolation=None, strict=True)
    parser.optionxform = str  # type: ignore[assignment,method-assign]
    parser.read_string(text)
    return {**parser["Unit"], **parser["Service"], **parser["Install"]}


def test_the_unit_starts_the_table_as_its_user_and_ends_it_with_sigterm() -> None:
    unit = fields(installer.unit("ada", "/var/lib/holecard", {"bus": "spi"}, "gpio spi"))
    assert unit["ExecStart"] == f"{sys.executable} -m holecard --records /var/lib/holecard --bus spi"
    assert (unit["User"], unit["SupplementaryGroups"], unit["StateDirectory"]) == ("ada", "gpio spi", "holecard")
    assert (unit["Type"], unit["Restart"], unit["WantedBy"]) == ("notify", "always", "multi-user.target")
    assert not {"KillSignal", "WatchdogSec"} & unit.keys()  # SIGTERM; the table asks for its watchdog itself


def test_a_folder_of_ones_own_is_the_only_one_that_can_be_written() -> None:
    unit = fields(installer.unit("ada", "/srv/our table/100%", {"tcp": ""}, ""))
    assert unit["ReadWritePaths"] == '"/srv/our table/100%%"'
    assert unit["ExecStart"].endswith('--records "/srv/our table/100%%" --tcp ""')
    assert not {"StateDirectory", "SupplementaryGroups"} & unit.keys()


def test_systemd_understands_the_unit(tmp_path: Path) -> None:
    verify = shutil.which("systemd-analyze")
    if verify is None:
        pytest.skip("systemd-analyze is not installed")
    path = tmp_path / installer.NAME
    path.write_text(installer.unit("root", "/var/lib/holecard", {"tcp": "127.0.0.1:5025"}, "root"))
    run = subprocess.run([verify, "verify", "--man=no", str(path)], capture_output=True, text=True, check=False)
    assert [line for line in run.stderr.splitlines() if installer.NAME in line] == []


@pytest.fixture
def system(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Any:
    """A machine whose systemctl writes down what it is told."""
    calls: list[list[str]] = []

    def run(command: list[str], **_: object) -> SimpleNamespace:
        calls.append(command)
        return SimpleNamespace(returncode=0, stdout="", stderr="")

    monkeypatch.setattr(installer, "FOLDER", str(tmp_path))
    monkeypatch.setattr(installer.subprocess, "run", run)
    monkeypatch.setattr(installer.os, "geteuid", lambda: 0)
    monkeypatch.setenv("SUDO_USER", "ada")
    return SimpleNamespace(calls=calls, path=tmp_path / installer.NAME)


def test_it_is_installed_and_removed(system: Any, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["install", "--mode", "arcade"]) == 0
    assert fields(system.path.read_text())["User"] == "ada"
    assert "--mode arcade" in system.path.read_text()
    orders = [["daemon-reload"], ["enable", installer.NAME], ["restart", installer.NAME]]
    assert system.calls == [["systemctl", *order] for order in orders]
    system.calls.clear()
    assert main(["install", "--remove"]) == 0
    assert not system.path.exists()
    assert system.calls[0] == ["systemctl", "disable", "--now", installer.NAME]
    assert "the records stay in /var/lib/holecard" in capsys.readouterr().err


def test_a_dry_run_only_prints(system: Any, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["install", "--dry-run"]) == 0
    assert fields(capsys.readouterr().out)["User"] == "ada"
    assert (system.calls, system.path.exists()) == ([], False)


@pytest.mark.parametrize(("user", "uid", "said"), [("ada", 1000, "sudo "), ("root", 0, "the table needs no root")])
def test_who_may_not_install_is_told_in_one_line(
    system: Any, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], user: str, uid: int, said: str
) -> None:
    monkeypatch.setenv("SUDO_USER", user)
    monkeypatch.setattr(installer.os, "geteuid", lambda: uid)
    assert main(["install"]) == 3
    told = capsys.readouterr().err
    assert said in told and told.count("\n") == 1
    assert (system.calls, system.path.exists()) == ([], False)


def test_what_systemctl_refuses_is_told(system: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    refused = SimpleNamespace(returncode=1, stdout="", stderr="noise\nUnit is masked.\n")
    monkeypatch.setattr(installer.subprocess, "run", lambda *_, **__: refused)
    with pytest.raises(BoardFault, match=r"systemctl daemon-reload: Unit is masked\."):
        installer.install(SimpleNamespace(records="/x", dry_run=False, remove=False), {})
