"""Why each field of a rule set is one: the text it comes from, or the other reading that another house could have.

Nothing in the firmware reads it: a device has no copy.
"""

WHY = {
    "name": "names the rule set on the screen, on the wire and in a history",
    "decks": "casinos deal from one deck up to eight",
    "cut_percent": "how much of the shoe lies before the cut card; 0 = shuffled before every round",
    "hole_first": "Sifl & Olly hide the dealer's first card, a casino his second",
    "royal_blackjack": "'an Ace and a face card (royalty)' in one text, 'any ten-value card' in the other",
    "blackjack_pays": "3:2 in both texts; of 6:5, a fraction of a half-dollar stays with the house",
    "peek": "a dealer's blackjack ends the round at once; otherwise he takes doubles and splits too",
    "dealer_hits_soft_17": "'a soft 17 or less he must draw' in one text, 'stands on 17' in the other",
    "dealer_always_plays": "a dealer who draws with every hand decided changes no money, yet some do",
    "dealer_max_cards": "'never lower' than 17: the five-card limit binds only the player; 0 = none",
    "max_cards": "'the maximum number of cards in hand is 5', then the hand stands; 0 = none",
    "max_cards_win": "in neither text a full hand wins by itself; elsewhere it does (Charlie)",
    "stands_on_21": "nobody draws to a 21 in a casino; 'continue to Hit ... until greater than 21'",
    "double_less": "'from the table minimum up to the amount of your original bet'",
    "double_after_split": "'you may also double down after splitting a pair'",
    "max_hands": "'up to three times (making a total of four hands)'; 1 = no splitting",
    "insurance": "offered by the casino text only, with an ace up",
    "insurance_seconds": "'only until the dealer closes insurance': after so long; 0 = never",
    "min_bet": "the table minimum",
    "max_bet": "the table maximum; 0 = only the bankroll limits a bet",
    "max_seats": "seven seats fill a blackjack table",
    "start_bankroll": "neither text names the start budget",
    "goal": "'Chester is saved when your Budget reaches $50,000'; 0 = none",
}
