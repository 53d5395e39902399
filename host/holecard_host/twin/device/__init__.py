"""The simulated Pico, as seen by the firmware that runs on it: this package runs inside the firmware's process.

It works on CPython and MicroPython and imports nothing of the host. `boot` connects it to the simulator and starts the
firmware; `link` holds the clock and speaks with the simulator; the rest stands for MicroPython's modules.
"""
