"""The operator's key, and orders that are proved with it: docs/operator.md."""

from __future__ import annotations

import hashlib
import hmac
import json
import os
import re
import secrets
import stat
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from .errors import OutputFault, ScpiError, StandFault, UsageFault
from .wire import Wire

_KEY_BYTES = 32
_LONGEST_FILE = 4096
_ID = re.compile(r"[A-Za-z0-9-]{1,8}")
_NONCE = re.compile(r"[0-9a-f]{32}")
_MAKE = "`holecard operator new-key FILE` makes one"

# What a table's words ask of whoever gave the order. The first that is found in them counts.
_REMEDIES = (
    ("hold no operator_key", "put the two lines of the key file into the table's settings.json (docs/operator.md)"),
    ("wait ", "after a refusal the table looks at nothing for a while; then try again"),
    ("not authenticated", "is this file the key in the table's settings? If it is, try again after a few seconds"),
    ("no such order", "`holecard operator --help` lists the orders"),
    ("a round is open", "let the round end, then try again; `PLAY OFF` keeps the next one from beginning"),
    ("above the bankroll limit", "pay in less, or raise the limit with LIMIT"),
    ("the table is not locked", "there is nothing to clear"),
    ("the table is locked", "look at `holecard audit`, then give the order CLEAR"),
    ("menu is open", "HIT leaves the menu on the panel; it closes by itself after a minute"),
    ("takes no record", "the flash fails: the table needs another board"),
    ("was not saved", "the flash did not take it: look at `holecard doctor`"),
)


@dataclass(frozen=True)
class Key:
    """`secret` is left out wherever the key is shown."""

    id: str
    secret: bytes = field(repr=False)


class OrderRefused(ScpiError):
    """The table refused an order: the message says why, and what can be done. Attributes as of any ScpiError."""

    def __init__(self, order: str, error: ScpiError) -> None:
        super().__init__(error.code, error.text, order, others=error.others, answer=error.answer)
        reason = error.text.partition(";")[2] or error.text
        remedy = next((words for sign, words in _REMEDIES if sign in reason), "")
        self.args = (f"refused: {order.strip() or 'an empty order'}: {reason}" + (f" ({remedy})" if remedy else ""),)


def new_key(path: Path, key_id: str = "owner") -> None:
    """Write a new key to a file for its owner only; one that is there stays. Raises UsageFault, OutputFault."""
    if not _ID.fullmatch(key_id):
        raise UsageFault(f"{key_id!r} cannot be the id of a key: 1 to 8 letters, digits and -")
    text = json.dumps({"operator_id": key_id, "operator_key": secrets.token_hex(_KEY_BYTES)}, indent=1)
    try:
        file = open(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w", encoding="ascii")  # noqa: SIM115
    except FileExistsError:
        raise UsageFault(f"{path}: is there already, and may be the only copy of a key; name another file") from None
    except OSError as error:
        raise UsageFault(f"{path}: cannot be written: {error.strerror or error}") from None
    try:
        with file:
            file.write(text + "\n")
    except OSError as error:
        path.unlink(missing_ok=True)  # half a key would pass for the only copy of one
        raise OutputFault(OSError(error.errno, error.strerror, str(path))) from None


def read_key(path: Path) -> Key:
    """The key in a file of `new_key`, or in a table's settings. Raises UsageFault, which repeats nothing of it."""
    data = _private(path)
    try:
        fields = json.loads(data.decode())
    except UnicodeDecodeError:
        raise UsageFault(f"{path}: holds no key, it is not text; {_MAKE}") from None
    except (ValueError, RecursionError):
        raise UsageFault(f"{path}: holds no key, it is not JSON; {_MAKE}") from None
    if not isinstance(fields, dict) or "operator_key" not in fields:
        raise UsageFault(f"{path}: holds no key, there is no operator_key in it; {_MAKE}")
    secret, key_id = fields["operator_key"], fields.get("operator_id", "key")
    if not isinstance(secret, str) or len(secret) != 2 * _KEY_BYTES:
        length = f"{len(secret)} characters" if isinstance(secret, str) else "no text"
        raise UsageFault(f"{path}: holds no key, operator_key is {length} instead of 64 hex digits; {_MAKE}")
    if re.fullmatch(r"[0-9A-Fa-f]*", secret) is None:
        raise UsageFault(f"{path}: holds no key, operator_key has other characters than hex digits; {_MAKE}")
    if not isinstance(key_id, str) or not _ID.fullmatch(key_id):
        raise UsageFault(f"{path}: holds no key that a table takes: operator_id is 1 to 8 letters, digits and -")
    return Key(key_id, bytes.fromhex(secret))


def _private(path: Path) -> bytes:
    """The bytes of a file that nobody else may read."""
    try:
        # Whatever lies there: a pipe without a writer must not keep anybody waiting.
        with open(os.open(path, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0)), "rb") as file:
            mode = os.fstat(file.fileno()).st_mode
            data = file.read(_LONGEST_FILE + 1) if stat.S_ISREG(mode) else b""
    except FileNotFoundError:
        raise UsageFault(f"{path}: there is no such key file; {_MAKE}") from None
    except IsADirectoryError:
        raise UsageFault(f"{path}: is a directory, not a key file") from None
    except PermissionError:
        hint = "is a directory, not a key file" if path.is_dir() else "you may not read this key file"
        raise UsageFault(f"{path}: {hint}") from None
    except OSError as error:
        raise UsageFault(f"{path}: cannot be read: {error.strerror or error}") from None
    if not stat.S_ISREG(mode):
        raise UsageFault(f"{path}: is no key file")
    if os.name == "posix" and mode & (stat.S_IRWXG | stat.S_IRWXO):
        raise UsageFault(f"{path}: others can read this key: chmod 600 {path}, and think about a new one")
    if len(data) > _LONGEST_FILE:
        raise UsageFault(f"{path}: holds no key, it is over {_LONGEST_FILE} bytes; {_MAKE}")
    return data


def state(wire: Wire) -> dict[str, Any]:
    """What the operator has set. Raises as `Wire.ask` does."""
    return wire.ask_record("OPER:STAT?")


def order(wire: Wire, key: Key, command: str) -> None:
    """Give one order. Raises OrderRefused, UsageFault, StandFault."""
    if not command.isascii() or not command.isprintable() or '"' in command:
        raise UsageFault(f"{command!r}: an order is one line of ASCII characters without quotes")
    try:
        nonce = wire.ask("OPER:NONC?")
        last = state(wire).get("counter")
        if not _NONCE.fullmatch(nonce) or not isinstance(last, int):
            raise StandFault(f"{wire.name}: this table gives no nonce")
        counter = last + 1
        wire.command(f'OPER:DO "{command}",{counter},"{mac(key, nonce, counter, command)}"')
    except ScpiError as error:
        raise OrderRefused(command, error) from None


def mac(key: Key, nonce: str, counter: int, command: str) -> str:
    """HMAC-SHA256 over nonce, counter in decimal, and command."""
    return hmac.new(key.secret, f"{nonce}{counter}{command}".encode("ascii"), hashlib.sha256).hexdigest()
