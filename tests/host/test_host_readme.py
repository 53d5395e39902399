"""What host/README.md tells a newcomer to do works as it stands there, and fails as it says."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

from holecard_host.stands import CAPABILITIES
from holecard_host.steps import STEPS

TEXT = (Path(__file__).parents[2] / "host" / "README.md").read_text(encoding="utf-8")
PYTEST = [sys.executable, "-m", "pytest", "-p", "holecard_host.plugin", "--table", "sim://cpython"]


def blocks(language: str) -> list[str]:
    return re.findall(rf"```{language}\n(.*?)```", TEXT, re.DOTALL)


def start(command: list[str], folder: Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(command, capture_output=True, text=True, check=False, cwd=folder)


def test_the_first_test_passes_and_fails_as_it_says(tmp_path: Path) -> None:
    first = blocks("python")[0]
    (tmp_path / "test_first.py").write_text(first, encoding="utf-8")
    good = start([*PYTEST, "test_first.py"], tmp_path)
    assert "1 passed" in good.stdout, good.stdout + good.stderr
    (tmp_path / "test_first.py").write_text(first.replace("1037.5", "1025"), encoding="utf-8")
    bad = start([*PYTEST, "test_first.py"], tmp_path)
    assert "bankrolls[0]: expected 1025, got 1037.5" in bad.stdout
    assert re.search(r"HC1 sifl 2000 50 As9sKs8c - [0-9A-F]{8}", bad.stdout)
    assert list((tmp_path / "holecard-failures").glob("*.png"))


def test_the_other_tests_pass(tmp_path: Path) -> None:
    for number, block in enumerate(blocks("python")[1:]):
        (tmp_path / f"test_{number}.py").write_text(block, encoding="utf-8")
    done = start(PYTEST, tmp_path)
    assert re.search(r"\d passed", done.stdout), done.stdout + done.stderr
    assert "failed" not in done.stdout
    assert "skipped" not in done.stdout


def test_the_script_passes(tmp_path: Path) -> None:
    pytest.importorskip("yaml", reason="PyYAML is not installed (the extra `script`)")
    (block,) = blocks("yaml")
    (tmp_path / "blackjack.yaml").write_text(block, encoding="utf-8")
    done = start([sys.executable, "-m", "holecard_host", "run", "blackjack.yaml", "sim://cpython"], tmp_path)
    assert done.stdout.endswith("1 passed\n"), done.stdout + done.stderr
    assert (tmp_path / "won.png").exists()


def test_every_step_and_every_capability_is_explained() -> None:
    told = set(re.findall(r"`([a-z-]+)`", TEXT))
    assert set(STEPS) <= told
    assert set(CAPABILITIES) - {"wire"} <= told
