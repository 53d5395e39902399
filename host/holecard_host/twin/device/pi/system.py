"""Stands for the modules through which the board module reaches its system: time, select, serial (pyserial), socket and
fcntl. There is one serial port, the USB gadget, and a socket for systemd; nobody comes over TCP.

A call into the kernel takes 5 us, a byte on the serial port nothing more: USB carries it.
"""

import errno

CALL_US = 5


class Time:
    """The module `time`: a clock that never goes back, and never wraps."""

    def __init__(self, link):
        self._link = link

    def monotonic_ns(self):
        self._link.spend(1)
        return self._link.since_power_on() * 1000

    def monotonic(self):
        return self.monotonic_ns() / 1e9

    def sleep(self, seconds):
        self._link.spend(int(seconds * 1e6))


class Select:
    """The module `select`: `select` over the serial port alone."""

    def __init__(self, link):
        self._link = link

    def select(self, readers, writers, _others, timeout):
        link = self._link
        link.spend(CALL_US)
        ports = [one for one in readers if isinstance(one, _Port)]
        ready = [one for one in writers if link.room() > 0]
        if ports and not link.rx and timeout:
            link.wait_input(int(timeout * 1e6))
        return (ports if link.rx else []), ready, []


class Serial:
    """The module `serial`."""

    def __init__(self, link, gadget):
        class Port(_Port):
            def __init__(self, path, baudrate, **options):
                if path != gadget:
                    raise SerialException(errno.ENOENT, "could not open port %s" % path)
                super().__init__(link)

        self.Serial = Port
        self.SerialException = SerialException


class SerialException(OSError):
    """serial.SerialException."""


class _Port:
    def __init__(self, link):
        self._link = link

    @property
    def in_waiting(self):
        return len(self._link.rx)

    def read(self, size=1):
        link = self._link
        link.spend(CALL_US)
        data = bytes(link.rx[:size])
        link.rx = link.rx[size:]
        return data

    def write(self, data):
        link = self._link
        link.spend(CALL_US)
        count = min(len(data), link.room())
        for byte in bytes(data[:count]):
            link.transmit(bytes((byte,)))
        return count

    def close(self):
        pass


class Socket:
    """The module `socket`."""

    AF_UNIX = 1
    SOCK_DGRAM = 2
    SOCK_CLOEXEC = 0o2000000
    IPPROTO_TCP = 6
    TCP_NODELAY = 1

    def __init__(self, link):
        self._link = link

    def create_server(self, address):
        return _Server()

    def socket(self, family, kind):
        return _Manager(self._link)


class _Server:
    def setblocking(self, blocking):
        pass

    def accept(self):
        raise BlockingIOError(errno.EAGAIN, "Resource temporarily unavailable")

    def close(self):
        pass


class _Manager:
    """systemd at the other end of NOTIFY_SOCKET: it kills what does not call in time."""

    limit_us = 0

    def __init__(self, link):
        self._link = link

    def __enter__(self):
        return self

    def __exit__(self, kind, error, trace):
        pass

    def sendto(self, data, path):
        self._link.spend(CALL_US)
        for line in data.decode().split("\n"):
            name, _, value = line.partition("=")
            if name == "WATCHDOG_USEC":
                _Manager.limit_us = int(value)
            elif name == "WATCHDOG" and _Manager.limit_us:
                self._link.watch(_Manager.limit_us)


class Fcntl:
    """The module `fcntl`: nobody else is there."""

    LOCK_EX = 2
    LOCK_NB = 4

    def flock(self, handle, operation):
        pass
