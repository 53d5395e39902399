"""Common commands of IEEE 488.2."""

from holecard.table import status
from holecard.table.status import ScpiError
from holecard.table.waiting import WAIT


def _identify(desk) -> str:
    return desk.identity


def _reset(desk) -> None:
    desk.game.reset()
    desk.wire.completing = False


def _clear(desk) -> None:
    desk.status.clear()
    desk.wire.completing = False


def _self_test(desk) -> str:
    return str(desk.self_test())


def _complete_later(desk) -> None:
    desk.wire.completing = True


def _complete(desk):
    return WAIT if desk.pending() else "1"


def _wait(desk):
    return WAIT if desk.pending() else None


def _mask(value: int) -> int:
    if value > 255:
        raise ScpiError(-222, str(value))
    return value


def _set_ese(desk, value: int) -> None:
    desk.status.ese = _mask(value)


def _set_sre(desk, value: int) -> None:
    desk.status.sre = _mask(value) & ~status.STB_MSS


def _ese(desk) -> str:
    return str(desk.status.ese)


def _sre(desk) -> str:
    return str(desk.status.sre)


def _esr(desk) -> str:
    return str(desk.status.read_esr())


def _stb(desk) -> str:
    return str(desk.status.stb(desk.wire.message_available))


COMMANDS = (
    ("*IDN?", "", _identify),
    ("*RST", "", _reset),
    ("*CLS", "", _clear),
    ("*TST?", "", _self_test),
    ("*OPC", "", _complete_later),
    ("*OPC?", "", _complete),
    ("*WAI", "", _wait),
    ("*ESE", "n", _set_ese),
    ("*ESE?", "", _ese),
    ("*ESR?", "", _esr),
    ("*SRE", "n", _set_sre),
    ("*SRE?", "", _sre),
    ("*STB?", "", _stb),
)
