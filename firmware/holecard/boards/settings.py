"""The table's settings: one small JSON file on the device, checked field by field.

    {"panel": "sh1106", "offset": 2, "address": "0x3C", "sound": false, "mode": "bench", "tap": true, "wave": true,
     "operator_key": "00..ff", "operator_id": "owner"}

Every field may be missing. A field that cannot be used keeps its default and the first such field is named in
`problem`, in words for the person who wrote the file; the table starts all the same. Pins are not settings: they belong
to a board, see pico_pins.py. A board may have fields of its own.
"""

import json
from binascii import unhexlify

from holecard.drivers import panel

NAME = "settings.json"
MODES = ("bench", "arcade")
_LONGEST = 512
# Most SH1106 panels show the middle 128 of their 132 columns.
_USUAL_OFFSET = 2
_KEY_BYTES = 32
_LETTERS = "abcdefghijklmnopqrstuvwxyz0123456789-"


class Settings:
    """What the file says, or the defaults.

    panel    controller of the panel, "ssd1306" or "sh1106"; offset: first column that an SH1106's glass shows, 0, 2, 4
    address  7-bit address of the panel to try first, 0x3C or 0x3D
    sound    whether the piezo plays
    mode     "bench" or "arcade"
    tap, wave  whether these sensors are wired
    operator_key, operator_id  the key of the operator's commands, 32 bytes or none, and its name
    problem  "" or what is wrong with the file
    whole    False if there is no file, or none that says which mode it wants
    """

    def __init__(self):
        self.panel = "ssd1306"
        self.offset = 0
        self.address = 0x3C
        self.sound = True
        self.mode = "bench"
        self.tap = False
        self.wave = False
        self.operator_key = b""
        self.operator_id = "key"
        self.problem = ""
        self.whole = False


def parse(data, own=None, changes=None) -> Settings:
    """The settings in the file's bytes, None for no file. Never raises.

    `own`: fields that only this board has, by name, each with the function that checks a value. `changes`: fields that
    come before those of the file, and that count without one, too.
    """
    settings = Settings()
    changes = changes or {}
    fields = {}
    settings.whole = "mode" in changes
    if data:
        try:
            fields = _fields(data)
            settings.whole = True
        except ValueError as error:
            settings.problem = str(error)
    fields.update(changes)
    _take(settings, fields, own)
    settings.whole = settings.whole and fields.get("mode", settings.mode) == settings.mode
    return settings


def latch(settings, readable: bool, last) -> tuple:
    """(mode of this start, what is wrong): the file's, or where there is none to be believed, `last`, that of the last
    start. `last` is None where nothing outlasts the file system: then a flash that cannot be read means arcade, because
    nobody may open a closed table by breaking it."""
    if settings.whole:
        return settings.mode, settings.problem
    if last is None:
        return ("bench" if readable else "arcade"), settings.problem
    return last, settings.problem or ("settings: the file is gone" if last == "arcade" else "")


def choose_mode(board, mode: str) -> str:
    """What a board's `choose_mode` promises, where nothing but the settings holds the mode."""
    try:
        board.save(NAME, with_mode(board.load(NAME), mode))
    except ValueError:
        return "the settings cannot be read"
    return ""


def with_mode(data, mode: str) -> bytes:
    """The file's bytes with another mode in them. ValueError for what is no settings file, or would be none then."""
    fields = _fields(data) if data else {}
    fields["mode"] = mode
    changed = json.dumps(fields).encode()
    _fields(changed)
    return changed


def _fields(data) -> dict:
    if len(data) > _LONGEST:
        raise ValueError("settings: over " + str(_LONGEST) + " bytes")
    try:
        fields = json.loads(bytes(data).decode())
    except ValueError:
        raise ValueError("settings: not JSON")
    if not isinstance(fields, dict):
        raise ValueError("settings: not a JSON object")
    return fields


def _take(settings, fields, own):
    for name in fields:
        checker = _CHECKS.get(name) or (own and own.get(name))
        try:
            if checker is None:
                raise ValueError("no such field")
            setattr(settings, name, checker(fields[name]))
        except ValueError as error:
            settings.problem = settings.problem or "settings: " + _plain(name) + ": " + str(error)
    if settings.panel == "sh1106" and not settings.offset and fields.get("offset") != 0:
        settings.offset = _USUAL_OFFSET
    try:
        panel.check(settings.panel, settings.offset, settings.address)
    except ValueError as error:
        settings.problem = settings.problem or "settings: " + str(error)
        settings.offset = 0


def _kind(value):
    if value not in panel.KINDS:
        raise ValueError("ssd1306 or sh1106")
    return value


def _plain(name) -> str:
    """As panel, wire and terminal all can show it; CPython has no UTF-8 for one half of a surrogate pair."""
    return "".join([letter if " " <= letter <= "~" else "?" for letter in str(name)[:12]])


def _whole(value) -> bool:
    """Whether it is a number that can be a column or an address; 2.0 is equal to 2 and is none."""
    return isinstance(value, int) and not isinstance(value, bool)


def _offset(value):
    if not _whole(value) or value not in panel.OFFSETS:
        raise ValueError("0, 2 or 4")
    return value


def _address(value):
    # JSON has no hexadecimal numbers, and nobody knows a panel's address in decimal.
    if isinstance(value, str):
        try:
            value = int(value, 16)
        except ValueError:
            pass
    if not _whole(value):
        raise ValueError('"0x3C" or "0x3D"')
    panel.check("ssd1306", 0, value)
    return value


def _flag(value):
    if not isinstance(value, bool):
        raise ValueError("true or false")
    return value


def _mode(value):
    if value not in MODES:
        raise ValueError("bench or arcade")
    return value


def _key(value):
    try:
        key = unhexlify(value)
    except (TypeError, ValueError):
        key = b""
    # What was there in its place is not repeated anywhere.
    if len(key) != _KEY_BYTES:
        raise ValueError("64 hex digits")
    return key


def _id(value):
    if not isinstance(value, str) or not 1 <= len(value) <= 8 or [c for c in value.lower() if c not in _LETTERS]:
        raise ValueError("1 to 8 letters, digits, -")
    return value


_CHECKS = {
    "panel": _kind,
    "offset": _offset,
    "address": _address,
    "sound": _flag,
    "mode": _mode,
    "tap": _flag,
    "wave": _flag,
    "operator_key": _key,
    "operator_id": _id,
}
