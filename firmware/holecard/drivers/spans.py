"""Where two pictures differ, in machine code: the one loop over bytes that a change of the screen needs.

`softspans` says the same for Pythons without MicroPython's viper emitter, and is the reference.
"""

import micropython


@micropython.viper
def first_difference(a: ptr8, b: ptr8, at: int, end: int) -> int:  # noqa: F821
    """The first index from `at` up to `end` where two bytearrays differ, -1 if there is none.

    Four bytes at a time: MicroPython begins a bytearray, though not a view of one, where a word may begin.
    """
    while at < end and at & 3:
        if a[at] != b[at]:
            return at
        at += 1
    a_words = ptr32(a)  # noqa: F821
    b_words = ptr32(b)  # noqa: F821
    word = at >> 2
    while word < end >> 2 and a_words[word] == b_words[word]:
        word += 1
    if at < word << 2:  # noqa: PLR1730 - viper has no max()
        at = word << 2
    while at < end:
        if a[at] != b[at]:
            return at
        at += 1
    return -1


@micropython.viper
def last_difference(a: ptr8, b: ptr8, at: int, end: int, gap: int) -> int:  # noqa: F821
    """From `at`, where they differ, the last index before `end` reached across at most `gap` equal bytes at a time."""
    last = at
    while at < end and at - last <= gap:
        if a[at] != b[at]:
            last = at
        at += 1
    return last


@micropython.viper
def copy(target: ptr8, to: int, source: ptr8, at: int, count: int):  # noqa: F821
    """`count` bytes of `source` from index `at` to index `to` of `target`; a slice would allocate."""
    while count:
        target[to] = source[at]
        to += 1
        at += 1
        count -= 1
