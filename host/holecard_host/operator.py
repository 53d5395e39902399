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

from .errors import StandFault, UsageFault
from .wire import Wire

_KEY_BYTES = 32
_LONGEST_FILE = 4096
_ID = re.compile(r"[A-Za-z0-9-]{1,8}")
_HEX = re.compile(r"[0-9A-Fa-f]{64}")
_NONCE = re.compile(r"[0-9a-f]{32}")


@dataclass(frozen=True)
class Key:
    """`secret` is left out wherever the key is shown."""

    id: str
    secret: bytes = field(repr=False)


def new_key(path: Path, key_id: str = "owner") -> None:
    """Write a new key to a file that only its owner can read. Raises UsageFault; a file that is there stays."""
    if not _ID.fullmatch(key_id):
        raise UsageFault(f"{key_id!r} cannot be the id of a key: 1 to 8 letters, digits and -")
    text = json.dumps({"operator_id": key_id, "operator_key": secrets.token_hex(_KEY_BYTES)}, indent=1)
    try:
        with open(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w", encoding="ascii") as file:
            file.write(text + "\n")
    except FileExistsError:
        raise UsageFault(f"{path}: is there already, and may be the only copy of a key") from None
    except OSError as error:
        raise UsageFault(f"{path}: cannot be written: {error.strerror or error}") from None


def read_key(path: Path) -> Key:
    """The key in a file of `new_key`, or in a table's settings. Raises UsageFault, which repeats nothing of it."""
    try:
        with path.open("rb") as file:
            mode = os.fstat(file.fileno()).st_mode
            data = file.read(_LONGEST_FILE)
    except OSError as error:
        raise UsageFault(f"{path}: cannot be read: {error.strerror or error}") from None
    if os.name == "posix" and mode & (stat.S_IRWXG | stat.S_IRWXO):
        raise UsageFault(f"{path}: others can read this key; chmod 600, and think about a new one")
    try:
        fields = json.loads(data)
        key_id, secret = fields.get("operator_id", "key"), fields["operator_key"]
        if not (_ID.fullmatch(key_id) and _HEX.fullmatch(secret)):
            raise ValueError
    except (ValueError, TypeError, KeyError, AttributeError, RecursionError):
        raise UsageFault(f"{path}: holds no key; `holecard operator new-key FILE` makes one") from None
    return Key(key_id, bytes.fromhex(secret))


def state(wire: Wire) -> dict[str, Any]:
    """What the operator has set. Raises as `Wire.ask` does."""
    return wire.ask_record("OPER:STAT?")


def order(wire: Wire, key: Key, command: str) -> None:
    """Give one order. Raises ScpiError when the table refuses it, UsageFault, StandFault."""
    if not command.isascii() or not command.isprintable() or '"' in command:
        raise UsageFault(f"{command!r}: an order is one line of ASCII characters without quotes")
    nonce = wire.ask("OPER:NONC?")
    last = state(wire).get("counter")
    if not _NONCE.fullmatch(nonce) or not isinstance(last, int):
        raise StandFault(f"{wire.name}: this table gives no nonce")
    counter = last + 1
    wire.command(f'OPER:DO "{command}",{counter},"{mac(key, nonce, counter, command)}"')


def mac(key: Key, nonce: str, counter: int, command: str) -> str:
    """HMAC-SHA256 over nonce, counter in decimal, and command."""
    return hmac.new(key.secret, f"{nonce}{counter}{command}".encode("ascii"), hashlib.sha256).hexdigest()
