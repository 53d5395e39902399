"""The state of the table as one line of JSON: everything that may be seen now, and nothing else."""

from holecard.rules.cards import card_text
from holecard.table import jsontext as js
from holecard.table.game import ACTIONS


def state_json(game, front) -> str:
    """`TABLe:STATe?`: money in dollars, cards as `As` or `??`, seats and hands counted from 0."""
    visible = game.visible
    scene = front.scene
    playing = game.in_round
    return _json(
        game,
        visible,
        front.phase,
        scene.page if scene.phase != "attract" else "attract",
        visible.seat if playing else game.seat,
        visible.hand if playing else -1,
        [name for code, name in ACTIONS if visible and code in visible.legal],
        js.money(front.amount if front.phase == "doubling" else None),
        [game.bankroll(seat) for seat in range(game.seats)],
        [game.state(seat) for seat in range(game.seats)],
        scene.labels,
        scene.lamps,
        game.shoe,
    )


def deal_json(game) -> str:
    """`TABLe:DEAL?`: the same as it was right after the last deal, before insurance, peek and settlement."""
    dealt = game.dealt
    bankrolls = [seat.bankroll for seat in dealt.visible.seats]
    labels = ("", "", "", "")
    return _json(game, dealt.visible, "dealt", "", -1, -1, [], "null", bankrolls, dealt.states, labels, 0, dealt)


def _json(game, visible, phase, page, seat, hand, legal, amount, bankrolls, states, labels, lamps, shoe) -> str:
    bets = [view.bet for view in visible.seats] if visible else game.bets
    seats = [_seat(view) for view in visible.seats] if visible else [_empty(bet) for bet in bets]
    return js.record(
        ("phase", js.quote(phase)),
        ("page", js.quote(page)),
        ("rules", js.quote(game.rules.name)),
        ("round", str(game.rounds)),
        ("seat", str(seat)),
        ("hand", str(hand)),
        ("legal", js.strings(legal)),
        ("double", _double(visible)),
        ("amount", amount),
        ("bankrolls", js.array([js.dollars(bankroll) for bankroll in bankrolls])),
        ("states", js.strings(states)),
        ("bets", js.array([js.dollars(bet) for bet in bets])),
        ("dealer", _dealer(visible)),
        ("seats", js.array(seats)),
        ("labels", js.strings(labels)),
        ("lamps", str(lamps)),
        ("cards_used", str(_cards_used(visible))),
        ("shoe", js.record(("decks", str(shoe.decks)), ("left", str(shoe.left)))),
    )


def _double(visible) -> str:
    if not visible or not visible.double_max:
        return "null"
    return js.array([js.dollars(visible.double_min), js.dollars(visible.double_max)])


def _dealer(visible) -> str:
    if not visible:
        return "null"
    return js.record(
        ("cards", js.strings([card_text(card) for card in visible.dealer])),
        ("total", str(visible.dealer_total)),
        ("blackjack", js.flag(visible.dealer_blackjack)),
    )


def _cards_used(visible) -> int:
    """Cards drawn in this round; the hole card counts."""
    if not visible:
        return 0
    return len(visible.dealer) + sum([len(hand.cards) for seat in visible.seats for hand in seat.hands])


def _empty(bet: int) -> str:
    return js.record(
        ("bet", js.dollars(bet)), ("insurance", "0"), ("insurance_net", "null"), ("net", "null"), ("hands", "[]")
    )


def _seat(view) -> str:
    return js.record(
        ("bet", js.dollars(view.bet)),
        ("insurance", js.dollars(view.insurance)),
        ("insurance_net", js.money(view.insurance_net)),
        ("net", js.money(view.net)),
        ("hands", js.array([_hand(hand) for hand in view.hands])),
    )


def _hand(hand) -> str:
    return js.record(
        ("cards", js.strings([card_text(card) for card in hand.cards])),
        ("bet", js.dollars(hand.bet)),
        ("total", str(hand.total)),
        ("outcome", js.quote(hand.outcome) if hand.outcome else "null"),
        ("net", js.money(hand.net)),
        ("done", js.flag(hand.done)),
    )
