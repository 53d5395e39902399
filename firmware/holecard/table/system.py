"""SYSTem, DISPlay and DIAGnostic: errors, events, the clock, what panel and lamps show."""

from binascii import hexlify

from holecard.rules.ruleset import Refused
from holecard.table import jsontext as js


def _next_error(desk) -> str:
    return desk.status.next_error()


def _error_count(desk) -> str:
    return str(desk.status.error_count())


def _version(_desk) -> str:
    return "1999.0"


def _headers(_desk) -> list:
    # Only here, because that module imports this one.
    from holecard.table.commands import COMMANDS  # noqa: PLC0415

    return js.strings([command[0] for command in COMMANDS])


def _error_total(desk) -> str:
    return str(desk.status.total)


def _mode(desk) -> str:
    return desk.board.mode


def _settings(desk) -> str:
    return js.record(("problem", js.quote(desk.board.problem)))


def _memory(desk) -> str:
    sizes = ["null" if size is None else str(size) for size in desk.board.room()]
    return js.record(("heap_free", sizes[0]), ("heap", sizes[1]), ("flash_free", sizes[2]), ("flash", sizes[3]))


def _panel(desk) -> str:
    panel = desk.panel
    return js.record(
        ("kind", js.quote(panel.kind)),
        ("address", js.quote("0x%02X" % panel.address)),
        ("failures", str(panel.failures)),
    )


def _digest(desk) -> str:
    if desk.program is None:
        return '{"state":"computing","digest":"","installed":"","match":null,"files":0}'
    return desk.program.answer()


def _time(desk) -> str:
    return str(desk.now)


def _event(desk) -> str:
    event = desk.events.take()
    if event is None:
        return '{"event":"none"}'
    return '{"seq":' + str(event[0]) + ',"us":' + str(event[1]) + "," + event[2][1:]


def _event_count(desk) -> str:
    return str(len(desk.events))


def _events_dropped(desk) -> str:
    return str(desk.events.dropped)


def _push(desk, on: bool) -> None:
    desk.events.pushing = on


def _pushing(desk) -> str:
    return "1" if desk.events.pushing else "0"


def _log(desk, back: int = 0) -> str:
    entry = desk.keeper.told.entry(back)
    if entry is None:
        raise Refused("no such entry can be read")
    start, seconds = ["null" if number is None else str(number) for number in entry[:2]]
    return js.record(("start", start), ("seconds", seconds), ("text", js.quote(entry[2])))


def _log_count(desk) -> str:
    return str(len(desk.keeper.told))


def _pixels(desk) -> list:
    desk.draw()
    return [hexlify(page[1:]).decode() for page in desk.canvas.pages]


def _animate(desk, on: bool) -> None:
    desk.front.animated = on


def _animated(desk) -> str:
    return "1" if desk.front.animated else "0"


def _lamps(desk) -> str:
    desk.draw()
    return str(desk.front.scene.lamps)


COMMANDS = (
    ("SYSTem:ERRor[:NEXT]?", "", _next_error),
    ("SYSTem:ERRor:COUNt?", "", _error_count),
    ("SYSTem:ERRor:TOTal?", "", _error_total),
    ("SYSTem:VERSion?", "", _version),
    ("SYSTem:HELP:HEADers?", "", _headers),
    ("SYSTem:MODE?", "", _mode),
    ("SYSTem:SETTings?", "", _settings),
    ("SYSTem:MEMory?", "", _memory),
    ("SYSTem:DIGest?", "", _digest),
    ("SYSTem:TIME?", "", _time),
    ("SYSTem:EVENt?", "", _event),
    ("SYSTem:EVENt:COUNt?", "", _event_count),
    ("SYSTem:EVENt:DROPped?", "", _events_dropped),
    ("SYSTem:COMMunicate:EVENt", "b", _push),
    ("SYSTem:COMMunicate:EVENt?", "", _pushing),
    ("SYSTem:LOG?", "?n", _log),
    ("SYSTem:LOG:COUNt?", "", _log_count),
    ("DISPlay:DATA?", "", _pixels),
    ("DISPlay:ANIMation", "b", _animate),
    ("DISPlay:ANIMation?", "", _animated),
    ("DIAGnostic:LAMPs?", "", _lamps),
    ("DIAGnostic:PANel?", "", _panel),
)
