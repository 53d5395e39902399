"""tools/setup.sh says what is missing; the interpreters on its PATH are fakes, and nothing is downloaded."""

import os
import shutil
import subprocess
from pathlib import Path

import pytest

SETUP = Path(__file__).parent.parent / "tools" / "setup.sh"
SHELL = shutil.which("sh")

pytestmark = pytest.mark.skipif(SHELL is None or os.name == "nt", reason="there is no POSIX shell")

TOO_OLD = 'case "$2" in *version_info*) exit 1;; esac\nexit 0\n'
WITHOUT_VENV = 'case "$2" in *ensurepip*) exit 1;; esac\n'
# Stops before anything is installed: -m venv makes an interpreter whose pip cannot reach an index.
WITHOUT_NETWORK = (
    "case $1 in -m)\n"
    '  while [ $# -gt 1 ]; do shift; done; /bin/mkdir -p "$1/bin"\n'
    '  printf "#!%s\\nexit 1\\n" {shell} > "$1/bin/python"; /bin/chmod +x "$1/bin/python";;\n'
    "esac\n"
)


def interpreter(folder: Path, name: str, script: str) -> None:
    path = folder / name
    path.write_text(f"#!{SHELL}\n{script}", encoding="ascii")
    path.chmod(0o755)


def setup(path: Path, **variables: str) -> subprocess.CompletedProcess:
    return subprocess.run(
        [SHELL, str(SETUP), str(path / "venv"), "run"],
        env={"PATH": str(path), **variables},
        capture_output=True,
        text=True,
        timeout=20,
        check=False,
        cwd=path,
    )


@pytest.mark.parametrize("fakes", [{}, {"python3": TOO_OLD, "python": TOO_OLD, "python3.11": "exit 127\n"}])
def test_no_python_that_is_new_enough(tmp_path, fakes):
    for name, script in fakes.items():
        interpreter(tmp_path, name, script)
    result = setup(tmp_path)
    assert (result.returncode, result.stdout) == (1, "")
    first, second = result.stderr.splitlines()
    assert first.startswith("holecard: Python 3.11 or newer is needed, and none was found")
    assert "make PYTHON=/path/to/python3 run" in second
    assert not (tmp_path / "venv").exists()


def test_a_python_that_was_named_comes_first(tmp_path):
    interpreter(tmp_path, "python3", TOO_OLD)
    interpreter(tmp_path, "mine", WITHOUT_VENV)
    assert f"{tmp_path}/mine has no working 'venv'" in setup(tmp_path, PYTHON=f"{tmp_path}/mine").stderr


@pytest.mark.parametrize("script", [TOO_OLD, "exit 127\n"])
def test_a_python_that_was_named_is_not_replaced_by_another(tmp_path, script):
    interpreter(tmp_path, "python3", WITHOUT_VENV)
    interpreter(tmp_path, "mine", script)
    result = setup(tmp_path, PYTHON="mine")
    assert (result.returncode, result.stderr) == (1, "holecard: PYTHON=mine is no Python 3.11 or newer.\n")


def test_an_older_python3_does_not_hide_a_newer_one(tmp_path):
    interpreter(tmp_path, "python3", TOO_OLD)
    interpreter(tmp_path, "python3.13", WITHOUT_VENV)
    assert "python3.13 has no working 'venv'" in setup(tmp_path).stderr


def test_a_python_without_venv(tmp_path):
    interpreter(tmp_path, "python3", WITHOUT_VENV)
    result = setup(tmp_path)
    assert (result.returncode, result.stdout) == (1, "")
    (line,) = result.stderr.splitlines()
    assert line.startswith("holecard: python3 has no working 'venv' module.")
    assert "apt install python3-venv" in line
    assert not (tmp_path / "venv").exists()


def test_packages_that_cannot_be_installed(tmp_path):
    interpreter(tmp_path, "python3", WITHOUT_NETWORK.format(shell=SHELL))
    result = setup(tmp_path)
    assert (result.returncode, result.stdout) == (1, "")
    assert result.stderr.splitlines()[-1].startswith(
        "holecard: the packages could not be installed: is there a network"
    )
    assert not (tmp_path / "venv" / ".have-run").exists()
