"""Lights a lamp: the instant at which MicroPython comes to run somebody's program."""

import time

import machine

machine.Pin(18, machine.Pin.OUT, value=1)
while True:
    time.sleep_ms(100)
