"""Events of a round, made from what may be seen before and after: they cannot tell more."""

from holecard.rules.cards import HIDDEN, card_text
from holecard.table import jsontext as js


def deal(put, number: int, bets) -> None:
    put("deal", ("round", str(number)), ("bets", js.array([js.dollars(bet) for bet in bets])))


def cards(put, before, after) -> None:
    """One event for each card that `after` shows and `before` (None: an empty table) does not, the turned one too."""
    for seat, view in enumerate(after.seats):
        old = before.seats[seat].hands if before else ()
        split = before is not None and len(view.hands) > len(old)
        for hand, shown in enumerate(view.hands):
            known = (1 if split and hand >= before.hand else len(old[hand].cards)) if before else 0
            for card in shown.cards[known:]:
                _card(put, '"player"', (("seat", str(seat)), ("hand", str(hand))), card)
    dealer = before.dealer if before else ()
    for index, card in enumerate(after.dealer):
        if index >= len(dealer) or (dealer[index] == HIDDEN and card != HIDDEN):
            _card(put, '"dealer"', (("index", str(index)),), card)


def _card(put, whose: str, where: tuple, card: int) -> None:
    put("card", ("to", whose), *(where + (("card", js.quote(card_text(card))),)))


def settled(put, number: int, visible, bankrolls, states) -> None:
    put(
        "settled",
        ("round", str(number)),
        ("nets", js.array([js.money(seat.net) for seat in visible.seats])),
        ("bankrolls", js.array([js.dollars(amount) for amount in bankrolls])),
        ("states", js.strings(states)),
    )
