"""The state of the table as one line of JSON: everything that may be seen now, and nothing else."""

from holecard.rules.cards import card_text
from holecard.table import jsontext as js
from holecard.table.game import ACTIONS

# A text with gaps is put together several times faster than a list of pairs.
_HEAD = (
    '{"phase":"%s","page":"%s","rules":"%s","round":%d,"seat":%d,"hand":%d,"legal":%s,"double":%s,"amount":%s,'
    '"bankrolls":%s,"states":%s,"bets":%s,"dealer":%s,"seats":['
)
_TAIL = '],"labels":%s,"lamps":%d,"cards_used":%d,"shoe":{"decks":%d,"left":%d}}'
_SEAT = '{"bet":%s,"insurance":%s,"insurance_net":%s,"net":%s,"hands":[%s]}'
_HAND = '{"cards":%s,"bet":%s,"total":%d,"outcome":%s,"net":%s,"done":%s}'


def state_json(game, front) -> list:
    """`TABLe:STATe?`: money in dollars, cards as `As` or `??`, seats and hands counted from 0, in pieces."""
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


def deal_json(game) -> list:
    """`TABLe:DEAL?`: the same as it was right after the last deal, before insurance, peek and settlement."""
    dealt = game.dealt
    bankrolls = [seat.bankroll for seat in dealt.visible.seats]
    labels = ("", "", "", "")
    return _json(game, dealt.visible, "dealt", "", -1, -1, [], "null", bankrolls, dealt.states, labels, 0, dealt)


def _json(game, visible, phase, page, seat, hand, legal, amount, bankrolls, states, labels, lamps, shoe) -> list:
    bets = [view.bet for view in visible.seats] if visible else game.bets
    head = _HEAD % (
        phase,
        page,
        game.rules.name,
        game.rounds,
        seat,
        hand,
        js.words(legal),
        _double(visible),
        amount,
        _money(bankrolls),
        js.words(states),
        _money(bets),
        _dealer(visible),
    )
    tail = _TAIL % (js.words(labels), lamps, _cards_used(visible), shoe.decks, shoe.left)
    seats = [_seat(view) for view in visible.seats] if visible else [_empty(bet) for bet in bets]
    return [head, seats[0]] + ["," + seat for seat in seats[1:]] + [tail]


def _money(amounts) -> str:
    return js.array([js.dollars(amount) for amount in amounts])


def _cards(cards) -> str:
    return js.words([card_text(card) for card in cards])


def _double(visible) -> str:
    if not visible or not visible.double_max:
        return "null"
    return _money((visible.double_min, visible.double_max))


def _dealer(visible) -> str:
    if not visible:
        return "null"
    return '{"cards":%s,"total":%d,"blackjack":%s}' % (
        _cards(visible.dealer),
        visible.dealer_total,
        js.flag(visible.dealer_blackjack),
    )


def _cards_used(visible) -> int:
    """Cards drawn in this round; the hole card counts."""
    if not visible:
        return 0
    return len(visible.dealer) + sum([len(hand.cards) for seat in visible.seats for hand in seat.hands])


def _empty(bet: int) -> str:
    return _SEAT % (js.dollars(bet), "0", "null", "null", "")


def _seat(view) -> str:
    return _SEAT % (
        js.dollars(view.bet),
        js.dollars(view.insurance),
        js.money(view.insurance_net),
        js.money(view.net),
        ",".join([_hand(hand) for hand in view.hands]),
    )


def _hand(hand) -> str:
    return _HAND % (
        _cards(hand.cards),
        js.dollars(hand.bet),
        hand.total,
        '"' + hand.outcome + '"' if hand.outcome else "null",
        js.money(hand.net),
        js.flag(hand.done),
    )
