"""`holecard play` without a terminal: a few rounds by the buttons, each screen as text."""

from __future__ import annotations

import shutil
import sys
from typing import TYPE_CHECKING, Any

from holecard_host.errors import StandFault
from holecard_host.picture import SIZE, Picture
from holecard_host.stands import KEYS

if TYPE_CHECKING:
    from holecard_host.stands import Stand

_BUTTON_FOR = {
    "playing": {"HIT": "HIT", "STAND": "STAND", "DOUBLE": "DOUBLE", "SPLIT": "BET"},
    "insurance": {"INSURE": "BET", "DECLINE": "STAND"},
}
# Ways to print the screen, the best first, and the columns that each takes.
_STYLES = (("half", 128), ("ascii", 128), ("braille", 64))
_WIDEST = 128
_MOST_PRESSES = 200  # a few rounds take far fewer; a table that gets nowhere must not keep a pipe busy for ever
_DARK_MS = 600  # after settlement the lamps stay dark for 500 ms


class Demo:
    """Plays on `stand` and prints to stdout what a player would see and do."""

    def __init__(self, stand: Stand) -> None:
        self._stand = stand
        # A pipe has room for everything. COLUMNS tells nothing of it: GNU readline leaves it to whatever is started.
        columns = shutil.get_terminal_size().columns if sys.stdout.isatty() else _WIDEST
        printable = {style: width for style, width in _STYLES if _can_print(style)}
        self.least = min(printable.values())
        self._style = next((style for style, width in printable.items() if width <= columns), "")
        self._rule = min(columns, _WIDEST)

    @property
    def pictures(self) -> bool:
        """Whether there is room for the screens."""
        return bool(self._style)

    def run(self, rounds: int) -> None:
        """Play that many rounds. Raises StandFault when the table does not get on or its state cannot be read."""
        try:
            self._run(rounds)
        except (KeyError, IndexError, TypeError, ValueError, AttributeError) as error:
            odd = f"{type(error).__name__}: {error}"
            raise StandFault(f"{self._stand.url}: the state of the table cannot be read ({odd})") from error

    def _run(self, rounds: int) -> None:
        finished = 0
        for presses in range(_MOST_PRESSES):
            state = self._state()
            self._show(state)
            over = state["phase"] in ("settled", "saved", "broke")
            # What lies there before the first press is somebody else's round.
            if state["phase"] == "settled" and presses:
                finished += 1
            if over and finished >= rounds:
                nets = ", ".join(f"{seat['net'] or 0:+g}" for seat in state["seats"])
                print(f"Played {finished} rounds; the last one: {nets} dollars. Bankroll: {state['bankrolls'][0]:g}")
                return
            if over:
                self._stand.advance(_DARK_MS)
                state = self._state()
            self._press(*self._choose(state), state)
        raise StandFault(f"{self._stand.url}: the table does not finish its rounds after {_MOST_PRESSES} presses")

    def _state(self) -> dict[str, Any]:
        self._stand.wire.ask("*OPC?")
        return self._stand.wire.ask_record("TABL:STAT?")

    def _show(self, state: dict[str, Any]) -> None:
        print(f"--- {state['phase']} ".ljust(self._rule, "-"), flush=True)
        if self._style:
            print(self._stand.panel().to_text(self._style), flush=True)

    def _choose(self, state: dict[str, Any]) -> tuple[str, str]:
        """The key to press, and why."""
        keys = _BUTTON_FOR.get(state["phase"])
        if keys is not None:
            hint = self._stand.wire.ask_record("TABL:HINT?")
            if hint.get("do") in keys:
                return keys[hint["do"]], str(hint["reason"])
        if state["phase"] == "doubling":
            return "DOUBLE", "confirm the amount"
        lit = [key for index, key in enumerate(KEYS) if state["lamps"] >> index & 1]
        if not lit:
            raise StandFault(f"{self._stand.url}: no lamp is lit while the table is {state['phase']}")
        key = "HIT" if "HIT" in lit else lit[0]
        return key, str(state["labels"][KEYS.index(key)]).lower() or "go on"

    def _press(self, key: str, why: str, state: dict[str, Any]) -> None:
        print(f">>> press {key} ({why})\n")
        self._stand.press(key)


def demo(stand: Stand, rounds: int, seed: str | None = None) -> None:
    """Play `rounds` rounds by the buttons and print them. `seed` is what the cards were chosen by, to say so."""
    if seed is None:
        print("Cards: from the table's own shuffle, other ones every time; --seed HEX repeats a game.")
    else:
        print(f"Cards: from the seed {seed}, the same ones every time on a table that was just switched on.")
    print("Keys: as the table's hints say.\n")
    player = Demo(stand)
    if not player.pictures:
        print(f"The screens are left out: they take {player.least} columns or more.\n")
    player.run(rounds)


def _can_print(style: str) -> bool:
    try:
        Picture(b"\xff" * SIZE).to_text(style).encode(getattr(sys.stdout, "encoding", None) or "ascii")
    except (UnicodeEncodeError, LookupError):
        return False
    return True
