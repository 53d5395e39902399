"""The pictures by meaning; their pixels are in `artwork`."""

from holecard.table import artwork

# In the order of the card numbers: spades, hearts, diamonds, clubs.
SUITS = (artwork.SPADE, artwork.HEART, artwork.DIAMOND, artwork.CLUB)
SUITS_SMALL = (artwork.SPADE_SMALL, artwork.HEART_SMALL, artwork.DIAMOND_SMALL, artwork.CLUB_SMALL)

# Ten is one glyph: for whole cards, for overlapped ones, and for the narrowest.
TEN = artwork.TEN
TEN_TEXT = artwork.TEN_TEXT
TEN_SMALL = artwork.TEN_SMALL

BACK = artwork.BACK
CHESTER = artwork.CHESTER
PADLOCK = artwork.PADLOCK
CHIP = artwork.CHIP
