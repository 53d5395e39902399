"""The digest of the program: what runs here, compared with what was installed.

It is the SHA-256 of what `sha256sum` prints for the program's files, in the order of their names, so that it can be
checked by hand. Whoever installs the table puts the digest beside the files, under the name INSTALLED; a table whose
files are meant to be edited has none, and so has one that was copied by hand.

A flash that forgets and an update that was broken off are found; somebody who can write files can write that one too.
"""

from binascii import hexlify
from hashlib import sha256

from holecard.table import jsontext as js
from holecard.table import telling

INSTALLED = "holecard/program.sha256"
CHANGED = "program changed"
_DIGITS = 64
COMPUTING = "computing"
COMPUTED = "computed"
IMAGE = "image"


class Digest:
    """Computes it piece by piece, with `step`.

    state      COMPUTING, COMPUTED, or IMAGE: the program is part of MicroPython's own image and has no files
    digest     64 hex digits once it is COMPUTED; `files`: of how many files so far
    installed  what it should be, "" if nobody has said
    match      whether the two are equal, None while that is not known
    """

    def __init__(self, desk) -> None:
        self._desk = desk
        self._pieces = desk.board.program()
        self._whole = sha256()
        self._file: "sha256 | None" = None
        self._name = ""
        self._promised = b""
        self.state = COMPUTING
        self.digest = self.installed = ""
        self.match: "bool | None" = None
        self.files = 0

    def step(self) -> bool:
        """Takes in one piece of a file; False when there are no more, and the comparison has had its consequences."""
        if self.state != COMPUTING:
            return False
        try:
            piece = next(self._pieces)
        except (StopIteration, OSError):
            # A file that cannot be read is missing in the digest, which says enough.
            self._end_file()
            self._finish()
            return False
        if isinstance(piece, str):
            self._end_file()
            self._name = piece
            if piece != INSTALLED:
                self._file = sha256()
        elif self._file:
            self._file.update(piece)
        elif len(self._promised) <= _DIGITS:
            self._promised += bytes(piece[:_DIGITS])
        return True

    def answer(self) -> str:
        """As SYSTem:DIGest? tells it."""
        return js.record(
            ("state", js.quote(self.state)),
            ("digest", js.quote(self.digest)),
            ("installed", js.quote(self.installed)),
            ("match", "null" if self.match is None else js.flag(self.match)),
            ("files", str(self.files)),
        )

    def lines(self) -> list:
        """The same as lines of a page."""
        if self.state != COMPUTED:
            return ["Program: " + self.state]
        said = "no digest installed" if self.match is None else "as installed" if self.match else "CHANGED"
        return ["Program", said] + [self.digest[at : at + 16] for at in range(0, _DIGITS, 16)]

    def _end_file(self) -> None:
        if self._file:
            # The digits themselves are what sha256sum prints in front of two blanks and the name.
            self._whole.update(hexlify(self._file.digest()))
            self._whole.update(("  " + self._name + "\n").encode())
            self.files += 1
            self._file = None

    def _finish(self) -> None:
        self.state = COMPUTED if self.files else IMAGE
        if self.files:
            self.digest = hexlify(self._whole.digest()).decode()
        promised = self._promised[:_DIGITS]
        if promised and self.files:
            # What is no digest matches none, and is told as nothing worse.
            self.installed = "".join([chr(byte) for byte in promised if 48 <= byte <= 102])
            self.match = self.installed == self.digest
        self._pieces = None
        if self.match is False:
            self._tell()

    def _tell(self) -> None:
        desk = self._desk
        desk.events.put(desk.now, telling.PROGRAM, self.digest, self.installed)
        try:
            desk.keeper.enter(CHANGED + ": " + self.digest[:8])
        except OSError:
            desk.game.tell_error(-310, "a record of the past was not saved")
        if desk.game.arcade:
            # An open round stays in the record as it is, for the program that began it.
            desk.keeper.distrust(CHANGED)
        elif desk.front.phase == "betting" and not desk.front.page and not desk.front.menu:
            desk.front.open_page("program", ["PROGRAM"] + self.lines()[1:], "")
