"""The pins of a Raspberry Pi, by way of RPi.GPIO or of rpi-lgpio, which offers the same under the same name.

Levels are read and never edges: newer kernels refuse those ("Failed to add edge detection").
"""

from typing import Any

from holecard.boards import raspberry_pi_faults as faults
from holecard.boards import raspberry_pi_pins as numbers


class Pins:
    """The buttons, lamps and what else is wired, by the names that GPIO pins have (BCM).

    `sensors` are further inputs as (pin, bit of `keys`). Raises BoardFault with what is wrong and what to do about it.
    """

    def __init__(self, sensors, sound: bool):
        try:
            from RPi import GPIO  # noqa: PLC0415 - an extra
        except ImportError as error:
            raise faults.BoardFault(faults.missing("RPi.GPIO", error))
        except Exception as error:  # RuntimeError, NotImplementedError, or lgpio.error, which is nobody's child
            raise faults.BoardFault(faults.pins(error))
        self._gpio = GPIO
        self._inputs = [(pin, 1 << key) for key, pin in enumerate(numbers.KEYS)] + list(sensors)
        self._lamps = list(numbers.LAMPS)
        self._pwm: Any = None
        self._sounding = False
        try:
            # A table that was killed left its lamps as outputs, of which RPi.GPIO would warn.
            GPIO.setwarnings(False)
            GPIO.setmode(GPIO.BCM)
            GPIO.setup([pin for pin, _ in self._inputs] + [numbers.STRAP], GPIO.IN, pull_up_down=GPIO.PUD_UP)
            GPIO.setup(self._lamps, GPIO.OUT, initial=GPIO.LOW)
            if sound:
                GPIO.setup(numbers.PIEZO, GPIO.OUT, initial=GPIO.LOW)
                self._pwm = GPIO.PWM(numbers.PIEZO, 440)
        except Exception as error:
            raise faults.BoardFault(faults.pins(error))
        self._read = GPIO.input

    def strapped(self) -> bool:
        """Whether the strap is there that makes an arcade table."""
        return not self._read(numbers.STRAP)

    def keys(self) -> int:
        """Mask of the inputs that are low."""
        mask = 0
        for pin, bit in self._inputs:
            if not self._read(pin):
                mask |= bit
        return mask

    def lamps(self, mask: int) -> None:
        """Light exactly these."""
        self._gpio.output(self._lamps, [mask >> key & 1 for key in range(len(self._lamps))])

    def tone(self, hertz: int) -> None:
        """Begin a square wave at the piezo; 0 ends it."""
        if not hertz:
            if self._sounding:
                self._pwm.stop()
        elif self._sounding:
            self._pwm.ChangeFrequency(hertz)
        else:
            self._pwm.ChangeFrequency(hertz)
            self._pwm.start(50)
        self._sounding = hertz != 0

    def close(self) -> None:
        """Let the pins go: no lamp, no sound."""
        if self._sounding:
            self._pwm.stop()
        # Before the clean-up: it stops its wave once more when it goes, and that needs the pin.
        self._pwm = None
        self._gpio.cleanup()
