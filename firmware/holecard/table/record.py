"""The hot record: everything of a table that must survive, as the body of a line of the journal.

    12 0 - pca 20,0,30 <promise> 17 - 40,60,..,0 4000 5 O casino 2000,0,1001 20,0,30 7Qk0.. HS -

The fields: number of the round, whether the bench has touched the money (2: and chosen the shoe), why the table is
locked, a letter a seat (p: plays, a: away, c: has been told that it is saved), bets, promise of the shoe (fairness.py),
cards that had left it when the round began, the stack, the meters, what was paid in, how many rounds can be recalled.
Then the round: `O` open, `S` settled and still shown, `-` none; rules and bankrolls before it, and if there is one its
bets, cards, actions and, once it is settled, its place (number of the shoe and of the round in it). A card is the
character behind `0` by its number; `-` is nothing, `=` the bets of the round. restore.py reads it.
"""

from holecard.rules.ruleset import rules_text

NAME = "hot"
# More cards of a stack than this are not kept: the round is void after a power cut.
LONGEST_STACK = 40
_LINE = "%d %d %s %s %s %s %d %s %s %d %d %s"


def pack(game) -> str:
    """The body. The history of a round that is open or shown is in it, so nobody may see it."""
    shown = game.shown
    bets = game.bets
    stack = game.stack_left()
    return _LINE % (
        game.rounds,
        2 if game.shoes.seeded else game.bench,
        game.message.replace(" ", "_") or "-" if game.phase == "locked" else "-",
        "".join([_letter(game, seat) for seat in range(len(bets))]),
        "=" if shown and tuple(bets) == shown.bets else _list(bets),
        game.shoes.save(),
        game.taken(),
        "-" if stack is None else "!" if len(stack) > LONGEST_STACK else "+" + cards_word(stack),
        _list(game.accounts.meters),
        game.accounts.paid_in,
        len(game.finished),
        _round(game, shown),
    )


def _letter(game, seat: int) -> str:
    return "a" if game.state(seat) == "away" else "c" if game.told(seat) else "p"


def _round(game, shown) -> str:
    if not shown:
        return "- %s %s" % (rules_text(game.rules), _list(game.bankrolls()))
    if game.in_round:
        return round_words("O", shown, "")
    return round_words("S", shown, game.finished.place(0) if len(game.finished) else "")


def round_words(state: str, play, place: str) -> str:
    """A Round; `*` stands before the first card of a refilled shoe. An open round needs the shoe, so does without."""
    cards = cards_word(play.drawn)
    if state == "S" and play.refill_at >= 0:
        cards = cards[: play.refill_at] + "*" + cards[play.refill_at :]
    return "%s %s %s %s %s %s %s" % (
        state,
        rules_text(play.rules),
        _list(play.start),
        _list(play.bets),
        cards or "-",
        "".join(play.log) or "-",
        place.replace(" ", ",") or "-",
    )


def _list(numbers) -> str:
    return ",".join([str(number) for number in numbers])


def cards_word(cards) -> str:
    return bytes([card + 48 for card in cards]).decode()
