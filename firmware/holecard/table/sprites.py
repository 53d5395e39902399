"""The pictures by meaning, and the font of an outcome; their pixels are in `cardart`."""

from holecard.table import cardart
from holecard.table.font import Font

OUTCOME = Font(cardart.OUTCOME, gap=2, space=6)

# In the order of the card numbers: spades, hearts, diamonds, clubs.
SUITS = (cardart.SPADE, cardart.HEART, cardart.DIAMOND, cardart.CLUB)
SUITS_SMALL = (cardart.SPADE_SMALL, cardart.HEART_SMALL, cardart.DIAMOND_SMALL, cardart.CLUB_SMALL)

# Ten is one glyph: for whole cards, for overlapped ones, and for the narrowest.
TEN = cardart.TEN
TEN_TEXT = cardart.TEN_TEXT
TEN_SMALL = cardart.TEN_SMALL

BACK = cardart.BACK
CHESTER = cardart.CHESTER
PADLOCK = cardart.PADLOCK
