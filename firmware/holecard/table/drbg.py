"""HMAC_DRBG with SHA-256: NIST SP 800-90A revision 1, section 10.1.2, without prediction resistance.

Whoever knows what it was instantiated with can repeat its output; nobody can predict the next byte from those before.
"""

from hashlib import sha256

STRENGTH = 32  # bytes of entropy that an instantiation or a reseed needs at least (256 bits)
_MOST_BYTES = 1 << 16  # of one request: 2^19 bits (table 2 of the publication)
_MOST_REQUESTS = 1 << 48  # between two seeds (same table)

# RFC 2104's pads. A key has half a block of SHA-256, the other half is zeros; as a number it takes one XOR, not 32.
_INNER = b"\x36" * 32
_OUTER = b"\x5c" * 32
_INNER_NUMBER = int.from_bytes(_INNER, "big")
_OUTER_NUMBER = int.from_bytes(_OUTER, "big")


def hmac(key: bytes, message: bytes) -> bytes:
    """HMAC-SHA256 (RFC 2104) with a key of 32 bytes."""
    inner, outer = _pads(key)
    return sha256(outer + sha256(inner + message).digest()).digest()


def _pads(key: bytes) -> tuple:
    number = int.from_bytes(key, "big")
    return (number ^ _INNER_NUMBER).to_bytes(32, "big") + _INNER, (number ^ _OUTER_NUMBER).to_bytes(32, "big") + _OUTER


class ReseedNeeded(Exception):
    """2^48 requests were answered from one seed; `reseed` first."""


class Drbg:
    """One instance. ``requests``: those answered since the last seed, plus one (the publication's reseed counter)."""

    def __init__(self, entropy: bytes, nonce: bytes = b"", personalization: bytes = b"") -> None:
        """`entropy`: at least 32 bytes that nobody else knows; ValueError if there are fewer."""
        _check(entropy)
        self._rekey(bytes(32))
        self._value = b"\x01" * 32
        self._update(entropy + nonce + personalization)
        self.requests = 1

    def reseed(self, entropy: bytes, additional: bytes = b"") -> None:
        """Adds at least 32 fresh bytes; what was there before still counts. ValueError if there are fewer."""
        _check(entropy)
        self._update(entropy + additional)
        self.requests = 1

    def generate(self, count: int, additional: bytes = b"") -> bytes:
        """The next `count` bytes (up to 65,536, else ValueError); ReseedNeeded after 2^48 requests."""
        if not 0 <= count <= _MOST_BYTES:
            raise ValueError("not from 0 to 65536 bytes")
        if self.requests > _MOST_REQUESTS:
            raise ReseedNeeded
        if additional:
            self._update(additional)
        output = b""
        value = self._value
        while len(output) < count:
            value = self._hmac(value)
            output += value
        self._value = value
        # Also with nothing to add: what was given out cannot be computed from the state that is left.
        self._update(additional)
        self.requests += 1
        return output[:count]

    def _update(self, provided: bytes) -> None:
        self._rekey(self._hmac(self._value + b"\x00" + provided))
        self._value = self._hmac(self._value)
        if provided:
            self._rekey(self._hmac(self._value + b"\x01" + provided))
            self._value = self._hmac(self._value)

    def _rekey(self, key: bytes) -> None:
        self._inner, self._outer = _pads(key)

    def _hmac(self, message: bytes) -> bytes:
        # MicroPython's hashes cannot be copied, so the pads are hashed each time.
        return sha256(self._outer + sha256(self._inner + message).digest()).digest()


def _check(entropy: bytes) -> None:
    if len(entropy) < STRENGTH:
        raise ValueError("fewer than 32 bytes of entropy")
