"""The game: pure, deterministic, integers only."""
