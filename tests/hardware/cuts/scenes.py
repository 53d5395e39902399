"""Scripted rounds with every kind of action, as lines for the wire.

No cards are stacked: for every scene the smallest seed is looked for whose first round is of the wanted kind, so the
cards come from a shoe as in play. Runs under CPython and MicroPython alike.
"""

from binascii import hexlify
from hashlib import sha256

from holecard.rules.cards import card_text
from holecard.rules.ruleset import CASINO, SIFL, rules_text
from holecard.rules.session import Session
from holecard.rules.shoe import Shoe
from holecard.table.fairness import shoe_stream

_WORDS = {"H": "HIT", "S": "STAND", "D": "DOUBLE", "P": "SPLIT", "I": "INSURE", "N": "DECLINE"}
# D10 is a $10 bet doubled for one chip less.
_KEYS = {
    "H": ["key 2"],
    "S": ["key 4"],
    "D": ["key 8"],
    "D10": ["key 8", "key 4", "key 8"],
    "P": ["key 1"],
    "I": ["key 1"],
    "N": ["key 4"],
}
_SEEDS = 4000
# Long enough for a restart, which turns the cards over first.
_SHORT = CASINO.replace(insurance_seconds=9)


class Script:
    """A round: `steps`, of which the one at `deal` deals, and to replay a void round begins at `again`."""

    def __init__(self, name, steps, again, deal, reveal):
        self.name = name
        self.steps = steps
        self.again = again
        self.deal = deal
        self.reveal = reveal


class Scene:
    """One kind of round.

    choose   of the round, to what is done: a code of Round.act, with an amount behind a D for less
    want     of the finished round, whether it is what the scene is about
    after    steps once it is settled
    keys     played by the keys, with the cards turned over one by one
    """

    def __init__(self, name, rules, bankrolls, bets, choose, want, after=("ROUN:NEXT",), keys=False):
        self.name = name
        self.rules = rules
        self.bankrolls = bankrolls
        self.bets = bets
        self.choose = choose
        self.want = want
        self.after = after
        self.keys = keys

    def script(self):
        for number in range(_SEEDS):
            seed = bytes([number >> 8, number & 255])
            taken = self._play(seed)
            if taken is not None:
                return self._written(seed, taken)
        raise AssertionError("no seed gives the scene " + self.name)

    def _play(self, seed):
        session = Session(
            self.rules,
            Shoe(self.rules, shoe_stream(sha256(seed).digest(), b"", b"", rules_text(self.rules))),
            self.bankrolls,
        )
        play = session.deal(self.bets)
        taken = []
        while play.phase in ("insurance", "playing"):
            code = self.choose(play)
            taken.append((play.seat, code))
            play.act(play.seat, code[0], int(code[1:] or 0))
        return taken if self.want(play) else None

    def _written(self, seed, taken):
        rules = self.rules
        steps = ["BENC:RUL " + rules.name]
        if rules is _SHORT:
            steps.append("BENC:RUL:SET insurance_seconds,9")
        if len(self.bets) > 1:
            steps.append("BENC:SEAT " + str(len(self.bets)))
        for seat, bankroll in enumerate(self.bankrolls):
            if bankroll != rules.start_bankroll:
                steps.append("BENC:BANK " + str(seat) + "," + _dollars(bankroll))
        again = len(steps)
        steps.append('BENC:SEED "' + hexlify(seed).decode() + '"')
        for seat, bet in enumerate(self.bets):
            steps.append("ROUN:BET " + str(seat) + "," + _dollars(bet))
        deal = len(steps)
        steps.append("key 2" if self.keys else "ROUN:DEAL")
        for seat, code in taken:
            if code == "T":
                steps.append("wait 12")
            elif self.keys:
                steps += _KEYS[code]
            else:
                amount = "," + _dollars(int(code[1:])) if code[1:] else ""
                steps.append("ROUN:ACT " + str(seat) + "," + _WORDS[code[0]] + amount)
        return Script(self.name, steps + list(self.after), again, deal, self.keys)


def _dollars(amount):
    return str(amount // 2) + (".5" if amount % 2 else "")


# -- how it is played --------------------------------------------------------------------------------------------------


def _legal(play):
    return play.visible().legal


def _total(play):
    return play.hands[play.seat][play.hand].total


def stand(play):
    return "N" if play.phase == "insurance" else "S"


def to_17(play):
    return "N" if play.phase == "insurance" else "H" if _total(play) < 17 else "S"


def till_it_ends(play):
    return "N" if play.phase == "insurance" else "H"


def double(play):
    return "D" if play.phase == "playing" and "D" in _legal(play) else to_17(play)


def double_less(play):
    return "D14" if double(play) == "D" else to_17(play)


def double_by_a_chip_less(play):
    return "D10" if double(play) == "D" else to_17(play)


def split(play):
    return "P" if play.phase == "playing" and "P" in _legal(play) else to_17(play)


def split_and_double(play):
    return "P" if "P" in _legal(play) else double(play)


def insure(play):
    return "I" if play.phase == "insurance" and "I" in _legal(play) else to_17(play)


def take_turns(play):
    if play.phase == "insurance":
        return "I" if play.seat % 2 == 0 and "I" in _legal(play) else "N"
    return to_17(play)


def wait(play):
    return "T" if play.phase == "insurance" else to_17(play)


def _outcome(play):
    return play.visible().seats[0].hands[0].outcome


def _cards(play, seat=0, hand=0):
    return len(play.hands[seat][hand].cards)


def _won(play, seat=0):
    return play.bankrolls[seat] - play.start[seat]


def _hands(play):
    return len(play.hands[0])


def _aces(play):
    return _hands(play) == 2 and all(card_text(hand.cards[0])[0] == "A" for hand in play.hands[0])


def _blackjack(play):
    return play.visible().dealer_blackjack


_RICH = 99_998
_START = SIFL.start_bankroll

SCENES = (
    Scene("sifl: stand, won", SIFL, [_START], [20], stand, lambda p: _won(p) == 20),
    Scene("sifl: hit and bust", SIFL, [_START], [50], till_it_ends, lambda p: _outcome(p) == "bust" and _cards(p) > 3),
    Scene("sifl: five cards", SIFL, [_START], [20], to_17, lambda p: _cards(p) == 5 and _outcome(p) != "bust"),
    Scene("sifl: double", SIFL, [_START], [22], double, lambda p: abs(_won(p)) == 44),
    Scene("sifl: blackjack, odd half", SIFL, [_START], [10], stand, lambda p: _won(p) == 15),
    Scene("sifl: dealer's blackjack", SIFL, [_START], [20], stand, _blackjack),
    Scene("sifl: saved", SIFL, [_RICH], [200], stand, lambda p: _won(p) > 0, ("if settled key 2", "if saved key 2")),
    Scene(
        "sifl: broke and back", SIFL, [20], [20], stand, lambda p: _won(p) < 0, ("if settled key 2", "if broke key 2")
    ),
    Scene("sifl: leave, sit", SIFL, [_START], [20], stand, lambda p: _won(p) == 0, ("TABL:LEAV 0", "TABL:SIT 0")),
    Scene(
        "sifl: by keys",
        SIFL,
        [_START],
        [2],
        to_17,
        lambda p: _cards(p) == 4,
        ("TABL:LEAV 0", "if away key 2"),
        keys=True,
    ),
    Scene("casino: hit, stand", CASINO, [2000], [50], to_17, lambda p: p.log == ["H", "S"] and _won(p) > 0),
    Scene("casino: full double", CASINO, [2000], [20], double, lambda p: abs(_won(p)) == 40),
    Scene("casino: double for less", CASINO, [2000], [20], double_less, lambda p: abs(_won(p)) == 34),
    Scene("casino: split", CASINO, [2000], [20], split, lambda p: _hands(p) == 2 and not _aces(p)),
    Scene("casino: split aces", CASINO, [2000], [20], split, _aces),
    Scene("casino: four hands, doubled", CASINO, [2000], [20], split_and_double, lambda p: _hands(p) == 4),
    Scene("casino: insured, blackjack", CASINO, [2000], [20], insure, lambda p: "I" in p.log and _blackjack(p)),
    Scene("casino: insured in vain", CASINO, [2000], [22], insure, lambda p: "I" in p.log and not _blackjack(p)),
    Scene("casino: not insured", CASINO, [2000], [20], stand, lambda p: "N" in p.log and not _blackjack(p)),
    Scene("casino: insurance closes", _SHORT, [2000], [20], wait, lambda p: "T" in p.log and not _blackjack(p)),
    Scene("casino: blackjack", CASINO, [2000], [30], stand, lambda p: _won(p) == 45),
    Scene("casino: by keys", CASINO, [2000], [10], split, lambda p: _hands(p) == 2, keys=True),
    Scene("casino: double by keys", CASINO, [2000], [20], double_by_a_chip_less, lambda p: _won(p) == 30, keys=True),
    Scene(
        "casino: three seats, one sits out",
        CASINO,
        [2000, 2000, 1001],
        [20, 0, 30],
        split_and_double,
        lambda p: "P" in p.log and "D" in p.log,
        ("TABL:LEAV 1", "ROUN:NEXT"),
    ),
    Scene(
        "casino: four seats insure in turn",
        CASINO,
        [2000, 2000, 2000, 2000],
        [20, 30, 40, 50],
        take_turns,
        lambda p: p.log[:4] == ["I", "N", "I", "N"] and not _blackjack(p),
    ),
    Scene(
        "casino: two seats, one goes broke",
        CASINO,
        [2000, 20],
        [20, 20],
        to_17,
        lambda p: _won(p, 1) < 0,
        ("if settled key 2", "TABL:LEAV 1", "TABL:SIT 1"),
    ),
)
