"""Text pages of the panel: at most 8 lines of at most 21 characters, the first one is the title."""

from binascii import hexlify

from holecard.rules.cards import card_text
from holecard.table.money import money, signed

WIDTH = 21
# Rows of a page in letters of full size.
_ROWS = 6
# As on the settled panel.
_WORDS = {
    "win": "WIN",
    "lose": "LOSE",
    "push": "PUSH",
    "bust": "BUST",
    "blackjack": "BLACKJACK",
    "push_bj": "PUSH",
    "dealer_blackjack": "LOSE",
    "dealer_bust": "WIN",
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


def settings_page(problem: str) -> list:
    """What is wrong with the settings; the panel's letters make do with five lines."""
    return ["SETTINGS", ""] + wrap(problem)[:4] + ["Default used instead."]


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


def shoe_page(number: int, what: str, data: bytes) -> list:
    """32 bytes about a shoe, to be compared with a public log: a commitment, or a secret once it is told."""
    text = hexlify(data).decode()
    rows = [text[at : at + 8] + " " + text[at + 8 : at + 16] for at in range(0, 64, 16)]
    return ["SHOE " + str(number), what] + rows


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


def recall_pages(visible, back: int, count: int) -> list:
    """The round `back` rounds ago, one of `count`, page by page: the dealer's cards, then cards, bet, result of every
    hand.

    The title counts the rounds, and where one page does not hold the round, after a colon its pages. A hand is not
    torn apart unless it alone fills more than a page.
    """
    if not count:
        return [["LAST HANDS", "", "No round yet"]]
    pages: list = [[]]
    for block in _blocks(visible):
        if pages[-1] and len(pages[-1]) + len(block) > _ROWS:
            pages.append([])
        for line in block:
            if len(pages[-1]) == _ROWS:
                pages.append([])
            pages[-1].append(line)
    title = "LAST HANDS " + str(back + 1) + "/" + str(count)
    for number, lines in enumerate(pages):
        lines.insert(0, title + (": " + str(number + 1) + "/" + str(len(pages)) if len(pages) > 1 else ""))
    return pages


def _blocks(visible) -> list:
    """The lines that belong together: the dealer's, each hand's, each insurance's."""
    blocks = [_cards("Dealer", visible.dealer, visible.dealer_total)]
    several = len(visible.seats) > 1
    for seat, view in enumerate(visible.seats):
        name = "Seat " + str(seat + 1) if several else "You"
        for number, hand in enumerate(view.hands):
            part = "/" + str(number + 1) if len(view.hands) > 1 else ""
            result = money(hand.bet) + " " + _WORDS[hand.outcome] + " " + signed(hand.net)
            blocks.append(_cards(name + part, hand.cards, hand.total) + wrap(result))
        if view.insurance:
            blocks.append(wrap(name + ": insurance " + signed(view.insurance_net)))
    return blocks


def _cards(name: str, cards, total: int) -> list:
    """ "You: 10 6 3 (19)" """
    texts = [card_text(card)[0].replace("T", "10") for card in cards]
    return wrap(name + ": " + " ".join(texts) + " (" + str(total) + ")")
