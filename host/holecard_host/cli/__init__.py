"""The command holecard: one file for each of its commands."""
