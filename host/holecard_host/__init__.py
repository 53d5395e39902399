"""The host side of Holecard: stands, the serial client and the command holecard."""
