"""What the screen may know: one plain record that the game fills in and the view draws.

The view gets nothing else, so whatever must stay hidden only has to stay out of `Scene` and of the
`Visible` inside it.
"""

from holecard.rules.visible import Visible

PHASES = ("attract", "betting", "insurance", "playing", "doubling", "settled", "saved", "broke", "away", "locked")
PAGES = ("", "hint", "rules", "recall", "seats", "settings", "operator", "shoe")


class Scene:
    """One moment of the table as the player may see it.

    phase        one of PHASES; "away": the shown seat has been left, "locked": out of service, see `message`
    page         one of PAGES; "" shows the phase itself, any other name shows `lines` instead
    lines        at most 8 texts of at most 21 characters; the first is the page's title
    visible      the open or last round as `rules.visible.Visible`, None before the first deal and while betting
    seat, seats  index of the shown seat (from 0), number of seats at the table
    hand         index of the shown hand of that seat, from 0
    bankroll     half-dollars, the shown seat's
    bet, chip    half-dollars: the shown seat's bet, the step by which the keys change it
    goal         half-dollars at which the game is won, 0 if there is none
    insurance_left  seconds until insurance closes, 0 when no clock runs
    amount, amount_min, amount_max  half-dollars: what the double adds, and its limits ("doubling" only)
    labels       four texts of at most 6 characters in the order of the keys, "" where a key does nothing
    pressed      mask of keys whose label is drawn inverted: the press has been acknowledged
    lamps        mask of keys whose lamp is lit
    bench        True shows the bench banner: the bankroll is not a real one
    frame        counter that moves the attract picture against burn-in
    message      a short reason, shown when locked and on the phases that have room for a line
    seal         the first digits of the promise about the shoe that the next bet is dealt from, "" if there is none
    rules_name   name of the rule set, "sifl" or "casino" or the bench's own
    """

    def __init__(self) -> None:
        self.phase = "attract"
        self.page = ""
        self.lines: list = []
        self.visible: "Visible | None" = None
        self.seat = 0
        self.seats = 1
        self.hand = 0
        self.bankroll = 0
        self.bet = 0
        self.chip = 2
        self.goal = 0
        self.insurance_left = 0
        self.amount = 0
        self.amount_min = 0
        self.amount_max = 0
        self.labels = ["", "", "", ""]
        self.pressed = 0
        self.lamps = 0
        self.bench = False
        self.frame = 0
        self.message = ""
        self.seal = ""
        self.rules_name = ""
