"""The game: pure, deterministic, integers only.

Start with `ruleset` (what is played) and `round` (how); `hand`, `shoe` and `settle` serve it, `visible` is what players
see of it, `seating` and `session` string rounds together, `history` writes one down and `replay` reads it, `strategy`
gives advice, `reasons` says why each rule is one.
"""
