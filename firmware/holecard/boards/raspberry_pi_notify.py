"""What a service tells systemd, as sd_notify(3) says it: one datagram to the socket that NOTIFY_SOCKET names."""

import os
import socket


def notify(state: str) -> None:
    """Tell it; nothing happens where nobody wants to know."""
    path = os.environ.get("NOTIFY_SOCKET", "")
    if not path:
        return
    if path[0] == "@":
        path = "\0" + path[1:]
    try:
        with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM | socket.SOCK_CLOEXEC) as sender:
            sender.sendto(state.encode(), path)
    except OSError:
        # systemd itself is not there for a moment: the next one will reach it.
        pass
