"""The simulated Raspberry Pi, as seen by the firmware that runs on it: what stands for RPi.GPIO, smbus2, spidev,
pyserial, and the system calls of the board module. It runs on CPython, inside the firmware's process; luma.oled is the
real one.
"""
