"""The wire as a host sees it: a query's round trip, beside what mpremote needs for the same; two tables at once.

Both sides of the comparison are programs of this host behind a pseudo-terminal, so what is compared is the way of asking
and the host's own cost, not a chip's speed. For mpremote it is a raw prompt in miniature (tests/host/raw_repl.py), which
answers at once: a real board compiles what it is sent, too.
"""

from __future__ import annotations

FASTER = 10.0
TWO_AT_ONCE = 1.2
_QUERIES = 2000
_EXECS = 200
_ROUNDS = 40
_QUERY = "SYST:VERS?"
