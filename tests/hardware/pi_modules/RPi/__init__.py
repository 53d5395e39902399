"""RPi.GPIO for a test that runs `python -m holecard` as a process of its own, by the wall clock: the stand-in of sim://pi
without a simulator. No button is down; HOLECARD_TEST_PI names a file that gets a line for every change of the lamps."""

import os
import sys

from holecard_host.twin.device.pi.gpio import Gpio


class Link:
    high = 0

    def spend(self, us):
        pass

    def tone(self, gpio, hertz):
        pass

    def held_low(self):
        return 0

    def drive(self, mask):
        if mask != self.high:
            self.high = mask
            with open(os.environ["HOLECARD_TEST_PI"], "a", encoding="ascii") as file:
                file.write(f"lamps {mask}\n")


GPIO = Gpio(Link())
sys.modules["RPi.GPIO"] = GPIO
