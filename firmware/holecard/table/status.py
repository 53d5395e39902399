"""IEEE 488.2 status reporting: the error queue and the event and status-byte registers."""

OPC = 1
QYE = 4
DDE = 8
EXE = 16
CME = 32
PON = 128

STB_ERROR = 4
STB_MAV = 16
STB_ESB = 32
STB_MSS = 64

QUEUE_LIMIT = 16


class ScpiError(Exception):
    """A command that cannot be obeyed: SCPI's number and, in `detail`, our words about this one."""

    def __init__(self, code: int, detail: str = "") -> None:
        super().__init__(code, detail)
        self.code = code
        self.detail = detail


def _bit(code: int) -> int:
    if code <= -400:
        return QYE
    if code <= -300:
        return DDE
    return EXE if code <= -200 else CME


def _clean(text: str) -> str:
    return "".join([char if " " <= char <= "~" and char != '"' else "'" for char in text])


class Status:
    """Registers as IEEE 488.2 defines them; PON is set from the start. `total` counts the errors since then, `garbled`
    those of them that are no sentence of the protocol, as against what cannot be done now."""

    def __init__(self) -> None:
        self._errors: list = []
        self.total = 0
        self.garbled = 0
        self.esr = PON
        self.ese = 0
        self.sre = 0

    def error(self, code: int, detail: str = "") -> None:
        """Queues an error and sets its class bit; a full queue ends in -350, which is counted as the last one."""
        self.total += 1
        if code > -200 or code == -363:
            self.garbled += 1
        self.esr |= _bit(code)
        if len(self._errors) >= QUEUE_LIMIT:
            self._errors[-1] = (-350, "")
            self.esr |= DDE
        else:
            self._errors.append((code, _clean(detail)))

    def locked(self, reason: str) -> None:
        """The table has found something that it must not go on with."""
        self.error(-330, reason)

    def next_error(self) -> str:
        """Takes the oldest error: `-113,"Undefined header;FOO"`, or `0,"No error"`."""
        from holecard.table.errortexts import TEXTS  # noqa: PLC0415 - for a host only

        code, detail = self._errors.pop(0) if self._errors else (0, "")
        text = TEXTS.get(code, "Error")
        return str(code) + ',"' + text + (";" + detail if detail else "") + '"'

    def error_count(self) -> int:
        return len(self._errors)

    def read_esr(self) -> int:
        """The event register, which reading clears."""
        value, self.esr = self.esr, 0
        return value

    def stb(self, message_available: bool) -> int:
        value = STB_ERROR if self._errors else 0
        if message_available:
            value |= STB_MAV
        if self.esr & self.ese:
            value |= STB_ESB
        if value & self.sre & ~STB_MSS:
            value |= STB_MSS
        return value

    def clear(self) -> None:
        """*CLS: the event register and the error queue; the enable masks stay."""
        self._errors = []
        self.esr = 0
