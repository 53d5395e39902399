"""The emulated Pico: MicroPython's own RP2040 image on the chip of the package rp2040py, in a process of its own.

`python -m holecard_host.twin.emulated IMAGE` speaks the protocol of twin/device/link.py on its standard streams, so the
simulator drives it like the simulated Pico. What differs: flash records name sectors instead of files, `lines` and
`idle` are judged by what comes over the emulated USB and by the processor's sleep, and time may pass a grant's end by
one flash operation, which stops the processor.
"""
