"""Where the cards come from: a shoe shuffled card by card, and a stacked one for tests and replay."""


class ShoeEmpty(Exception):
    """A card was asked of a shoe that has none left."""


class Shoe:
    """`rules.decks` decks, shuffled lazily: one unbiased draw per card (Fisher-Yates), so no deal waits for a shuffle.

    `stream.below(n)` is all that is asked of the source of chance: an integer from 0 to n - 1, each equally likely. A
    shoe without a stream (None) is one that is not cut yet: it has figures and no cards.
    Public: ``decks``, ``left`` (cards still in the shoe), ``shuffles`` (new shuffles since the shoe was made) and
    ``refill_at`` (after how many cards of this round the discards came back; -1 = they did not).
    """

    __slots__ = (
        "_below",
        "_cards",
        "_cut_left",
        "_due",
        "_resumed",
        "_round_left",
        "decks",
        "left",
        "refill_at",
        "shuffles",
    )

    def __init__(self, rules, stream):
        self.decks = rules.decks
        self._below = stream and stream.below
        size = 52 * rules.decks
        # The shoe is due for a shuffle once this few cards are left behind the cut card.
        self._cut_left = size - size * rules.cut_percent // 100
        self.shuffles = 0
        self.refill_at = -1
        self._resumed = self._due = False
        self.left = 0
        self._fill()

    @property
    def due(self) -> bool:
        """Whether the next round begins with a new shuffle."""
        return not self._resumed and (self._due or self.left <= self._cut_left)

    @property
    def taken(self) -> int:
        """How many cards have left the shoe since it was shuffled; all of them if it is due after a refill."""
        return 52 * self.decks - (0 if self._due else self.left)

    def resume(self, taken: int, begun: bool) -> None:
        """A new shoe becomes the one that so many cards had left, before a round or (`begun`) when one began."""
        self._resumed = begun
        if self._below is None:
            self.left = max(0, self.left - taken)
        elif taken < self.left:
            self.deal(taken)
        else:
            self.left = 0

    def _fill(self) -> None:
        # The order must not depend on the past: a shoe is a function of its stream and of the number of cards drawn.
        # One byte a card: as a list, six decks would need a block that a small heap may not have in one piece.
        self._cards = bytearray(bytes(range(52)) * self.decks)
        self.left = self._round_left = len(self._cards)
        self._due = False

    def begin_round(self) -> None:
        """The cards on the table become discards; past the cut card, all of them are shuffled anew."""
        self.refill_at = -1
        if self.due:
            self._fill()
            self.shuffles += 1
        self._resumed = False
        self._round_left = self.left

    def draw(self) -> int:
        """The next card. ShoeEmpty only if every card is on the table, which a valid RuleSet rules out."""
        left = self.left or self._refill()
        pick = self._below(left)
        left -= 1
        cards = self._cards
        card = cards[pick]
        cards[pick] = cards[left]
        cards[left] = card
        self.left = left
        return card

    def deal(self, count: int) -> list:
        """The next `count` cards, as so many calls of draw() would give them."""
        left = self.left
        if left < count:
            return [self.draw() for _ in range(count)]
        cards = self._cards
        below = self._below
        dealt = []
        for _ in range(count):
            pick = below(left)
            left -= 1
            card = cards[pick]
            cards[pick] = cards[left]
            cards[left] = card
            dealt.append(card)
        self.left = left
        return dealt

    def _refill(self) -> int:
        # Drawn cards lie behind the undrawn ones, the newest first: those of this round, then the discards.
        on_table = self._cards[: self._round_left]
        discards = self._cards[self._round_left :]
        if not discards:
            raise ShoeEmpty("every card is on the table")
        self._cards = discards + on_table
        self.left = len(discards)
        self._round_left = len(self._cards)
        self.refill_at = len(on_table)
        self._due = True  # the cut card is long out
        return self.left


class StackedShoe:
    """These cards in this order, once. `refill_at` repeats what a history says about the real shoe."""

    __slots__ = ("_cards", "_next", "decks", "left", "refill_at")

    def __init__(self, cards, refill_at: int = -1):
        self._cards = list(cards)
        self._next = 0
        self.left = len(self._cards)
        self.decks = 0
        self.refill_at = refill_at

    def begin_round(self) -> None:
        """Nothing: a stacked shoe is never shuffled."""

    def rest(self) -> list:
        """The cards that are still to come."""
        return self._cards[self._next :]

    def draw(self) -> int:
        """The next card, or ShoeEmpty."""
        return self.deal(1)[0]

    def deal(self, count: int) -> list:
        """The next `count` cards; ShoeEmpty, with none taken, when fewer are left."""
        if self.left < count:
            raise ShoeEmpty("the stacked shoe has run dry")
        dealt = self._cards[self._next : self._next + count]
        self._next += count
        self.left -= count
        return dealt
