"""Draws the golden screens of `holecard accept` again. Look at every one before you commit it."""

from __future__ import annotations

from holecard_host.accept.checks.game import GOLDEN, SCENES
from holecard_host.golden import write
from holecard_host.stands import open_stand
from holecard_host.steps import Steps


def main() -> None:
    with open_stand("sim://cpython") as stand:
        steps = Steps(stand)
        for name, scene in SCENES.items():
            steps.fresh()
            scene(steps)
            write(GOLDEN / f"{name}.png", steps.picture())


if __name__ == "__main__":
    main()
