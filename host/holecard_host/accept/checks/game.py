"""The game: what is shown, what is paid, what stays hidden."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

from holecard.rules.replay import HistoryError, replay

from ...cases.model import Case, load
from ...cases.money import halves
from ...cases.runner import Runner
from ...errors import UsageFault
from ...golden import Box, read, without
from ...picture import Picture
from ...steps import Steps
from ...steps.compare import differences
from ..suite import Bench

GOLDEN = Path(__file__).parents[1] / "screens"
_ROUNDS = 5
# Longer than the lamps stay dark after a round.
_AFTER_MS = 700


def _round(
    *shoe: str | int, bet: float = 20, rules: str = "sifl", bankroll: float = 1000, do: str = "", **fields: object
) -> Callable[[Steps], None]:
    """A round with these cards, as far as the actions lead."""

    def scene(t: Steps) -> None:
        t.rules(rules, **fields)
        t.bankroll(bankroll)
        t.shoe(*shoe)
        t.bet(bet)
        t.deal()
        for action in do.split():
            t.act(action)
        t.wait(_AFTER_MS)

    return scene


def _then(scene: Callable[[Steps], None], do: Callable[[Steps], None]) -> Callable[[Steps], None]:
    def both(t: Steps) -> None:
        scene(t)
        do(t)

    return both


SCENES: dict[str, Callable[[Steps], None]] = {
    "betting": lambda t: t.bet(25),
    "betting-casino": _then(lambda t: t.rules("casino"), lambda t: t.bet(25)),
    "playing": _round(5, "K", 6, 7),
    "hint": _then(_round(5, "K", 6, 7), lambda t: t.hold("STAND")),
    # Without a time limit: its seconds would be another picture each time.
    "insurance": _round(9, "A", 7, 6, rules="casino", insurance_seconds=0),
    "doubling": _then(_round(5, 6, 6, 10, rules="casino"), lambda t: t.press("DOUBLE")),
    "split": _round(8, 6, 8, 10, 3, rules="casino", do="SPLIT"),
    "win": _round("K", 10, 9, 8, do="STAND"),
    "blackjack": _round("A", 9, "K", 8),
    "bust": _round("K", 10, 6, 8, 9, do="HIT"),
    "push": _round("K", 10, 9, 9, do="STAND"),
    "dealer-blackjack": _round("K", "A", 9, "K"),
    "saved": _then(_round("A", 9, "K", 8, bet=4000, bankroll=49000), lambda t: t.press("HIT")),
    "broke": _then(_round("K", 10, 6, 8, 9, bet=5, bankroll=5, do="HIT"), lambda t: t.press("HIT")),
}


# Where the promise of the next shoe stands, which is another each time: on the betting screen, and after a round.
_PROMISE: dict[str, Box] = {
    **dict.fromkeys(("betting", "betting-casino"), (76, 38, 128, 46)),
    **dict.fromkeys(("win", "blackjack", "bust", "push", "dealer-blackjack"), (20, 0, 128, 7)),
}


def screens(bench: Bench) -> None:
    """The glass against what the table wants to show, and that against the golden screens of this package."""
    stale, different, dark = [], [], []
    for name, scene in SCENES.items():
        bench.steps.fresh()
        scene(bench.steps)
        shown = bench.show(name)
        if not shown.lit:
            dark.append(name)
        if bench.has("panel"):
            stale += _pixels(name, Picture.from_hex(bench.steps.ask("DISP:DATA?")), shown)
        boxes = [_PROMISE[name]] if name in _PROMISE else []
        different += _pixels(name, without(read(GOLDEN / f"{name}.png"), boxes), without(shown, boxes))
    if bench.has("panel"):
        bench.measure("stale", sum(count for _, count in stale), _places(stale))
    bench.measure("different", sum(count for _, count in different), _places(different))
    bench.measure("dark", len(dark), ", ".join(dark))


def _pixels(name: str, wanted: Picture, shown: Picture) -> list[tuple[str, int]]:
    difference = wanted.diff(shown)
    if difference.box is None:
        return []
    pages = f"{name}, rows {difference.box[1]} to {difference.box[3] - 1}"
    return [(pages, difference.count)]


def _places(found: list[tuple[str, int]]) -> str:
    return "; ".join(f"{place}: {count}" for place, count in found[:4])


def case_files() -> list[Path]:
    """The worked rounds: in this package, or, in a clone, among the tests. Raises UsageFault without any."""
    for folder in (Path(__file__).parents[1] / "cases", Path(__file__).parents[4] / "tests" / "cases"):
        files = sorted(folder.glob("*.json"))
        if files:
            return files
    raise UsageFault("the worked rounds are missing from this installation: install holecard again")


def rules(bench: Bench) -> None:
    """Every worked round, by name; a refused action has to be refused and change nothing."""
    bench.steps.send("DISP:ANIM OFF")
    runner = Runner(bench.stand)
    for name in ("sifl", "casino"):
        cases: list[Case] = [case for file in case_files() for case in load(file) if case.rules == name]
        verdicts = [runner.run(case) for case in cases]
        failed = [f"{verdict.id}: {verdict.detail}" for verdict in verdicts if not verdict.passed]
        bench.measure(name, len(failed), "; ".join(failed[:3]))


def secrecy(bench: Bench) -> None:
    """The same round with different hidden cards: until it is turned over, all that can be seen must be the same."""
    leaks = []
    hands: dict[str, list[tuple[Any, ...]]] = {
        "sifl": [(9, hidden, 7, 6, 2, 10, 10) for hidden in ("K", 3, "A")],
        "casino": [(9, 6, 7, hidden, 2, 10, 10) for hidden in ("K", 3, "A")],
    }
    for preset, shoes in hands.items():
        seen = [_seen(bench, preset, shoe) for shoe in shoes]
        for other in seen[1:]:
            leaks += [f"{preset}, {leak}" for leak in differences(seen[0], other)]
    bench.measure("leaks", len(leaks), "; ".join(leaks[:3]))


def _seen(bench: Bench, preset: str, shoe: tuple[Any, ...]) -> dict[str, Any]:
    steps = bench.steps
    steps.fresh()
    steps.rules(preset)
    steps.bankroll(1000)
    steps.shoe(*shoe)
    steps.bet(20)
    steps.listen()
    steps.deal()
    steps.act("HIT")
    seen: dict[str, Any] = {
        "the state": steps.state(),
        "the deal": steps.record("TABL:DEAL?"),
        "the hint": steps.record("TABL:HINT?"),
        "the picture": steps.picture().data.hex(),
        "the frame buffer": steps.ask("DISP:DATA?"),
        "the lamps": bench.stand.lamps(),
        "the meters": {k: v for k, v in steps.record("TABL:MET?").items() if k in ("won", "blackjacks", "doubles")},
        "events": [{k: v for k, v in event.data.items() if k != "round"} for event in bench.stand.take_events()],
    }
    seen["the state"].pop("round")
    seen["the deal"].pop("round")
    seen["the meters"].pop("won")  # of all rounds so far
    return {name.replace(" ", "_"): value for name, value in seen.items()}


def fairness(bench: Bench) -> None:
    """Rounds with the table's own cards: each line of history replays to what was paid, and the books add up."""
    steps, wrong = bench.steps, []
    for _ in range(_ROUNDS):
        steps.bet(bench.dice.randrange(1, 50))
        before = steps.state()["bankrolls"][0]
        steps.deal()
        while steps.state()["phase"] == "playing":
            steps.act(bench.dice.choice(("HIT", "STAND")))
        after = steps.state()["bankrolls"][0]
        line = steps.history()
        try:
            paid = replay(line).bankrolls[0]
        except HistoryError as error:
            wrong.append(f"{line}: {error}")
        else:
            if paid != halves(after):
                wrong.append(f"{line} pays {paid / 2:g}, the table {after:g} (it had {before:g})")
        steps.next_round()
    bench.measure("replayed", len(wrong), "; ".join(wrong[:2]))
    bench.measure("audit", steps.record("TABL:AUD?")["ok"] is True)
