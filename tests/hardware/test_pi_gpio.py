"""The stand-in for RPi.GPIO: what its source says about modes, directions, pulls, lists, clean-up, waves and edges."""

from __future__ import annotations

import re
import warnings
from collections.abc import Callable
from typing import Any

import pytest

from holecard_host.twin.device.pi.gpio import Gpio


class Link:
    """Outside hardware that holds `low`, and what is driven."""

    def __init__(self) -> None:
        self.low = self.high = 0
        self.tones: list[tuple[int, int]] = []

    def spend(self, us: int) -> None:
        pass

    def held_low(self) -> int:
        return self.low

    def drive(self, mask: int) -> None:
        self.high = mask

    def tone(self, gpio: int, hertz: int) -> None:
        self.tones.append((gpio, hertz))


@pytest.fixture
def link() -> Link:
    return Link()


@pytest.fixture
def gpio(link: Link) -> Any:
    gpio = Gpio(link)
    gpio.setmode(gpio.BCM)
    return gpio


def test_a_pull_up_is_high_until_the_pin_is_held_low_and_no_pull_is_no_level(gpio: Any, link: Link) -> None:
    gpio.setup([5, 6], gpio.IN, pull_up_down=gpio.PUD_UP)
    gpio.setup(7, gpio.IN)
    assert [gpio.input(pin) for pin in (5, 6, 7)] == [1, 1, 0]
    link.low = 1 << 6
    assert [gpio.input(pin) for pin in (5, 6)] == [1, 0]


def test_outputs_one_and_several(gpio: Any, link: Link) -> None:
    gpio.setup((20, 21), gpio.OUT, initial=gpio.HIGH)
    assert link.high == 3 << 20
    gpio.output([20, 21], [0, 1])
    assert (link.high, gpio.input(21)) == (1 << 21, 1)
    gpio.output((20, 21), gpio.LOW)
    assert link.high == 0


def test_clean_up_makes_inputs_of_all_and_forgets_the_mode(gpio: Any, link: Link) -> None:
    gpio.setup([20, 21], gpio.OUT, initial=gpio.HIGH)
    gpio.cleanup(20)
    assert (link.high, gpio.getmode()) == (1 << 21, gpio.BCM)
    gpio.cleanup()
    assert (link.high, gpio.getmode()) == (0, None)
    with pytest.warns(RuntimeWarning, match="nothing to clean up"):
        gpio.cleanup()
    gpio.setwarnings(False)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        gpio.cleanup()


def test_pins_of_the_header(link: Link) -> None:
    gpio: Any = Gpio(link)
    gpio.setmode(gpio.BOARD)
    gpio.setup(40, gpio.OUT, initial=1)
    assert link.high == 1 << 21
    with pytest.raises(ValueError, match="A different mode has already been set!"):
        gpio.setmode(gpio.BCM)
    with pytest.raises(ValueError, match="The channel sent is invalid on a Raspberry Pi"):
        gpio.setup(39, gpio.IN)


@pytest.mark.parametrize(
    ("do", "error", "text"),
    [
        (lambda g: g.setmode(3), ValueError, "A different mode has already been set!"),
        (lambda g: g.input(9), RuntimeError, "You must setup() the GPIO channel first"),
        (lambda g: g.output(5, 1), RuntimeError, "The GPIO channel has not been set up as an OUTPUT"),
        (lambda g: g.output([20, 20], [1]), RuntimeError, "Number of channels != number of values"),
        (lambda g: g.output(20, [1]), RuntimeError, "Number of channels != number of values"),
        (lambda g: g.output(20, "1"), ValueError, "Value must be an integer/boolean or a list/tuple"),
        (lambda g: g.setup(54, g.IN), ValueError, "The channel sent is invalid on a Raspberry Pi"),
        (lambda g: g.setup("5", g.IN), ValueError, "Channel must be an integer or list/tuple of integers"),
        (lambda g: g.setup(["5"], g.IN), ValueError, "Channel must be an integer"),
        (lambda g: g.setup(5, 2), ValueError, "An invalid direction was passed to setup()"),
        (lambda g: g.setup(5, g.OUT, g.PUD_UP), ValueError, "pull_up_down parameter is not valid for outputs"),
        (lambda g: g.setup(5, g.IN, initial=1), ValueError, "initial parameter is not valid for inputs"),
        (lambda g: g.setup(5, g.IN, 9), ValueError, "Invalid value for pull_up_down"),
        (lambda g: g.PWM(5, 100), RuntimeError, "You must setup() the GPIO channel as an output first"),
        (lambda g: g.PWM(20, 0), ValueError, "frequency must be greater than 0.0"),
        (lambda g: g.PWM(20, 9).start(101), ValueError, "dutycycle must have a value from 0.0 to 100.0"),
        (lambda g: [g.PWM(20, 9), g.PWM(20, 9)], RuntimeError, "A PWM object already exists for this GPIO channel"),
        (lambda g: g.add_event_detect(5, g.FALLING), RuntimeError, "Failed to add edge detection"),
        (lambda g: g.add_event_detect(20, g.FALLING), RuntimeError, "as an input first"),
        (lambda g: g.add_event_detect(5, 7), ValueError, "The edge must be set to RISING, FALLING or BOTH"),
    ],
)
def test_its_errors(gpio: Any, do: Callable[[Any], object], error: type[Exception], text: str) -> None:
    gpio.setup(5, gpio.IN, pull_up_down=gpio.PUD_UP)
    gpio.setup(20, gpio.OUT)
    with pytest.raises(error, match=re.escape(text)):
        do(gpio)


def test_nothing_goes_before_the_mode_is_set(link: Link) -> None:
    gpio: Any = Gpio(link)
    with pytest.raises(ValueError, match="An invalid mode was passed to setmode"):
        gpio.setmode(3)
    with pytest.raises(RuntimeError, match=r"Please set pin numbering mode using GPIO\.setmode"):
        gpio.setup(5, gpio.IN)


def test_it_warns_of_the_pull_ups_on_the_bus(gpio: Any) -> None:
    with pytest.warns(RuntimeWarning, match="A physical pull up resistor is fitted on this channel!"):
        gpio.setup(2, gpio.IN, pull_up_down=gpio.PUD_UP)


def test_a_wave_begins_changes_and_ends(gpio: Any, link: Link) -> None:
    gpio.setup(18, gpio.OUT)
    wave = gpio.PWM(18, 440)
    assert link.tones == []
    wave.start(50)
    wave.ChangeFrequency(880)
    wave.ChangeDutyCycle(0)
    wave.ChangeDutyCycle(50)
    wave.stop()
    assert link.tones == [(18, 440), (18, 880), (18, 0), (18, 880), (18, 0)]
    del wave
    gpio.PWM(18, 440)
