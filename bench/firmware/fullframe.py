"""What a plain driver does for every change: a window, command by command, then the whole frame; how long it takes."""

import time

import framebuf
import machine

from holecard.boards.pico_pins import I2C_BUS, I2C_HZ, SCL, SDA

_ADDRESS = 0x3C
_WINDOW = b"\x21\x00\x7f\x22\x00\x07"
_SHOWS = 5

frame = bytearray(1 + 128 * 64 // 8)
frame[0] = 0x40
picture = framebuf.FrameBuffer(memoryview(frame)[1:], 128, 64, framebuf.MONO_VLSB)
bus = machine.I2C(I2C_BUS, sda=machine.Pin(SDA), scl=machine.Pin(SCL), freq=I2C_HZ)
command = bytearray(b"\x80\x00")


def show():
    for code in _WINDOW:
        command[1] = code
        bus.writeto(_ADDRESS, command)
    bus.writeto(_ADDRESS, frame)


time.sleep_ms(300)
before = time.ticks_us()
for shown in range(_SHOWS):
    picture.text("BET " + str(shown), 0, 0)
    show()
taken = time.ticks_diff(time.ticks_us(), before) // _SHOWS
print("inside", taken)
while True:
    time.sleep_ms(100)
