"""What is wired to which GPIO of the Pico. Written by `make pinmap` from hardware/pinmap.toml: edit that."""

I2C_BUS = 0
SDA = 4
SCL = 5
I2C_HZ = 400_000

# Buttons short their pin to ground, lamps light when their pin is high; order: BET, HIT, STAND, DOUBLE.
KEYS = (10, 11, 12, 13)
LAMPS = (18, 19, 20, 21)

# Optional: a passive piezo, two sensors that pull their pin low, and a strap to ground that makes an arcade table.
PIEZO = 22
TAP = 14
WAVE = 15
STRAP = 6
