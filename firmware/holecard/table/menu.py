"""The operator's menu on the panel: a page for each thing that the owner of the box may look at or change.

It gives the same orders as the wire (orders.py) and enters them in the log as "panel". While it is open nothing is
played, and the clock of an insurance stands still.
"""

from holecard.rules.ruleset import MOST_MONEY, Refused
from holecard.table import orders, telling
from holecard.table.accounts import NAMES, WON
from holecard.table.money import money
from holecard.table.pages import WIDTH, recall_pages, wrap
from holecard.table.seats import LOCKED
from holecard.table.status import ScpiError

_WHO = "panel"
# Whole dollars.
_LEAST = (1, 2, 5, 10, 25, 50, 100)
_MOST = (0, 25, 50, 100, 200, 500, 1000, 2000, 5000)
_LIMIT = (0, 1000, 2000, 5000, 10_000, 20_000, 50_000, 100_000)
_RULES = ("sifl", "casino")
_PAYMENT = 100
_ANY = 1 << 29
_LOCKED = "The table is locked."


class Menu:
    """Opens itself on the panel of `desk`, the table as the commands see it; `leave` closes it."""

    def __init__(self, desk) -> None:
        self._desk = desk
        self._at = 0
        self._back = 0
        self._leaf = 0
        self._sure = False
        self._problem = ""
        desk.front.menu = self
        desk.game.audit = True
        desk.front.idle.wake()
        self._tell("MENU OPENED")
        self.show()

    # -- what the keys do --------------------------------------------------------------------------------------------

    def labels(self) -> tuple:
        """Of the first and the third key."""
        return self._page()[1]

    def more(self) -> None:
        self._change(1)

    def less(self) -> None:
        self._change(-1)

    def next(self) -> None:
        self._at = (self._at + 1) % len(self._names())
        self._fresh()

    def leave(self) -> None:
        desk = self._desk
        desk.front.menu = None
        desk.game.audit = False
        desk.game.changes += 1
        self._tell("MENU CLOSED")
        desk.front.close_page()

    def refused(self, reason: str) -> None:
        self._problem = reason
        self.show()

    def show(self) -> None:
        """Puts the page on the panel as things are now."""
        lines = self._page()[0]
        problem = wrap(self._problem)[:2] if self._problem else []
        self._desk.front.open_page("operator", (lines[: 7 - len(problem)] + problem), "NEXT")

    # -- the pages ---------------------------------------------------------------------------------------------------

    def _names(self) -> list:
        seats = ["seat" + str(seat) for seat in range(self._desk.game.seats)]
        names = ["play", "rules", "seats", "least", "most", "money"] + seats
        names += ["limit", "sound", "won", "counts", "program", "recall"]
        return (["clear"] if self._desk.game.phase == LOCKED else []) + names

    def _page(self) -> tuple:
        """(lines, labels of the first and the third key)"""
        names = self._names()
        self._at = min(self._at, len(names) - 1)
        name = names[self._at]
        lines, labels = self._seat(int(name[4:])) if name[:4] == "seat" and name != "seats" else _PAGES[name](self)
        title = "OPERATOR " + str(self._at + 1) + "/" + str(len(names))
        return [title] + lines, labels

    def _clear(self) -> tuple:
        if self._sure:
            return self._consequences(), ("YES", "NO")
        return ["Locked:"] + wrap(self._desk.game.message)[:2], ("CLEAR", "")

    def _consequences(self) -> list:
        """What clearing the lock will do: at most six lines."""
        desk = self._desk
        start = money(0 if desk.house.credits else desk.game.rules.start_bankroll)
        if desk.keeper.sound:
            lines = ["Clear the lock?"] + wrap("Bankrolls and meters stay. An open round is void.")
        elif desk.keeper.intact:
            lines = ["Start afresh?"] + wrap("Bankrolls begin anew at " + start + ", meters stay.")
        else:
            lines = ["Start afresh?"] + wrap("Bankrolls begin anew at " + start + ", meters at 0.")
        if desk.house.damaged:
            lines += wrap("Play, money, limit and sound begin anew.")
        return lines

    def _play(self) -> tuple:
        return self._toggle("Play", self._desk.house.play, "Open rounds finish.")

    def _rules(self) -> tuple:
        return self._idle("Rules", self._desk.game.rules.name, "Bankrolls stay.", ("CHANGE", ""))

    def _seats(self) -> tuple:
        game = self._desk.game
        more = game.seats < game.rules.max_seats
        return self._idle(
            "Seats",
            str(game.seats),
            "Closed ones are paid.",
            ("MORE" if more else "", "LESS" if game.seats > 1 else ""),
        )

    def _least(self) -> tuple:
        rules = self._desk.game.rules
        text = money(rules.min_bet)
        return self._idle("Lowest bet", text, "", _steps(_LEAST, rules.min_bet, 2, rules.bet_limit))

    def _most(self) -> tuple:
        rules = self._desk.game.rules
        text = money(rules.max_bet) if rules.max_bet else "none"
        return self._idle("Highest bet", text, "", _steps(_MOST, rules.max_bet, rules.min_bet, _ANY))

    def _money(self) -> tuple:
        if self._desk.house.credits:
            return self._kept("Money", "credits", "Only you refill.", ("CHANGE", ""))
        return self._kept("Money", "free play", "Who is broke restarts", ("CHANGE", ""))

    def _seat(self, seat: int) -> tuple:
        game = self._desk.game
        bankroll = game.bankroll(seat)
        more = bankroll + 2 * _PAYMENT <= (game.limit or MOST_MONEY)
        labels = ("+$100" if more else "", "-$100" if bankroll >= 2 * _PAYMENT else "")
        return self._idle("Seat " + str(seat + 1), money(bankroll), "Refill or pay out.", labels)

    def _limit(self) -> tuple:
        limit = self._desk.house.limit
        text = money(limit) if limit else "none"
        labels = _steps(_LIMIT, limit, self._desk.game.rules.min_bet, _ANY)
        return self._kept("Bankroll limit", text, "Then you have to pay.", labels)

    def _idle(self, name: str, value: str, hint: str, labels: tuple) -> tuple:
        """What can be changed only while no round is open."""
        game = self._desk.game
        if game.in_round:
            return _value(name, value, "A round is open.", ("", ""))
        if game.phase == LOCKED:
            return _value(name, value, _LOCKED, ("", ""))
        return _value(name, value, hint, labels)

    def _kept(self, name: str, value: str, hint: str, labels: tuple) -> tuple:
        """What can be changed unless nothing is written."""
        if not self._desk.keeper.open_for_writing:
            return _value(name, value, _LOCKED, ("", ""))
        return _value(name, value, hint, labels)

    def _toggle(self, name: str, on: bool, hint: str) -> tuple:
        return self._kept(name, "on" if on else "off", hint, ("CHANGE", ""))

    def _sound(self) -> tuple:
        return self._toggle("Sound", self._desk.house.sound, "")

    def _won(self) -> tuple:
        return self._meters(NAMES[:5])

    def _counts(self) -> tuple:
        return self._meters(NAMES[5:])

    def _meters(self, names) -> tuple:
        lines = []
        for name in names:
            number = NAMES.index(name)
            value = self._desk.game.accounts.meters[number]
            text = money(value) if number <= WON else str(value)
            if not self._desk.keeper.intact:
                text = "not read"
            if len(name) + len(text) >= WIDTH:
                text = text.replace(",", "")
            label = name.replace("_", " ")[: WIDTH - len(text) - 1]
            lines.append(label + " " * max(1, WIDTH - len(label) - len(text)) + text)
        return lines, ("", "")

    def _program(self) -> tuple:
        program = self._desk.program
        return (program.lines() if program else ["Program: computing"]), ("", "")

    def _recall(self) -> tuple:
        finished = self._desk.game.finished
        count = len(finished)
        try:
            leaves = recall_pages(finished.visible(self._back) if count else None, self._back, count)
        except Refused as refusal:
            leaves = [["LAST HANDS", refusal.reason]]
        self._leaf = min(self._leaf, len(leaves) - 1)
        more = self._leaf + 1 < len(leaves) or self._back + 1 < count
        self._leaves = len(leaves)
        return leaves[self._leaf], ("OLDER" if more else "", "NEWEST" if self._back or self._leaf else "")

    # -- changes -----------------------------------------------------------------------------------------------------

    def _fresh(self) -> None:
        self._problem = ""
        self._sure = False
        self._back = self._leaf = 0
        self.show()

    def _change(self, step: int) -> None:
        self._problem = ""
        name = self._names()[self._at]
        game = self._desk.game
        house = self._desk.house
        rules = game.rules
        if name == "clear":
            self._clearing(step)
        elif name in ("play", "sound"):
            self._order(name, "OFF" if getattr(house, name) else "ON")
        elif name == "money":
            self._order("CREDITS", "OFF" if house.credits else "ON")
        elif name == "rules":
            self._order(name, _RULES[1 - _RULES.index(rules.name)] if rules.name in _RULES else _RULES[0])
        elif name == "seats":
            self._order(name, game.seats + step)
        elif name == "least":
            self._order("BETS", _other(_LEAST, rules.min_bet, step), rules.max_bet // 2)
        elif name == "most":
            self._order("BETS", rules.min_bet // 2, _other(_MOST, rules.max_bet, step))
        elif name == "limit":
            self._order(name, _other(_LIMIT, house.limit, step))
        elif name == "recall":
            self._leaf_through(step)
        else:
            self._order("REFILL" if step > 0 else "PAYOUT", int(name[4:]), _PAYMENT)
        self.show()

    def _clearing(self, step: int) -> None:
        if self._sure and step > 0:
            self._order("CLEAR")
            self._at = 0
        self._sure = not self._sure

    def _leaf_through(self, step: int) -> None:
        if step < 0:
            self._back = self._leaf = 0
        elif self._leaf + 1 < self._leaves:
            self._leaf += 1
        else:
            self._leaf = 0
            self._back += 1

    def _order(self, name: str, *values) -> None:
        try:
            orders.obey(self._desk, _WHO, (name + " " + ",".join([str(value) for value in values])).strip())
        except ScpiError as error:
            raise Refused(error.detail)
        if not self._desk.keeper.open_for_writing:
            # The first page says why.
            self._at = 0

    def _tell(self, text: str) -> None:
        desk = self._desk
        desk.keeper.log.add(desk.keeper.boots, desk.keeper.seconds, _WHO + ": " + text)
        desk.events.put(desk.now, telling.OPERATOR, _WHO, text)


_PAGES = {
    "clear": Menu._clear,
    "play": Menu._play,
    "rules": Menu._rules,
    "seats": Menu._seats,
    "least": Menu._least,
    "most": Menu._most,
    "money": Menu._money,
    "limit": Menu._limit,
    "sound": Menu._sound,
    "won": Menu._won,
    "counts": Menu._counts,
    "program": Menu._program,
    "recall": Menu._recall,
}


def _value(name: str, value: str, hint: str, labels: tuple) -> tuple:
    return ["", name + ": " + value, "", hint], labels


def _steps(steps, amount: int, least: int, most: int) -> tuple:
    """The labels: whether there is another of `steps` above, and below, that lies within these limits (half-dollars).

    0 stands for none and so is always within them."""
    above, below = 2 * _other(steps, amount, 1), 2 * _other(steps, amount, -1)
    return (
        "MORE" if above != amount and least <= above <= most else "",
        "LESS" if below != amount and (not below or least <= below <= most) else "",
    )


def _other(steps, amount: int, step: int) -> int:
    """The next of `steps` (dollars) above or below an amount (half-dollars), the same at either end."""
    dollars = amount // 2
    if step > 0:
        above = [one for one in steps if one > dollars]
        return above[0] if above else dollars
    below = [one for one in steps if one < dollars]
    return below[-1] if below else dollars
