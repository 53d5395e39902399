"""The scenes of the golden pictures, most from real rounds over stacked shoes. Runs on CPython and MicroPython."""

from tests.table.fake_board import FakeBoard

from holecard.rules.cards import stack_ranks
from holecard.rules.round import Round
from holecard.rules.ruleset import CASINO, SIFL
from holecard.rules.shoe import StackedShoe
from holecard.table import pages
from holecard.table.house import CLOSED
from holecard.table.menu import Menu
from holecard.table.scene import Scene
from holecard.table.table import Table

BET, HIT, STAND, DOUBLE = 1, 2, 4, 8
DEALING = ["RAISE", "DEAL", "LOWER", "AGAIN"]
PLAYING = ["", "HIT", "STAND", "DOUBLE"]
SETTLED = ["BET", "DEAL", "LEAVE", "HANDS"]
INSURING = ["INSURE", "", "NO", ""]
PAGE = ["", "BACK", "", "NEXT"]
SEATS = ["", "BACK", "", "SEATS"]
RULES = ["", "BACK", "", "RULES"]
HANDS = ["", "BACK", "", "HANDS"]


def play(cards, actions="", bets=(25,), bankrolls=(1240,), rules=CASINO):
    """The round over these ranks after these actions: codes of whoever's turn it is; `D5` doubles by $5."""
    shoe = StackedShoe(stack_ranks(cards.split()))
    rnd = Round(rules, [2 * b for b in bankrolls], [2 * b for b in bets], shoe)
    for action in actions.split():
        rnd.act(rnd.seat, action[0], 2 * int(action[1:] or 0))
    return rnd


def scene(phase, rnd=None, labels=None, **fields):
    """A scene as the game would fill it in; money fields in half-dollars."""
    s = Scene()
    s.phase = phase
    s.rules_name = "casino"
    s.bankroll = 2480
    s.bet = 50
    s.chip = 50
    if labels:
        s.labels = labels
        for i in range(4):
            s.lamps |= (1 << i) if labels[i] else 0
    if rnd is not None:
        s.visible = rnd.visible()
        s.seats = len(s.visible.seats)
        s.seat = fields.get("seat", max(0, rnd.seat))
        s.hand = max(0, rnd.hand)
        s.bankroll = s.visible.seats[s.seat].bankroll
        s.bet = s.visible.seats[s.seat].bet
        s.rules_name = s.visible.rules_name
        s.goal = 100000 if s.rules_name == "sifl" else 0
    for name, value in fields.items():
        setattr(s, name, value)
    return s


def sifl(cards, actions="", bet=25, bankroll=1240):
    return play(cards, actions, (bet,), (bankroll,), SIFL)


# Casino order, one seat: player, dealer up, player, hole.
FOUR_HANDS = "8 6 8 10 8 8 3 10 2 A 7"
SEVEN_DEAL = "10 9 A 5 8 10 6  9  9 9 J 6 8 7 5  8"


SEVEN_BETS = (25, 5, 100, 25, 500, 500, 10)
SEVEN_RICH = (1000, 500, 49999, 800, 2000, 2000, 1000)


def _playing():
    opened = scene("playing", sifl("5 K 6 9"), PLAYING)
    yield "playing-sifl", opened
    yield "playing-hit-pressed", scene("playing", sifl("5 K 6 9"), PLAYING, pressed=HIT)
    yield "playing-three-cards", scene("playing", sifl("5 K 6 9 4", "H"), ["", "HIT", "STAND", ""])
    yield "playing-five-cards", scene("playing", play("A 9 4 K 10 2 3", "H H H"), ["", "HIT", "STAND", ""])
    yield "playing-four-cards", scene("playing", sifl("2 K 3 9 10 4", "H H"), ["", "HIT", "STAND", ""])
    yield "playing-soft", scene("playing", play("A 6 6 10"), ["", "HIT", "STAND", "DOUBLE"])
    yield "playing-pair", scene("playing", play("10 10 J 7"), ["SPLIT", "HIT", "STAND", "DOUBLE"])
    yield "playing-bench", scene("playing", play("Q 6 2 10"), PLAYING, bench=True)
    six = play("2 6 3 10 2 3 2 A", "H H H H")
    yield "playing-6-cards", scene("playing", six, ["", "HIT", "STAND", ""])
    ten = play("A 6 A 10 A A A A 2 2 2 A", "H H H H H H H H")
    yield "playing-10-cards", scene("playing", ten, ["", "HIT", "STAND", ""])
    ten = play("A 6 A 10 A A A A A 2 10 A", "H H H H H H H H")
    yield "playing-10-cards-with-ten", scene("playing", ten, ["", "HIT", "STAND", ""])
    twelve = play("A 6 A 10 A A A A A A 2 2 2 2", "H H H H H H H H H H")
    yield "playing-12-cards", scene("playing", twelve, ["", "HIT", "STAND", ""])
    most = play("A 6 A 10 " + "A " * 8 + "2 " + "A " * 8, "H " * 17)
    yield "playing-19-cards", scene("playing", most, ["", "HIT", "STAND", ""])
    split = play(FOUR_HANDS, "P P P S H S", (500,), (49999,))
    yield "playing-4-hands", scene("playing", split, PLAYING)
    two = play("9 6 9 10 2 10 5", "P D5", (25,), (1240,))
    yield "playing-2-hands", scene("playing", two, ["", "HIT", "STAND", "DOUBLE"])
    seats = play(SEVEN_DEAL, "S", (25, 5, 100, 25, 25, 500, 10), (1000, 500, 49999, 800, 75, 2000, 10))
    yield "playing-7-seats", scene("playing", seats, PLAYING, bench=True)
    yield (
        "playing-7-seats-largest",
        scene("playing", seats, PLAYING, bench=True, bankroll=99999, seat=5),
    )
    out = play("10 6 9 10", "", (25, 0), (1000, 500))
    yield "playing-sits-out", scene("playing", out, None, seat=1)


def _asking():
    yield "betting-sifl", scene("betting", None, DEALING, rules_name="sifl", goal=100000)
    yield "betting-casino", scene("betting", None, DEALING, bet=1000, bankroll=99999, chip=200, bench=True)
    yield (
        "betting-largest",
        scene("betting", None, DEALING, bet=99998, bankroll=99999, chip=1000, rules_name="sifl", goal=100000),
    )
    yield (
        "betting-seat-message",
        scene("betting", None, DEALING, seats=3, seat=1, bet=10, chip=2, bankroll=1015, message="at most $500"),
    )
    yield "betting-other-rules", scene("betting", None, ["RAISE", "DEAL", "CHIP", ""], rules_name="bench", bench=True)
    yield "betting-seats", scene("betting", None, ["RAISE", "NEXT", "LOWER", "PREV"], seats=3, seat=1, bet=10)
    yield "betting-promise", scene("betting", None, DEALING, rules_name="sifl", goal=100000, seal="#9C0F41AA")
    yield "betting-promise-casino", scene("betting", None, DEALING, bench=True, seal="#B000D8BD")
    asked = play("10 A 9 10", "", (25,), (1240,))
    yield "insurance", scene("insurance", asked, INSURING, insurance_left=28)
    asked = play("10 A 9 10", "", (75,), (1240,))
    yield "insurance-no-clock", scene("insurance", asked, INSURING, pressed=BET)
    asked = play("10 A A 10", "", (497,), (49999,))
    yield "insurance-largest", scene("insurance", asked, INSURING, insurance_left=3, bench=True)
    yield "insurance-seats", scene("insurance", play("10 8 A 9 7 10", "N", (25, 15), (500, 500)),
                                   INSURING, insurance_left=12)  # fmt: skip
    chooser = ["MORE", "BACK", "LESS", "OK"]
    doubling = play("5 6 6 10", "", (50,), (1240,))
    yield "doubling", scene("doubling", doubling, chooser, amount=60, amount_min=10, amount_max=100)
    doubling = play("A 6 6 10", "", (500,), (9999,))
    yield "doubling-full", scene("doubling", doubling, chooser, amount=1000, amount_min=10, amount_max=1000)
    split = play("9 6 9 10 2 10", "P", (50,), (1240,))
    yield "doubling-split", scene("doubling", split, chooser, amount=10, amount_min=10, amount_max=100)


def _settled():
    rounds = (
        ("win", sifl("10 9 9 9", "S")),
        ("lose", sifl("10 10 7 9", "S")),
        ("push", sifl("10 10 9 9", "S")),
        ("bust", sifl("10 10 6 9 8", "H")),
        ("blackjack", sifl("A 10 K 9")),
        ("push_bj", sifl("A A K Q")),
        ("dealer_blackjack", sifl("10 A 7 Q")),
        ("dealer_bust", sifl("10 10 7 6 8", "S")),
        ("five_cards", sifl("A K 4 9 2 2 2", "H H H", 15)),
        ("doubled", sifl("5 7 6 10 10 10", "D", 500, 49999)),
    )
    for name, rnd in rounds:
        yield "settled-" + name, scene("settled", rnd, SETTLED)
    seal = {"seal": "#9C0F41AA", "goal": 100000, "rules_name": "sifl"}
    yield "settled-promise", scene("settled", sifl("10 9 9 9", "S"), SETTLED, **seal)
    yield "settled-promise-bench", scene("settled", sifl("A 10 K 9", bet=25), SETTLED, bench=True, **seal)
    much = sifl("10 10 10 7", "S", 24999, 49999)
    yield "settled-promise-largest", scene("settled", much, SETTLED, bench=True, **seal)
    much = play("10 10 9 9 9 10", "S S", (500, 500), (49999, 49999))
    yield "settled-promise-seats", scene("settled", much, SETTLED, seat=1, bench=True, seal="#9C0F41AA")
    dark = sifl("10 9 9 9", "S")
    yield "settled-dark-lamps", scene("settled", dark)
    yield "settled-insured", scene("settled", play("10 A 9 K", "I"), SETTLED, bench=True)
    yield "settled-insurance-lost", scene("settled", play("10 A 9 9", "I S", (15,)), SETTLED, bench=True)
    yield "settled-long", scene("settled", play("A 6 A 2 A A A A 2 2 2 A 2 2 2 2 2", "H H H H H H H H S"), SETTLED)
    split = play("8 6 8 10 8 8 3 10 10 7 K 9 2", "P P P D S H S", (500,), (49999,))
    yield "settled-4-hands", scene("settled", split, SETTLED, hand=2)
    split = play("9 6 9 10 2 10 10 5", "P S S", (50,), (1240,))
    yield "settled-2-hands", scene("settled", split, SETTLED)
    seats = (25, 5, 100, 25, 0, 500, 10), (1000, 500, 49999, 800, 75, 2000, 10)
    seven = play("10 9 A 5 10 6 9 9 8 J 6 8 5 8 10 A 10", "S S H S H H", *seats)
    for seat in (0, 1, 2, 3):
        yield "settled-7-seats-" + str(seat + 1), scene("settled", seven, SETTLED, seat=seat)
    yield "settled-7-seats-out", scene("settled", seven, SETTLED, seat=4)
    both = play("8 10 6 8 9 10 10 3 10 10 9", "P S D S", (500, 25), (49999, 500))
    yield "settled-hands-and-seats", scene("settled", both, SETTLED, seat=0, bench=True)


def _posters():
    yield "attract", scene("attract", frame=0)
    yield "attract-bench", scene("attract", None, ["PLAY", "PLAY", "PLAY", "PLAY"], frame=29, bench=True)
    yield "attract-far", scene("attract", frame=22)
    go_on = ["", "GO ON", "", ""]
    yield "saved", scene("saved", None, go_on, bankroll=100025, goal=100000, rules_name="sifl")
    yield "saved-bench", scene("saved", None, go_on, bankroll=100025, goal=100000, rules_name="sifl", bench=True)
    yield "broke-seats", scene("broke", None, ["", "RETURN", "LEAVE", ""], bankroll=1, seats=3, seat=1)
    yield "broke", scene("broke", None, ["", "RETURN", "", ""], bankroll=1, goal=100000, rules_name="sifl")
    yield "away", scene("away", None, ["", "SIT", "", ""], seats=3, seat=2)
    yield "away-betting", scene("away", None, ["", "SIT", "SKIP", "PREV"], seats=3, seat=1)
    yield "locked", scene("locked", message="no records: ask the operator")
    yield "locked-bench", scene("locked", message="entropy stuck", bench=True)


def _recalled(rnd, leaf, labels, **fields):
    """A page of the round once it is over."""
    while rnd.phase != "over":
        rnd.act(rnd.seat, "S")
    lines = pages.recall_pages(rnd.visible(), 0, 1)[leaf]
    return scene("settled", page="recall", lines=lines, labels=labels, **fields)


def _pages():
    hint = ["HINT", "", "Hit.", "", "16 against a ten is", "a loser either way,", "a hit loses less."]
    yield "page-hint", scene("playing", play("10 10 6 10"), SEATS, page="hint", lines=hint)
    rules = ["RULES: Casino", "6 decks, cut at 75%", "Dealer hits soft 17", "Blackjack pays 3:2", "Split up to 4 hands",
             "Double any 2 cards", "Insurance pays 2:1", "Bet $5 to $500"]  # fmt: skip
    yield "page-rules", scene("betting", page="rules", lines=rules, bench=True, labels=HANDS)
    yield "page-rules-sifl", scene("betting", page="rules", lines=pages.rules_page(SIFL), labels=HANDS)
    settings = pages.settings_page("settings: panel offset: only an sh1106 has one")
    shoe = pages.shoe_page(1234, "Promised:", bytes(range(96, 128)))
    yield "page-shoe", scene("settled", page="shoe", lines=shoe, labels=["", "BACK", "", "SECRET"])
    yield "page-settings", scene("betting", page="settings", lines=settings, labels=["", "BACK", "", ""])
    recall = ["LAST HANDS 1/8", "Dealer Kc 7d    17", "You As 4c Th 2s 3h 20", "win +$25", "",
              "{[(#%&*+=@~^_`|)]}!?", "\"the quick brown fox'"]  # fmt: skip
    yield "page-recall", scene("settled", page="recall", lines=recall, labels=PAGE)
    yield "page-recall-one", _recalled(sifl("10 10 7 9 2", "H S"), 0, SEATS)
    seven = play("8 9 A 5 8 10 10 6 8 9 J 6 8 5 8 10 10 3 10 2 10", "P S S S S P", SEVEN_BETS, SEVEN_RICH)
    yield "page-recall-seven", _recalled(seven, 1, PAGE, bench=True)
    seats = ["SEATS", ">1 $500 19/20/16/18 ", " 2 $5 15       $9,995", " 3 sits out       $75",
             " 4 away        $1,000", " 5 broke           $1", " 6 $500 20    $49,500",
             " 7 $25 17     $99,975"]  # fmt: skip
    yield "page-seats-seven", scene("playing", page="seats", lines=seats, labels=RULES)
    yield "page-seats-six", scene("playing", page="seats", lines=seats[:1] + seats[2:], labels=RULES)
    seats = ["SEATS", "1 $1,000    $25", "2 $500       $5", "3*$49,999   $100", "jumps over, $lazy\\dog;",
             "<vexing> / zq: XYZ", "0123456789 ABCDEFGHIJ", "KLMNOPQRSTUVWXYZ kmpq"]  # fmt: skip
    yield "page-seats", scene("playing", page="seats", lines=seats)


def _operator():
    """Every page of the operator's menu, as the menu itself writes it."""
    table = Table(FakeBoard(mode="arcade"))
    table.game.start_over(CASINO, 2)
    table.game.accounts.meters = [12345678, 9999999999, 4321, 210, 5, 0, 17, 3, 2, 999]
    menu = Menu(table)
    for name in ("play", "rules", "seats", "least", "most", "money", "seat-1", "seat-2", "limit", "sound", "meters",
                 "counts", "recall"):  # fmt: skip
        yield "operator-" + name, _menu_scene(menu, table)
        menu.next()
    table.house.credits = True
    table.house.play = False
    yield "operator-closed", _menu_scene(menu, table)
    for _ in range(5):
        menu.next()
    yield "operator-credits", _menu_scene(menu, table)
    menu.next()
    menu.refused("the record was not saved")
    yield "operator-refused", _menu_scene(menu, table)
    table.game.lock("record damaged")
    menu._at = 0
    menu._problem = ""
    yield "operator-locked", _menu_scene(menu, table)
    menu.more()
    yield "operator-sure", _menu_scene(menu, table)
    yield "betting-closed", scene("betting", None, ["RAISE", "", "LOWER", "AGAIN"], message=CLOSED)
    yield "betting-rich", scene("betting", None, ["", "", "CHIP", ""], bet=0, message="Limit reached: ask to be paid.")
    yield "broke-credits", scene("broke", message="Ask for more credit.", bankroll=1)


def _menu_scene(menu, table):
    menu.show()
    first, second = menu.labels()
    return scene("betting", None, [first, "EXIT", second, "NEXT"], page="operator", lines=table.front.lines)


def scenes():
    """All of them as (name, Scene)."""
    for part in (_asking, _playing, _settled, _posters, _pages, _operator):
        yield from part()
