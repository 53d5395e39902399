"""Randomness and fairness as printable lines; the same on CPython and on MicroPython."""

from binascii import hexlify, unhexlify

from holecard.rules.history import encode
from holecard.rules.round import Round
from holecard.rules.ruleset import CASINO, SIFL, rules_text
from holecard.rules.shoe import Shoe
from holecard.table.drbg import Drbg
from holecard.table.entropy import Health
from holecard.table.fairness import Fairness, restore, round_line
from holecard.table.seeding import Seeding


def vectors(path) -> list:
    """Every vector of a file of NIST's form, as a list of (name, value) each."""
    found = []
    with open(path) as file:
        for line in file:
            if line.startswith("COUNT"):
                found.append([])
            elif found and "=" in line:
                name, _, value = line.partition("=")
                found[-1].append((name.strip(), unhexlify(value.strip())))
    return found


def answer(vector) -> tuple:
    """``(what the generator gives, what it should give)``."""
    values = dict(vector)
    additional = [value for name, value in vector if name == "AdditionalInput"]
    wanted = values["ReturnedBits"]
    drbg = Drbg(values["EntropyInput"], values["Nonce"], values["PersonalizationString"])
    if "EntropyInputReseed" in values:
        drbg.reseed(values["EntropyInputReseed"], values["AdditionalInputReseed"])
    drbg.generate(len(wanted), additional[0])
    return drbg.generate(len(wanted), additional[1]), wanted


def log_lines(seed: int, shoes: int, rules=CASINO, rounds: int = 3, abandon: int = 0) -> list:
    """A public log as a table writes it: everyone stands, `rounds` a shoe; shoe number `abandon` ends in a round."""
    fresh = seed.to_bytes(2, "big") * 16
    start = Seeding(b"", b"chip")
    start.stored(start.prepare(fresh))
    pool = start.begin()
    fair = Fairness()
    lines = fair.head()
    for number in range(1, shoes + 1):
        pool.stir(bytes([seed + number]))
        fair.commit(pool.secret(fresh), rules_text(rules))
        fair.cut(bytes(range(number, number + 8)), b"host" if number % 2 else b"")
        lines += fair.known()
        shoe = Shoe(rules, fair.stream())
        for _ in range(rounds):
            play = Round(rules, [2000], [20], shoe)
            if number == abandon and play.phase != "over":
                lines.append(round_line(fair.count(), encode(play)))
                break
            while play.phase != "over":
                play.act(play.seat, "N" if play.phase == "insurance" else "S")
            lines.append(round_line(fair.count(), encode(play)))
        fair = restore(fair.save(), rules_text(rules))
        fair.reveal()
        lines.append(fair.known()[-1])
    return lines


def lines(path) -> list:
    """Everything that both interpreters have to agree on."""
    said = []
    for vector in vectors(path):
        got, wanted = answer(vector)
        said.append(("good " if got == wanted else "BAD ") + hexlify(got[:4]).decode())
    said += log_lines(1, 2) + log_lines(2, 2, SIFL, rounds=1) + log_lines(3, 2, abandon=2)
    health = Health()
    health.feed(Drbg(bytes(32)).generate(3000))
    said.append("health " + health.failure + str(health.left))
    return said
