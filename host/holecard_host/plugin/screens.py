"""The fixture `screen`."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable
from pathlib import Path

import pytest

from ..golden import Box, Screens
from ..picture import Picture
from ..steps import Steps

FOLDER = "screens"
_LONGEST = 120
# Node ids whose file names cannot be those of other ones.
_PLAIN = re.compile(r"[A-Za-z0-9_./]+::[A-Za-z0-9_.:]+(\[[A-Za-z0-9_.]*\])?")


class Screen:
    """What a table shows. Golden screens lie in the folder `screens` beside the test's file."""

    def __init__(self, steps: Steps, screens: Screens) -> None:
        self._steps = steps
        self._screens = screens

    def picture(self) -> Picture:
        """What is shown once nothing is pending."""
        return self._steps.picture()

    def text(self, style: str = "half") -> str:
        """The same as text; styles as in Picture.lines."""
        return self.picture().to_text(style)

    def check(self, name: str, ignore: Iterable[Box] = ()) -> None:
        """Compare with the golden screen `name`, but for the boxes (left, top, right, bottom) to ignore.

        Raises StepFailed; a picture of the difference is left in the folder of --failure-dir. `--update-screens` writes
        the golden screen instead.
        """
        self._screens.check(name, self.picture(), ignore)


def of(request: pytest.FixtureRequest, steps: Steps) -> Screen:
    """The screen of a test's table."""
    options = request.config.option
    left = failure_folder(request.config) / file_name(request.node.nodeid)
    return Screen(steps, Screens(request.path.parent / FOLDER, left, options.update_screens, "--update-screens"))


def failure_folder(config: pytest.Config) -> Path:
    return config.invocation_params.dir / config.option.failure_dir


def file_name(nodeid: str) -> str:
    """What the pictures of a test are called: each test has a name of its own, whatever its folder and parameters."""
    path, _, test = nodeid.partition("::")
    name = re.sub(r"[^A-Za-z0-9_.]+", "-", f"{path.removesuffix('.py')}-{test}").strip("-.")
    if len(name) <= _LONGEST and _PLAIN.fullmatch(nodeid):
        return name
    return f"{name[:_LONGEST]}-{hashlib.sha256(nodeid.encode(errors='surrogateescape')).hexdigest()[:8]}"
