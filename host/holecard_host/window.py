"""The panel of a simulated table in a window of its own, drawn by luma.emulator (the extra `window`)."""

from __future__ import annotations

import os
from typing import Any

from .errors import StandFault
from .picture import Picture

_SCALE = 6


class Window:
    """Opens with the first `show`. Closing it, or Esc in it, ends the program, as luma's emulators do.

    Raises StandFault when luma.emulator is missing, or there is no screen to open a window on.
    """

    def __init__(self, scale: int = _SCALE) -> None:
        os.environ.setdefault("PYGAME_HIDE_SUPPORT_PROMPT", "1")
        self._scale = scale
        try:
            from luma.emulator import device  # noqa: PLC0415 - an extra
        except ImportError:
            raise StandFault('a window needs luma.emulator: pip install "holecard[window]"') from None
        try:
            whole = Picture.blank().to_image(scale)
            self._device: Any = device.pygame(width=whole.width, height=whole.height, transform="none", scale=1)
        except Exception as error:  # pygame.error, which is known only where pygame is
            raise StandFault(f"no window can be opened here: {error}") from None

    def show(self, frame: bytes) -> None:
        """Show a frame, 1,024 page-major bytes, and take notice of what the person does with the window."""
        try:
            self._device.display(Picture(frame).to_image(self._scale))
        except Exception as error:
            raise StandFault(f"no window can be opened here: {error}") from None
