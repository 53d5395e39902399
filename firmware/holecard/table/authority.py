"""Whether a command over the wire comes from somebody who has the operator's key.

    mac = HMAC-SHA256(key, nonce + counter + command)

the nonce as the table gave it, the counter in decimal. A nonce serves one attempt within a minute; the counter grows
from command to command and survives power cuts, so that a table whose entropy is stuck accepts nothing twice. After a
failure the next attempt is refused unseen for 2, 4, 8 ... 64 s, and again so after a restart; these are seconds of the
table's own clock, the present one counts as a whole.
"""

from binascii import hexlify

from holecard.table.drbg import hmac
from holecard.table.status import ScpiError

_NONCE_BYTES = 16
_NONCE_SECONDS = 60
_MOST_DELAY = 64


class Authority:
    """`house`: where counter and failures are kept; `key`: 32 bytes. All times in seconds since the start."""

    def __init__(self, house, key: bytes) -> None:
        self._house = house
        self._key = key
        self._asked = 0
        self._nonce = ""
        self._dies_at = 0
        # Without a restart being a way around it.
        self._free_at = self._delay()

    def _delay(self) -> int:
        failures = self._house.failures
        return min(1 << min(failures, 8), _MOST_DELAY) if failures else 0

    def wait(self, seconds: int) -> int:
        """Seconds until an attempt is looked at."""
        return max(0, self._free_at - seconds)

    def nonce(self, seconds: int) -> str:
        """A fresh one; the one before is dead."""
        # From a secret of this start: asking draws nothing that anything else depends on.
        self._asked += 1
        self._nonce = hexlify(hmac(self._house.secret, b"nonce%d" % self._asked)[:_NONCE_BYTES]).decode()
        self._dies_at = seconds + _NONCE_SECONDS
        return self._nonce

    def check(self, command: str, counter: int, mac: str, seconds: int) -> None:
        """ScpiError -203 unless the command is the operator's; OSError if that could not be stored."""
        house = self._house
        nonce, self._nonce = self._nonce, ""
        left = self.wait(seconds)
        if left:
            raise ScpiError(-203, "wait " + str(left) + " s")
        wanted = hexlify(hmac(self._key, (nonce + str(counter) + command).encode()))
        good = _equal(wanted, mac.lower().encode())
        if good and nonce and seconds < self._dies_at and counter > house.counter:
            house.counter = counter
            house.failures = 0
            house.save()
            return
        house.failures += 1
        self._free_at = seconds + self._delay()
        house.save()
        raise ScpiError(-203, "not authenticated")


def _equal(wanted: bytes, given: bytes) -> bool:
    """Takes as long whichever byte differs."""
    if len(wanted) != len(given):
        return False
    different = 0
    for i in range(len(wanted)):
        different |= wanted[i] ^ given[i]
    return different == 0
