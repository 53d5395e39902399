"""What `spans` does, for Pythons without MicroPython's viper emitter: same arguments, same answers."""


def first_difference(a, b, at: int, end: int) -> int:
    if a[at:end] == b[at:end]:
        return -1
    while a[at] == b[at]:
        at += 1
    return at


def last_difference(a, b, at: int, end: int, gap: int) -> int:
    last = at
    while at < end and at - last <= gap:
        if a[at] != b[at]:
            last = at
        at += 1
    return last


def copy(target, to: int, source, at: int, count: int) -> None:
    target[to : to + count] = source[at : at + count]
