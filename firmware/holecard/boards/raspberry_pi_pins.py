"""What is wired to which GPIO (BCM) of a Raspberry Pi. Written by `make pinmap`, see hardware/pinmap.toml."""

SDA = 2
SCL = 3
# Where they are on the header, for people.
SDA_HEADER = 3
SCL_HEADER = 5
# What `dtparam=i2c_arm_baudrate` should say: the kernel sets the speed of the bus.
I2C_HZ = 400_000
# For a panel on SPI0, CE0.
SPI_DC = 24
SPI_RST = 25

# Buttons short their pin to ground, lamps light when their pin is high; order: BET, HIT, STAND, DOUBLE.
KEYS = (5, 6, 13, 19)
LAMPS = (12, 16, 20, 21)

# Optional: a passive piezo, two sensors that pull their pin low, and a strap to ground that makes an arcade table.
PIEZO = 18
TAP = 23
WAVE = 22
STRAP = 26
