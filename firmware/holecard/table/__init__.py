"""The device: keys, game, view and instrument."""
