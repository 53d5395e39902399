"""`holecard sim --window`: the panel in a window of luma.emulator, on a screen that is none."""

from __future__ import annotations

import sys

import pytest

from holecard_host.errors import StandFault
from holecard_host.picture import Picture
from holecard_host.window import Window

FRAME = bytes(range(256)) * 4


def test_without_luma_it_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "luma.emulator", None)
    with pytest.raises(StandFault, match=r'pip install "holecard\[window\]"'):
        Window()


def test_it_shows_the_panel_as_pictures_do(monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("luma.emulator", reason="luma.emulator is not installed: holecard[window]")
    pygame = pytest.importorskip("pygame", reason="pygame is not installed: holecard[window]")
    monkeypatch.setenv("SDL_VIDEODRIVER", "dummy")
    window = Window(scale=4)
    window.show(FRAME)
    screen = pygame.display.get_surface()
    assert pygame.image.tobytes(screen, "RGB") == Picture(FRAME).to_image(4).tobytes()
    pygame.event.post(pygame.event.Event(pygame.QUIT))
    with pytest.raises(SystemExit):
        window.show(FRAME)


def test_without_a_screen_it_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("luma.emulator", reason="luma.emulator is not installed: holecard[window]")
    monkeypatch.setenv("SDL_VIDEODRIVER", "nonsense")
    with pytest.raises(StandFault, match="no window can be opened here: nonsense not available"):
        Window().show(FRAME)
