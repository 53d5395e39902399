"""smbus2 for the same test: a bus on which everything is acknowledged and written to a file."""

import os


class i2c_msg:
    def __init__(self, address, data):
        self.address, self.data = address, data

    @staticmethod
    def write(address, buf):
        return i2c_msg(address, bytes(buf))


class SMBus:
    def __init__(self, bus=None, force=False):
        pass

    def write_i2c_block_data(self, address, register, data, force=None):
        self._write(address, bytes([register, *data]))

    def i2c_rdwr(self, *messages):
        for message in messages:
            self._write(message.address, message.data)

    def close(self):
        pass

    def _write(self, address, data):
        with open(os.environ["HOLECARD_TEST_PI"], "a", encoding="ascii") as file:
            file.write(f"panel {address} {data.hex()}\n")
