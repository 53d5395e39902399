"""What a key does once its press has been acknowledged: one function per verb of the button table, in `phases`.

The text pages, and the tables behind the hint, are imported when somebody opens one, if `ahead` has not done it yet.
"""

_DOLLAR = 2


def _act(front, code: str, amount: int = 0) -> None:
    front.game.act(front.game.visible.seat, code, amount)


def wake(front) -> None:
    front.idle.wake()


def raise_bet(front) -> None:
    seat = front.game.seat
    front.game.bet(seat, front.bettor.raised(seat))


def lower_bet(front) -> None:
    seat = front.game.seat
    front.game.bet(seat, front.bettor.lowered(seat))


def last_bet(front) -> None:
    seat = front.game.seat
    front.game.bet(seat, front.bettor.last(seat))


def next_chip(front) -> None:
    front.bettor.next_chip()


def next_seat(front) -> None:
    game = front.game
    if game.seat + 1 < game.seats:
        game.select(game.seat + 1)
    else:
        game.deal()


def previous_seat(front) -> None:
    front.game.select(front.game.seat - 1)


def deal(front) -> None:
    front.game.deal()


def insure(front) -> None:
    _act(front, "I")


def decline(front) -> None:
    _act(front, "N")


def split(front) -> None:
    _act(front, "P")


def hit(front) -> None:
    _act(front, "H")


def stand(front) -> None:
    _act(front, "S")


def hint(front) -> None:
    from holecard.table import leafing  # noqa: PLC0415

    leafing.hint(front)


def double(front) -> None:
    visible = front.game.visible
    if visible.double_min < visible.double_max:
        front.doubling = True
        front.amount = visible.double_max
    else:
        _act(front, "D", visible.double_max)


def more(front) -> None:
    front.amount = min(front.amount + _step(front), front.game.visible.double_max)


def less(front) -> None:
    front.amount = max(front.amount - _step(front), front.game.visible.double_min)


def _step(front) -> int:
    # One tap is one dollar, so that every amount can be reached; a key that is held moves by the chip.
    return front.bettor.chip if front.repeated else _DOLLAR


def back(front) -> None:
    front.doubling = False


def confirm(front) -> None:
    _act(front, "D", front.amount)


def change_bet(front) -> None:
    front.game.next_round()


def again(front) -> None:
    front.game.again()


def tell_ending(front) -> None:
    front.game.tell_ending()


def go_on(front) -> None:
    front.game.go_on()


def give_up(front) -> None:
    front.game.give_up()


def choose(front) -> None:
    """Nothing but what every press does: the hand on the panel stays, so that its seat can be left."""


def leave(front) -> None:
    front.game.leave(front.seat)


def sit(front) -> None:
    front.game.sit(front.game.seat)


def recall(front) -> None:
    from holecard.table import leafing  # noqa: PLC0415

    leafing.recall(front)


def close_page(front) -> None:
    front.close_page()


def next_page(front) -> None:
    from holecard.table import leafing  # noqa: PLC0415

    leafing.next_page(front)


def seats(front) -> None:
    from holecard.table import leafing  # noqa: PLC0415

    leafing.seats(front)


def menu_more(front) -> None:
    front.menu.more()


def menu_less(front) -> None:
    front.menu.less()


def menu_next(front) -> None:
    front.menu.next()


def menu_leave(front) -> None:
    front.menu.leave()


def time_is_up(front) -> None:
    """Insurance closes: no key does this, the clock does."""
    _act(front, "T")


VERBS = {
    "wake": wake,
    "raise_bet": raise_bet,
    "lower_bet": lower_bet,
    "last_bet": last_bet,
    "next_chip": next_chip,
    "next_seat": next_seat,
    "previous_seat": previous_seat,
    "deal": deal,
    "insure": insure,
    "decline": decline,
    "split": split,
    "hit": hit,
    "stand": stand,
    "hint": hint,
    "double": double,
    "more": more,
    "less": less,
    "back": back,
    "confirm": confirm,
    "change_bet": change_bet,
    "again": again,
    "tell_ending": tell_ending,
    "go_on": go_on,
    "give_up": give_up,
    "choose": choose,
    "leave": leave,
    "sit": sit,
    "recall": recall,
    "close_page": close_page,
    "next_page": next_page,
    "seats": seats,
    "menu_more": menu_more,
    "menu_less": menu_less,
    "menu_next": menu_next,
    "menu_leave": menu_leave,
    "time_is_up": time_is_up,
}
