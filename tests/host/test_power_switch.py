"""The power of a real table, cut by a command of the user's, or by uhubctl; the table behind the port is simulated."""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from holecard_host.errors import StandFault, StepFailed, Unsupported, UsageFault
from holecard_host.stands import open_stand
from holecard_host.stands.power import Power, from_environment, uhubctl
from holecard_host.steps import Steps
from holecard_host.twin.holder import Holder

SWITCH = """\
import sys
from holecard_host.twin import registry
from holecard_host.twin.holder import RemoteTwin
twin = RemoteTwin(registry.find(sys.argv[1]))
getattr(twin, sys.argv[2])()
"""


@pytest.fixture
def holder() -> Iterator[Holder]:
    with Holder(f"test-power-{os.getpid()}", realtime=True) as holder:
        yield holder


def test_a_table_on_a_port_loses_its_power_and_gets_it_back(
    holder: Holder, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    script = tmp_path / "a relay.py"
    script.write_text(SWITCH, encoding="utf-8")
    for name, method in (("OFF", "cut"), ("ON", "restore")):
        monkeypatch.setenv(f"HOLECARD_POWER_{name}", f"'{sys.executable}' '{script}' {holder.entry.name} {method}")
    with open_stand(holder.entry.port) as stand:
        assert "power" in stand.capabilities
        steps = Steps(stand)
        steps.fresh()
        steps.bankroll(321)
        steps.listen()
        stand.cut()
        assert not holder.twin.simulator.powered
        stand.restore()
        steps.expect_state(bankrolls=[321])
        steps.expect_event("power")


def test_without_a_way_the_user_is_told_how(holder: Holder) -> None:
    with open_stand(holder.entry.port) as stand:
        assert "power" not in stand.capabilities
        with pytest.raises(Unsupported, match="HOLECARD_POWER_OFF and HOLECARD_POWER_ON, or HOLECARD_UHUBCTL"):
            stand.cut()
        with pytest.raises(Unsupported, match=r"does not have what is needed \(power: the power can be cut\)"):
            Steps(stand).cut_power()


def test_waiting_on_a_port_goes_by_the_tables_clock(holder: Holder) -> None:
    with open_stand(holder.entry.port) as stand:
        before = stand.now_us()
        with pytest.raises(StepFailed, match="within 200 ms"):
            stand.wait_event("nothing", within_ms=200)
        assert 200_000 <= (stand.now_us() - before) % (1 << 30) < 2_000_000


def test_a_clock_that_stands_still_is_given_up(holder: Holder, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("holecard_host.stands.base._STANDSTILL_SECONDS", 0.2)
    with open_stand(holder.entry.port) as stand:
        monkeypatch.setattr(stand, "now_us", lambda: 5)
        began = time.monotonic()
        with pytest.raises(StepFailed, match="not ready"):
            stand.wait_until(lambda: None, 100, "not ready")
        assert time.monotonic() - began < 5


def test_in_arcade_mode_no_key_can_be_pressed_by_command() -> None:
    arcade = {"settings.json": b'{"mode": "arcade"}'}
    with open_stand("sim://cpython", files=arcade) as stand:
        assert stand.wire.ask("SYST:MODE?") == "arcade"
        assert stand.missing("pins", "commands", "bench") == ["commands", "bench"]
        with pytest.raises(Unsupported, match="cards, rules and bankrolls can be set"):
            stand.require("bench")


def test_uhubctl() -> None:
    assert uhubctl("1-1.4", "2") == Power(
        ("uhubctl", "-l", "1-1.4", "-p", "2", "-a", "off"), ("uhubctl", "-l", "1-1.4", "-p", "2", "-a", "on")
    )


@pytest.mark.parametrize(
    ("url", "hub", "expected"),
    [
        ("/dev/ttyACM0", "1-1:2", uhubctl("1-1", "2")),
        ("/dev/ttyACM0", "/dev/ttyACM1=1-1:3 /dev/ttyACM0=2-1.4:1", uhubctl("2-1.4", "1")),
        ("/dev/ttyACM0", "/dev/ttyACM1=1-1:3", None),
        ("/dev/ttyACM0", "", None),
    ],
)
def test_a_hub_for_each_table(url: str, hub: str, expected: Power | None) -> None:
    assert from_environment(url, {"HOLECARD_UHUBCTL": hub}) == expected


def test_the_commands_may_name_the_table() -> None:
    environment = {"HOLECARD_POWER_OFF": "relay 'off at' {url}", "HOLECARD_POWER_ON": "relay on"}
    assert from_environment("COM3", environment) == Power(("relay", "off at", "COM3"), ("relay", "on"))


@pytest.mark.parametrize(
    ("environment", "why"),
    [
        ({"HOLECARD_POWER_OFF": "x"}, "only one of the two"),
        ({"HOLECARD_POWER_ON": "x"}, "only one of the two"),
        ({"HOLECARD_POWER_OFF": "'x", "HOLECARD_POWER_ON": "x"}, "No closing quotation"),
        ({"HOLECARD_POWER_OFF": " ", "HOLECARD_POWER_ON": "x"}, "is blank"),
        ({"HOLECARD_UHUBCTL": "1-1"}, "no LOCATION:PORT such as 1-1:2"),
        ({"HOLECARD_UHUBCTL": "COM3=-l x:1"}, "no LOCATION:PORT"),
    ],
)
def test_settings_that_make_no_sense(environment: dict[str, str], why: str) -> None:
    with pytest.raises(UsageFault, match=why):
        from_environment("COM3", environment)


@pytest.mark.parametrize(
    ("command", "why"),
    [
        (("no-such-program-anywhere",), "there is no program no-such-program-anywhere"),
        ((sys.executable, "-c", "import sys; sys.exit('no hub here')"), "ended with 1: no hub here"),
    ],
)
def test_a_switch_that_fails(command: tuple[str, ...], why: str) -> None:
    with pytest.raises(StandFault, match=why):
        Power(command, command).off()


def test_a_switch_that_hangs(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("holecard_host.stands.power._SECONDS", 0.2)
    command = (sys.executable, "-c", "import time; time.sleep(20)")
    with pytest.raises(StandFault, match="did not end within"):
        Power(command, command).on()
