"""The table's events in a player's words."""

import pytest

from holecard_host.tui.friendly import friendly


@pytest.mark.parametrize(
    ("event", "line"),
    [
        ({"event": "bet", "seat": 1, "bet": 25}, "Seat 2 bets $25."),
        (
            {"event": "deal", "round": 3, "bets": [5, 0, 7.5]},
            "Round 3, bet $5, $7.50",
        ),
        ({"event": "action", "seat": 0, "hand": 0, "do": "DOUBLE", "amount": 7}, "Seat 1 doubles for $7."),
        ({"event": "settled", "nets": [10, None, -2.5]}, "Seat 1 wins $10, Seat 3 loses $2.50."),
        ({"event": "settled", "nets": [0]}, "Seat 1 gets the bet back."),
        ({"event": "seat", "seat": 0, "state": "away"}, "Seat 1 has left the table."),
        ({"event": "seat", "seat": 1, "state": "play"}, "Seat 2 is in the game."),
        ({"event": "seat", "seat": 1, "state": "odd"}, "seat: seat 1, state odd"),
        ({"event": "settled", "nets": [None]}, "Nobody played."),
        ({"event": "phase", "phase": "saved", "seat": 0}, "Chester is saved!"),
        ({"event": "dropped", "count": 9}, "… 9 events were missed"),
        ({"event": "error", "code": -200, "text": "dry"}, "Fault -200: dry"),
        ({"event": "refused", "reason": "bets are closed"}, "Not now: bets are closed."),
        ({"event": "key", "stuck": ["BET", "HIT"]}, "Held down since power-on, ignored: BET, HIT"),
        ({"event": "card", "to": "dealer", "index": 0, "card": "??"}, "  Dealer: ▒▒"),
        ({"event": "commit", "shoe": 2, "commitment": "9c0f41aa" * 8}, "Shoe 2 is promised: #9C0F41AA"),
        ({"event": "cut", "shoe": 2, "presses": "00" * 16, "host": "-"}, "Shoe 2 is cut."),
        ({"event": "cut", "shoe": 2, "presses": "00" * 16, "host": "cafe"}, "Shoe 2 is cut by players and host."),
        ({"event": "reveal", "shoe": 2, "secret": "00" * 32, "rounds": 3}, "Shoe 2 is revealed."),
        ({"event": "void", "line": "h1"}, "The open round is void."),
        ({"event": "operator", "who": "menu", "order": "PLAY OFF"}, "By order: PLAY OFF."),
        ({"event": "novel", "what": 1}, "novel: what 1"),
        ({"event": "deal", "odd": True}, "deal: odd True"),
        ({}, "event"),
    ],
)
def test_friendly_words(event, line):
    assert friendly(event)[0] == line


@pytest.mark.parametrize("event", [{"event": "key", "key": "HIT"}, {"event": "phase", "phase": "playing", "seat": 0}])
def test_events_that_the_screen_shows_anyway_are_left_out(event):
    assert friendly(event) is None
