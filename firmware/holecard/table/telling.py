"""What is told of the game: the kinds of events, and those of a round.

A kind is a tuple: the event's name, then the names of its fields. Their values are kept as they are and become text
only when somebody takes the event (retelling.py). The events of a round are made from what may be seen before and
after: they cannot tell more.
"""

from holecard.rules.cards import HIDDEN

POWER = ("power", "board", "phase")
SETTINGS = ("settings", "problem")
SCARCE = ("scarce", "what")
PROGRAM = ("program", "digest", "installed")
ERROR = ("error", "code", "text")
KEY = ("key", "key", "does")
STUCK = ("key", "stuck")
REFUSED = ("refused", "reason")
PHASE = ("phase", "phase", "seat")
SEAT = ("seat", "seat", "state")
BET = ("bet", "seat", "bet")
DEAL = ("deal", "round", "bets")
ACTION = ("action", "seat", "hand", "do")
DOUBLE = ("action", "seat", "hand", "do", "amount")
PLAYER_CARD = ("card", "to", "seat", "hand", "card")
DEALER_CARD = ("card", "to", "index", "card")
SETTLED = ("settled", "round", "nets", "bankrolls", "states")
COMMIT = ("commit", "shoe", "commitment", "rules")
CUT = ("cut", "shoe", "presses", "host")
REVEAL = ("reveal", "shoe", "secret", "rounds")
# A round that ended with its shoe, as a public log has it.
LEFT_OVER = ("void", "line")
OPERATOR = ("operator", "who", "order")
DROPPED = ("dropped", "count")


def cards(put, before, after) -> None:
    """One event for each card that `after` shows and `before` (None: an empty table) does not, the turned one too."""
    for seat, view in enumerate(after.seats):
        old = before.seats[seat].hands if before else ()
        split = before is not None and len(view.hands) > len(old)
        for hand, shown in enumerate(view.hands):
            known = (1 if split and hand >= before.hand else len(old[hand].cards)) if before else 0
            for card in shown.cards[known:]:
                put(PLAYER_CARD, "player", seat, hand, card)
    dealer = before.dealer if before else ()
    for index, card in enumerate(after.dealer):
        if index >= len(dealer) or (dealer[index] == HIDDEN and card != HIDDEN):
            put(DEALER_CARD, "dealer", index, card)
