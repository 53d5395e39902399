"""Text pages of the panel: at most 8 lines of at most 21 characters, the first one is the title."""

from holecard.rules.cards import card_text
from holecard.table.money import money, signed

WIDTH = 21
_WORDS = {
    "win": "win",
    "lose": "lose",
    "push": "push",
    "bust": "bust",
    "blackjack": "blackjack",
    "push_bj": "push",
    "dealer_blackjack": "lose",
    "dealer_bust": "win",
}


def wrap(text: str) -> list:
    """The text in lines of at most 21 characters, broken between words."""
    lines = [""]
    for word in text.split(" "):
        if lines[-1] and len(lines[-1]) + 1 + len(word) > WIDTH:
            lines.append("")
        lines[-1] += (" " if lines[-1] else "") + word[:WIDTH]
    return lines


def hint_page(name: str, reason: str) -> list:
    return ["HINT" + (": " + name if name else ""), ""] + wrap(reason)[:6]


def rules_page(rules) -> list:
    num, den = rules.blackjack_pays
    lines = [
        "RULES: " + rules.name,
        "Blackjack pays " + str(num) + ":" + str(den),
        "Dealer hits soft 17" if rules.dealer_hits_soft_17 else "Dealer stands on 17",
        "Decks " + str(rules.decks) + (", cut " + str(rules.cut_percent) + "%" if rules.cut_percent else ", shuffled"),
        "Bet " + money(rules.min_bet) + (" to " + money(rules.max_bet) if rules.max_bet else " and more"),
    ]
    if rules.royal_blackjack:
        lines.append("Blackjack: A + J Q K")
    if rules.max_cards:
        lines.append("At most " + str(rules.max_cards) + " cards")
    if rules.max_hands > 1:
        lines.append("Split to " + str(rules.max_hands) + " hands")
    if rules.insurance:
        lines.append("Insurance pays 2:1")
    if rules.goal:
        lines.append("Goal " + money(rules.goal))
    return lines[:8]


def seats_page(game) -> list:
    """Every seat with its bet, its hands' totals or its result, and its bankroll; the one to act is marked."""
    lines = []
    visible = game.visible
    for seat in range(game.seats):
        active = seat == (visible.seat if visible else game.seat)
        state = game.state(seat)
        view = visible.seats[seat] if visible else None
        if view is not None and view.hands:
            if view.net is None:
                what = money(view.bet) + " " + "/".join([str(hand.total) for hand in view.hands])
            else:
                what = signed(view.net)
        elif state in ("away", "broke"):
            what = state
        else:
            what = money(game.bets[seat]) if game.bets[seat] and view is None else "sits out"
        line = (">" if active else " ") + str(seat + 1) + " " + what
        purse = money(game.bankroll(seat))
        room = WIDTH - len(line) - 1
        lines.append(line[:WIDTH] if len(purse) > room else line + " " * (room + 1 - len(purse)) + purse)
    return ["SEATS"] + lines[:7]


def recall_page(finished: list, back: int) -> list:
    """The round `back` rounds ago: the dealer's cards, then each hand with its outcome and its net."""
    if not finished:
        return ["LAST HANDS", "", "No round yet"]
    back = min(back, len(finished) - 1)
    visible = finished[-1 - back][1]
    lines = ["LAST HANDS " + str(back + 1) + "/" + str(len(finished))]
    lines.append(("D " + str(visible.dealer_total) + " " + _cards(visible.dealer))[:WIDTH])
    several = len(visible.seats) > 1
    for seat, view in enumerate(visible.seats):
        for hand in view.hands:
            mark = str(seat + 1) + " " if several else ""
            net = signed(hand.net)
            if not several:
                lines.append((str(hand.total) + " " + _cards(hand.cards))[:WIDTH])
            lines.append((mark + (str(hand.total) + " " if several else "") + _WORDS[hand.outcome] + " " + net)[:WIDTH])
        if view.insurance:
            lines.append("Insurance " + signed(view.insurance_net))
    return lines[:8]


def _cards(cards) -> str:
    return " ".join([card_text(card)[0] for card in cards])
