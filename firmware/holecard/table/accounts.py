"""The meters of the table, and whether they agree with the money that is there.

    wagered won rounds blackjacks doubles splits insurance resets power_cuts errors

Each counts to 10^10 - 1 and then begins again at 0. Money in half-dollars: `wagered` is all that was staked, doubles,
splits and insurance included, `won` all that came back, the stake included.
"""

NAMES = ("wagered", "won", "rounds", "blackjacks", "doubles", "splits", "insurance", "resets", "power_cuts", "errors")
WAGERED, WON, ROUNDS, BLACKJACKS, DOUBLES, SPLITS, INSURANCE, RESETS, POWER_CUTS, ERRORS = range(10)
MODULUS = 10_000_000_000


class Accounts:
    """`meters` in the order of NAMES; `paid_in`: what the bankrolls would be if no round had been played."""

    def __init__(self) -> None:
        self.meters = [0] * len(NAMES)
        self.paid_in = 0

    def count(self, meter: int, more: int = 1) -> None:
        self.meters[meter] = (self.meters[meter] + more) % MODULUS

    def pay_in(self, amount: int) -> None:
        """Money that came to the seats, or went (negative), other than by a round."""
        self.paid_in = (self.paid_in + amount) % MODULUS

    def open(self, bankrolls) -> None:
        """Another table with these bankrolls: whatever was there before is paid out."""
        self.paid_in = (sum(bankrolls) + self.meters[WAGERED] - self.meters[WON]) % MODULUS

    def settle(self, current, bankrolls) -> str:
        """Counts a round that is over, after which the seats have these `bankrolls`. Returns "" or what is wrong."""
        for seat, hands in enumerate(current.hands):
            stake = current.insurance[seat]
            most = 2 * stake
            for hand in hands:
                stake += hand.bet
                most += max(hand.bet, _blackjack(current.rules, hand.bet))
                self.count(BLACKJACKS, hand.outcome == "blackjack")
                self.count(DOUBLES, hand.doubled)
            net = bankrolls[seat] - current.start[seat]
            if not -min(stake, current.start[seat]) <= net <= most:
                return "a bankroll jumped"
            self.count(WAGERED, stake)
            self.count(WON, stake + current.bankrolls[seat] - current.start[seat])
            self.count(SPLITS, max(len(hands) - 1, 0))
            self.count(INSURANCE, current.insurance[seat] > 0)
        self.count(ROUNDS)
        return "" if sum(bankrolls) % MODULUS == self.expected() else "accounts do not add up"

    def expected(self) -> int:
        """What the bankrolls have to be together while no round is open."""
        return (self.paid_in + self.meters[WON] - self.meters[WAGERED]) % MODULUS


def _blackjack(rules, bet: int) -> int:
    return bet * rules.blackjack_pays[0] // rules.blackjack_pays[1]
