"""OPERator: what whoever has the operator's key may change over the wire."""

from holecard.rules.ruleset import Refused
from holecard.table import jsontext as js
from holecard.table.status import ScpiError

# Letters of an order that was refused, in the log.
_SHOWN = 40
_UNREAD = "null"


def _authority(desk):
    """ScpiError when the settings hold no key."""
    if not desk.board.operator[1]:
        raise ScpiError(-203, "the settings hold no operator_key")
    house = desk.house
    if house.authority is None:
        from holecard.table.authority import Authority  # noqa: PLC0415 - most tables have no such host

        house.authority = Authority(house, desk.board.operator[1])
    return house.authority


def _nonce(desk) -> str:
    return _authority(desk).nonce(desk.keeper.seconds)


def _do(desk, command: str, counter: int, mac: str) -> None:
    authority = _authority(desk)
    # What is refused is counted, and now and then told by the log.
    who = ""
    try:
        authority.check(command, counter, mac, desk.keeper.seconds)
        from holecard.table import orders  # noqa: PLC0415

        who = desk.board.operator[0] + ": " + command[:_SHOWN].upper() + ": "
        orders.obey(desk, desk.board.operator[0], command)
    except OSError:
        raise ScpiError(-310, "the record was not saved")
    except ScpiError as error:
        desk.keeper.refusals.add(1, ", last " + who + (error.detail or "not understood"))
        raise
    except Refused as refusal:
        desk.keeper.refusals.add(1, ", last " + who + refusal.reason)
        raise


def _state(desk) -> str:
    house = desk.house
    game = desk.game
    name, key = desk.board.operator
    # What could not be read is null, and no default.
    settled, played = not house.damaged, desk.keeper.intact
    return js.record(
        ("key", js.quote(name if key else "")),
        ("counter", str(house.counter)),
        ("wait", str(_authority(desk).wait(desk.keeper.seconds) if key else 0)),
        ("play", js.flag(house.play) if settled else _UNREAD),
        ("credits", js.flag(house.credits) if settled else _UNREAD),
        ("sound", js.flag(house.sound) if settled else _UNREAD),
        ("rules", js.quote(game.rules.name) if played else _UNREAD),
        ("seats", str(game.seats) if played else _UNREAD),
        ("bets", js.array([js.dollars(game.rules.min_bet), js.dollars(game.rules.max_bet)]) if played else _UNREAD),
        ("limit", js.dollars(house.limit) if settled else _UNREAD),
        ("locked", js.quote(game.message)),
    )


COMMANDS = (
    ("OPERator:NONCe?", "", _nonce),
    ("OPERator:DO", "sns", _do),
    ("OPERator:STATe?", "", _state),
)
