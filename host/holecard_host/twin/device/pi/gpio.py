"""Stands for the module RPi.GPIO 0.7.1: its modes, pulls, clean-up, warnings and the words of its errors, as its source
(py_gpio.c, common.c, py_pwm.c) has them, on a Pi with 40 pins whose kernel refuses edges.

Reading or setting a pin takes 2 us. A pin without a pull floats, and reads as low here, so that one is missed at once.
"""

import warnings

PIN_US = 2
VERSION = "0.7.1"
RPI_INFO = {"P1_REVISION": 3, "TYPE": "Simulated", "PROCESSOR": "BCM2711"}
RPI_REVISION = 3
UNKNOWN = -1
BOARD = 10
BCM = 11
OUT = 0
IN = 1
LOW = 0
HIGH = 1
PUD_OFF = 20
PUD_DOWN = 21
PUD_UP = 22
RISING = 31
FALLING = 32
BOTH = 33
SERIAL = 40
SPI = 41
I2C = 42
HARD_PWM = 43

# GPIO of each pin of the header.
_HEADER = (
    *(0, 0, 2, 0, 3, 0, 4, 14, 0, 15, 17, 18, 27, 0, 22, 23, 0, 24, 10, 0),
    *(9, 25, 11, 8, 0, 7, 0, 0, 5, 0, 6, 12, 13, 0, 19, 16, 26, 20, 0, 21),
)
_OF_PIN = {pin: gpio for pin, gpio in enumerate(_HEADER, 1) if gpio}
_INVALID = "The channel sent is invalid on a Raspberry Pi"


class Gpio:
    """The module: everything of RPi.GPIO that a program may ask for by name."""

    def __init__(self, link):
        for name, value in globals().items():
            if name[0].isupper() and isinstance(value, (int, str, dict)):
                setattr(self, name, value)
        self._link = link
        self._mode = UNKNOWN
        self._warns = True
        # GPIO -> (direction, pull) of what this program has set up.
        self._set_up: dict = {}
        self._waves: set = set()
        module = self

        class PWM(_Pwm):
            def __init__(self, channel, frequency):
                super().__init__(module, channel, frequency)

        self.PWM = PWM

    # -- modes

    def setmode(self, mode):
        if self._mode not in (UNKNOWN, mode):
            raise ValueError("A different mode has already been set!")
        if mode not in (BOARD, BCM):
            raise ValueError("An invalid mode was passed to setmode()")
        self._mode = mode

    def getmode(self):
        return None if self._mode == UNKNOWN else self._mode

    def setwarnings(self, state):
        self._warns = bool(state)

    # -- pins

    def setup(self, channel, direction, pull_up_down=PUD_OFF, initial=-1):
        channels = _listed(channel)
        if direction not in (IN, OUT):
            raise ValueError("An invalid direction was passed to setup()")
        if direction == OUT and pull_up_down != PUD_OFF:
            raise ValueError("pull_up_down parameter is not valid for outputs")
        if direction == IN and initial != -1:
            raise ValueError("initial parameter is not valid for inputs")
        if pull_up_down not in (PUD_OFF, PUD_DOWN, PUD_UP):
            raise ValueError("Invalid value for pull_up_down - should be either PUD_OFF, PUD_UP or PUD_DOWN")
        for one in channels:
            gpio = self.number(one)
            if gpio in (2, 3) and pull_up_down != PUD_OFF:
                self._warn("A physical pull up resistor is fitted on this channel!")
            self._link.spend(PIN_US)
            self._set_up[gpio] = (direction, pull_up_down)
            if direction == OUT and initial != -1:
                self._drive(gpio, initial)

    def input(self, channel):
        gpio = self.number(channel)
        if gpio not in self._set_up:
            raise RuntimeError("You must setup() the GPIO channel first")
        self._link.spend(PIN_US)
        direction, pull = self._set_up[gpio]
        if direction == OUT:
            return self._link.high >> gpio & 1
        return HIGH if pull == PUD_UP and not self._link.held_low() >> gpio & 1 else LOW

    def output(self, channel, value):
        channels = _listed(channel)
        if isinstance(value, (list, tuple)):
            if not isinstance(channel, (list, tuple)) or len(channels) != len(value):
                raise RuntimeError("Number of channels != number of values")
            values = list(value)
        elif isinstance(value, int):
            values = [value] * len(channels)
        else:
            raise ValueError("Value must be an integer/boolean or a list/tuple of integers/booleans")
        for one, level in zip(channels, values):  # noqa: B905 - as long as each other
            gpio = self.number(one)
            if self._set_up.get(gpio, (None,))[0] != OUT:
                raise RuntimeError("The GPIO channel has not been set up as an OUTPUT")
            self._link.spend(PIN_US)
            self._drive(gpio, level)

    def cleanup(self, channel=None):
        numbers = list(self._set_up) if channel is None else [self.number(one) for one in _listed(channel)]
        found = [gpio for gpio in numbers if self._set_up.pop(gpio, None) is not None]
        for gpio in found:
            self._drive(gpio, LOW)
        if channel is None:
            self._mode = UNKNOWN
        if not found:
            self._warn(
                "No channels have been set up yet - nothing to clean up!  "
                "Try cleaning up at the end of your program instead!"
            )

    def gpio_function(self, channel):
        gpio = self.number(channel)
        return self._set_up[gpio][0] if gpio in self._set_up else {2: I2C, 3: I2C, 14: SERIAL, 15: SERIAL}.get(gpio, IN)

    # -- edges: what a kernel without them in sysfs makes of it

    def add_event_detect(self, channel, edge, callback=None, bouncetime=-666):
        if self._set_up.get(self.number(channel), (None,))[0] != IN:
            raise RuntimeError("You must setup() the GPIO channel as an input first")
        if edge not in (RISING, FALLING, BOTH):
            raise ValueError("The edge must be set to RISING, FALLING or BOTH")
        raise RuntimeError("Failed to add edge detection")

    def wait_for_edge(self, channel, edge, bouncetime=-666, timeout=-1):
        if self._set_up.get(self.number(channel), (None,))[0] != IN:
            raise RuntimeError("You must setup() the GPIO channel as an input first")
        raise RuntimeError("Error waiting for edge")

    def event_detected(self, channel):
        self.number(channel)
        return False

    def remove_event_detect(self, channel):
        self.number(channel)

    # -- inside

    def number(self, channel):
        """The GPIO of a channel in the mode that was set."""
        if self._mode == UNKNOWN:
            raise RuntimeError("Please set pin numbering mode using GPIO.setmode(GPIO.BOARD) or GPIO.setmode(GPIO.BCM)")
        if self._mode == BOARD:
            if channel not in _OF_PIN:
                raise ValueError(_INVALID)
            return _OF_PIN[channel]
        if not 0 <= channel <= 53:
            raise ValueError(_INVALID)
        return channel

    def is_output(self, gpio):
        """Whether this program has made it one."""
        return self._set_up.get(gpio, (None,))[0] == OUT

    def sound(self, gpio, hertz):
        """A wave begins on a pin, or ends."""
        self._link.spend(PIN_US)
        self._link.tone(gpio, hertz)

    def claim(self, gpio, wanted):
        """A wave needs a pin of its own."""
        if wanted and gpio in self._waves:
            raise RuntimeError("A PWM object already exists for this GPIO channel")
        (self._waves.add if wanted else self._waves.discard)(gpio)

    def _drive(self, gpio, level):
        bit = 1 << gpio
        self._link.drive(self._link.high | bit if level else self._link.high & ~bit)

    def _warn(self, text):
        if self._warns:
            warnings.warn(text, RuntimeWarning, stacklevel=3)


class _Pwm:
    def __init__(self, module, channel, frequency):
        gpio = module.number(channel)
        module.claim(gpio, True)
        if not module.is_output(gpio):
            module.claim(gpio, False)
            raise RuntimeError("You must setup() the GPIO channel as an output first")
        self._module = module
        self._gpio = gpio
        self._duty = 0.0
        self._runs = False
        self._heard = 0
        self.ChangeFrequency(frequency)

    def start(self, dutycycle):
        self._runs = True
        self.ChangeDutyCycle(dutycycle)

    def stop(self):
        self._runs = False
        self._update()

    def ChangeDutyCycle(self, dutycycle):
        if not 0.0 <= dutycycle <= 100.0:
            raise ValueError("dutycycle must have a value from 0.0 to 100.0")
        self._duty = dutycycle
        self._update()

    def ChangeFrequency(self, frequency):
        if frequency <= 0.0:
            raise ValueError("frequency must be greater than 0.0")
        self._hertz = frequency
        self._update()

    def __del__(self):
        if hasattr(self, "_hertz"):
            self.stop()
            self._module.claim(self._gpio, False)

    def _update(self):
        hertz = int(self._hertz) if self._runs and 0 < self._duty < 100 else 0
        if hertz != self._heard:
            self._heard = hertz
            self._module.sound(self._gpio, hertz)


def _listed(channel):
    if isinstance(channel, int):
        return [channel]
    if not isinstance(channel, (list, tuple)):
        raise ValueError("Channel must be an integer or list/tuple of integers")
    if [one for one in channel if not isinstance(one, int)]:
        raise ValueError("Channel must be an integer")
    return list(channel)
