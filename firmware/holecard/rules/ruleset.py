"""The rules as data: one record of named fields, the two presets, and a validator that refuses nonsense.

Money is an integer number of half-dollars. ``FIELDS`` is the whole list, each field with its bounds; `reasons` says
why it is one.
"""


class RuleError(ValueError):
    """A rule set that makes no sense; ``field`` names the field to blame, ``column`` where parse_rules() found it."""

    def __init__(self, field: str, reason: str):
        super().__init__(field + ": " + reason)
        self.field = field
        self.reason = reason
        self.column = 0


class Refused(Exception):
    """A bet or an action that the rules do not allow now, and that changed nothing; ``reason`` is short English."""

    def __init__(self, reason: str):
        super().__init__(reason)
        self.reason = reason


MOST_MONEY = 2_000_000  # half-dollars: what a rule or an operator may set; winnings have no limit
_NO_LIMIT = 1 << 29  # half-dollars: the largest power of two that is a small integer on the Pico

# (name, kind, lowest, highest); kinds: text (1..12 of a-z, 0-9, _), bool, int, money (half-dollars), bet (money in
# whole dollars), ratio (two integers).
FIELDS = (
    ("name", "text", 1, 12),
    ("decks", "int", 1, 8),
    ("cut_percent", "int", 0, 95),
    ("hole_first", "bool", 0, 1),
    ("royal_blackjack", "bool", 0, 1),
    ("blackjack_pays", "ratio", 1, 20),
    ("peek", "bool", 0, 1),
    ("dealer_hits_soft_17", "bool", 0, 1),
    ("dealer_always_plays", "bool", 0, 1),
    ("dealer_max_cards", "int", 0, 21),
    ("max_cards", "int", 0, 21),
    ("max_cards_win", "bool", 0, 1),
    ("stands_on_21", "bool", 0, 1),
    ("double_less", "bool", 0, 1),
    ("double_after_split", "bool", 0, 1),
    ("max_hands", "int", 1, 4),
    ("insurance", "bool", 0, 1),
    ("insurance_seconds", "int", 0, 600),
    ("min_bet", "bet", 2, MOST_MONEY),
    ("max_bet", "bet", 0, MOST_MONEY),
    ("max_seats", "int", 1, 7),
    ("start_bankroll", "money", 2, MOST_MONEY),
    ("goal", "money", 0, MOST_MONEY),
)

_KINDS = {field[0]: field for field in FIELDS}
_NAME_LETTERS = "abcdefghijklmnopqrstuvwxyz0123456789_"


class RuleSet:
    """One validated set of rules: all of FIELDS as attributes (a ratio as ``(num, den)``). Treat it as a constant.

    Derived for the game itself: ``stop_at``, the total at which a hand is finished; ``card_limit``, the number of cards
    at which it is; ``bet_limit``, the highest bet; ``text``, what rules_text() made of it, "" until somebody asked.
    """

    name: str
    decks: int
    cut_percent: int
    hole_first: bool
    royal_blackjack: bool
    blackjack_pays: tuple
    peek: bool
    dealer_hits_soft_17: bool
    dealer_always_plays: bool
    dealer_max_cards: int
    max_cards: int
    max_cards_win: bool
    stands_on_21: bool
    double_less: bool
    double_after_split: bool
    max_hands: int
    insurance: bool
    insurance_seconds: int
    min_bet: int
    max_bet: int
    max_seats: int
    start_bankroll: int
    goal: int

    def __init__(self, **fields):
        """All of FIELDS by name; RuleError names the missing, unknown, out-of-bounds or contradictory one."""
        for name in fields:
            if name not in _KINDS:
                raise RuleError(name, "no such rule")
        for name, kind, low, high in FIELDS:
            if name not in fields:
                raise RuleError(name, "missing")
            setattr(self, name, _checked(name, kind, low, high, fields[name]))
        self._check_together()
        self._derive()

    def _derive(self) -> None:
        self.stop_at = 21 if self.stands_on_21 else 22
        self.card_limit = self.max_cards or 99
        self.bet_limit = self.max_bet or _NO_LIMIT
        self.text = ""

    def _check_together(self) -> None:
        for name in ("max_cards", "dealer_max_cards"):
            if 0 < getattr(self, name) < 3:
                raise RuleError(name, "0 for none, or at least 3")
        if self.max_cards_win and not self.max_cards:
            raise RuleError("max_cards_win", "needs max_cards")
        if self.blackjack_pays[0] < self.blackjack_pays[1]:
            raise RuleError("blackjack_pays", "less than even money")
        if self.max_bet and self.max_bet < self.min_bet:
            raise RuleError("max_bet", "below min_bet")
        if self.start_bankroll < self.min_bet:
            raise RuleError("start_bankroll", "below min_bet")
        if self.goal and self.goal <= self.start_bankroll:
            raise RuleError("goal", "not above start_bankroll")
        # A round could run dry even after the refill: a deck holds 340 pips. A hand ends with at most 31 (a 10 on a 21
        # that may still be hit, otherwise on a 20), the dealer's with at most 26 (a 10 on 16).
        hand = 30 if self.stands_on_21 else 31
        if self.max_seats * self.max_hands * hand + 26 > self.decks * 340:
            raise RuleError("decks", "too few for max_seats and max_hands")

    def replace(self, **changes) -> "RuleSet":
        """A new validated set with these fields changed; RuleError as for RuleSet."""
        fields = dict(self.items())
        fields.update(changes)
        return RuleSet(**fields)

    def items(self) -> list:
        """``[(name, value), ...]`` in the order of FIELDS."""
        return [(field[0], getattr(self, field[0])) for field in FIELDS]

    def __eq__(self, other) -> bool:
        return isinstance(other, RuleSet) and self.items() == other.items()

    def __hash__(self) -> int:
        return hash(tuple(self.items()))


class _Preset(RuleSet):
    """One that the tests have checked, which takes 8 ms on the chip: not at every start."""

    def __init__(self, **fields):
        for name, value in fields.items():
            setattr(self, name, value)
        self._derive()


def _checked(name: str, kind: str, low: int, high: int, value):
    if kind == "text":
        if not isinstance(value, str) or not low <= len(value) <= high or [c for c in value if c not in _NAME_LETTERS]:
            raise RuleError(name, "1 to 12 of a-z, 0-9, _")
        return value
    if kind == "ratio":
        if not isinstance(value, (tuple, list)) or len(value) != 2:
            raise RuleError(name, "two numbers, as 3:2")
        return (_checked(name, "int", low, high, value[0]), _checked(name, "int", low, high, value[1]))
    if not isinstance(value, (int, bool)):  # MicroPython: a bool is no int
        raise RuleError(name, "not a whole number" if kind != "money" else "not in half-dollars")
    if not low <= value <= high:
        if kind in ("money", "bet"):
            raise RuleError(name, "not from $" + str(low // 2) + " to $" + str(high // 2))
        raise RuleError(name, "not from " + str(low) + " to " + str(high))
    if kind == "bet" and value % 2:
        raise RuleError(name, "not in whole dollars")
    return bool(value) if kind == "bool" else int(value)


def field_text(name: str, value) -> str:
    """A field's value as text without spaces: ``1`` or ``0`` for a bool, ``3:2`` for a ratio, money in half-dollars."""
    kind = _KINDS[name][1]
    if kind == "ratio":
        return str(value[0]) + ":" + str(value[1])
    return value if kind == "text" else str(int(value))


def parse_field(name: str, text: str):
    """The value that field_text() writes as `text`; RuleError for an unknown field or a text that is none."""
    if name not in _KINDS:
        raise RuleError(name, "no such rule")
    kind = _KINDS[name][1]
    if kind == "text":
        return text
    parts = text.split(":") if kind == "ratio" else [text]
    for part in parts:
        if not 0 < len(part) <= 9 or [letter for letter in part if letter not in "0123456789"]:
            raise RuleError(name, "not a number")
    return tuple([int(part) for part in parts]) if kind == "ratio" else int(text)


SIFL = _Preset(
    name="sifl",
    decks=1,
    cut_percent=0,
    hole_first=True,
    royal_blackjack=True,
    blackjack_pays=(3, 2),
    peek=True,
    dealer_hits_soft_17=False,
    dealer_always_plays=False,
    dealer_max_cards=0,
    max_cards=5,
    max_cards_win=False,
    stands_on_21=False,
    double_less=False,
    double_after_split=False,
    max_hands=1,
    insurance=False,
    insurance_seconds=30,
    min_bet=2,
    max_bet=0,
    max_seats=1,
    start_bankroll=2000,
    goal=100_000,
)

CASINO = _Preset(
    name="casino",
    decks=6,
    cut_percent=75,
    hole_first=False,
    royal_blackjack=False,
    blackjack_pays=(3, 2),
    peek=True,
    dealer_hits_soft_17=True,
    dealer_always_plays=False,
    dealer_max_cards=0,
    max_cards=0,
    max_cards_win=False,
    stands_on_21=True,
    double_less=True,
    double_after_split=True,
    max_hands=4,
    insurance=True,
    insurance_seconds=30,
    min_bet=10,
    max_bet=1000,
    max_seats=7,
    start_bankroll=2000,
    goal=0,
)

PRESETS = {"sifl": SIFL, "casino": CASINO}


def rules_text(rules) -> str:
    """A rule set as one word: its preset, or ``casino`` for a name that is none, and every field that differs from it.

    ``casino/decks=8/blackjack_pays=6:5``; the values as field_text() writes them.
    """
    if not rules.text:
        base = PRESETS.get(rules.name, CASINO)
        words = [base.name]
        for name, value in rules.items():
            if value != getattr(base, name):
                words.append(name + "=" + field_text(name, value))
        rules.text = "/".join(words)
    return rules.text


def parse_rules(text: str) -> "RuleSet":
    """The rule set that rules_text() writes as `text`; RuleError, with the 0-based column of the fault, otherwise."""
    words = text.split("/")
    if words[0] not in PRESETS:
        raise RuleError("name", "unknown rules")
    changes = {}
    columns = {}
    at = len(words[0]) + 1
    for word in words[1:]:
        name, _, value = word.partition("=")
        columns[name] = at
        try:
            changes[name] = parse_field(name, value)
        except RuleError as error:
            error.column = at
            raise
        at += len(word) + 1
    if not changes:
        return PRESETS[words[0]]
    try:
        return PRESETS[words[0]].replace(**changes)
    except RuleError as error:
        error.column = columns.get(error.field, 0)
        raise


def check_bet(rules, bankroll: int, bet: int) -> None:
    """Refused, with the reason, unless `bet` may be staked from `bankroll`."""
    if bet < rules.min_bet:
        raise Refused("bet is below the minimum")
    if bet > rules.bet_limit:
        raise Refused("bet is above the maximum")
    if bet > bankroll:
        raise Refused("bet is more than the bankroll")
    if bet & 1:
        raise Refused("only whole dollars")
