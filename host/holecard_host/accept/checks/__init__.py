"""All checks, in the order in which they run."""

from __future__ import annotations

from ..suite import Check
from . import game, keys, port, speed

CHECKS = (
    Check("identity", "Who it is", port.identity),
    Check("selftest", "What it says of itself", port.selftest),
    Check("keys", "Buttons: short, long, bouncing, two at once, stuck", keys.keys),
    Check("screens", "The screen of every phase", game.screens),
    Check("rules", "Worked rounds of both rule sets", game.rules),
    Check("secrecy", "Nothing tells of the hidden card", game.secrecy),
    Check("fairness", "Histories replay, the books add up", game.fairness),
    Check("latency", "How long it takes to answer", speed.latency),
    Check("throughput", "How much goes over the wire", speed.throughput),
    Check("robustness", "Floods, half lines, noise, a port that is re-opened", port.robustness),
    Check("power", "Power cuts in the middle of a round", port.power, ("power",)),
)
