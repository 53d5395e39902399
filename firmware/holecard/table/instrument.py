"""The wire: bytes in, commands carried out one at a time, answers and events out as fast as the port takes them.

Back-pressure keeps it bounded. While the host does not read, few answers wait here and further commands wait in the
port; events wait in their queue, where the oldest are dropped and counted. The game goes on regardless.
"""

from holecard.rules.ruleset import Refused
from holecard.table.game import RoundVoid
from holecard.table.lines import LineReader
from holecard.table.status import ScpiError, Status
from holecard.table.waiting import WAIT

_CHUNK = 64
# An answer up to this long goes out as one piece, its line end included.
_SHORT = 256
# Above this many unsent bytes no further command runs and no event is pushed.
_ENOUGH = 1024
_CTRL_C = 3


class Instrument:
    """Serves one serial port. `desk` is the table as the commands see it; see `commands`.

    `step` raises KeyboardInterrupt when the byte 0x03 comes in bench mode.
    """

    def __init__(self, board, desk) -> None:
        self.status = Status()
        self._board = board
        # In bench mode this byte is for whoever wants the prompt; an arcade table takes it for what it is, noise.
        self._interruptible = board.mode == "bench"
        self._desk = desk
        self._tree: "object | None" = None
        self._reader = LineReader()
        self._chunk = bytearray(_CHUNK)
        self._at = 0
        self._end = 0
        self._units: list = []
        self._path: list = []
        self._parts: list = []
        self._held = 0
        # True once a part of the answer line has been queued.
        self._split = False
        # What is to be sent, and what of its first piece.
        self._out: list = []
        self._rest: "bytes | memoryview" = b""
        self.unsent = 0
        self.completing = False
        # The command in hand, from `Tree.read`, waits for the table; the port took nothing of what was offered.
        self._waits = False
        self._call: tuple = ()
        self.stalled = False

    @property
    def active(self) -> bool:
        """True while there is work that waits for nobody."""
        if not self.stalled and (self.unsent > 0 or self._telling()):
            return True
        if self._units:
            return not self._waits and self.unsent <= _ENOUGH
        return self._at < self._end

    @property
    def resting(self) -> bool:
        """True while nothing is in hand: there is nothing to do before bytes or events come."""
        return not (self._units or self.unsent or self.completing) and self._at >= self._end

    @property
    def owing(self) -> bool:
        """True while something is still to be sent. Events that have to wait for the end of an answer line that has
        been begun do not count: the rest of that line may be waiting for just this to become False."""
        return self.unsent > 0 or self._telling()

    @property
    def message_available(self) -> bool:
        return bool(self._parts) or self.unsent > 0

    def step(self) -> None:
        """A bounded piece of work: read one chunk, carry out at most one command, send what the port takes."""
        offered = self.unsent > 0
        if offered:
            self._send()
        if self.completing and not self._desk.pending():
            self.completing = False
            self.status.esr |= 1
        if not self._units and (self._at < self._end or self.read()):
            self._take_line()
        if self._units and self.unsent <= _ENOUGH:
            self._run_unit()
        if self._telling():
            self._queue(self._desk.events.line() + "\n")
        if self.unsent and not offered:
            self._send()

    def _telling(self) -> bool:
        """True while there is an event that may go out now."""
        events = self._desk.events
        return events.pushing and len(events) > 0 and not self._split and self.unsent <= _ENOUGH

    def read(self) -> bool:
        """Takes a chunk from the port, once all of the last one has been used; True if there was anything."""
        self._at = 0
        self._end = self._board.read_into(self._chunk)
        if not self._end:
            return False
        # Nothing follows it in a chunk: see the list of what a board offers.
        if self._interruptible and self._chunk[self._end - 1] == _CTRL_C:
            raise KeyboardInterrupt
        return True

    def _take_line(self) -> None:
        self._at = self._reader.feed(self._chunk, self._at, self._end)
        if self._reader.overrun:
            self.status.error(-363)
        line = self._reader.line
        if line is not None:
            self._units = self._commands().units(line)
            self._path = []

    def _commands(self):
        # Loaded when somebody speaks: a table that plays alone starts sooner and keeps the room.
        if self._tree is None:
            from holecard.table.commands import Tree  # noqa: PLC0415

            self._tree = Tree()
        return self._tree

    def _run_unit(self) -> None:
        answer = self._obey()
        # Before an answer or an event can tell of it.
        self._desk.store()
        self._waits = answer is WAIT
        if self._waits:
            return
        self._units.pop(0)
        try:
            if answer is not None:
                self._answer(answer)
            if not self._units:
                self._finish()
            elif self._held > _ENOUGH:
                # Too much to keep until the line is done: the first answers go ahead, and no event may come between.
                self._queue_parts()
        except MemoryError:
            # What was asked for has been done and stored. Only the answer is lost, with what was to be said after it.
            self._parts = []
            self._held = 0
            if self._split:
                # So that the next answer is a line of its own.
                self._queue("\n")
                self._split = False
            self.status.error(-321)

    def _obey(self):
        # The level stays where it was when a unit cannot be read.
        try:
            tree = self._commands()
            if not self._waits:
                self._call = tree.read(self._units[0], self._path)
                self._path = self._call[2]
            return tree.run(self._desk, self._call)
        except ScpiError as error:
            self.status.error(error.code, error.detail)
        except Refused as refusal:
            self.status.error(-221, refusal.reason)
        except RoundVoid as void:
            self.status.error(-200, void.reason)
        except MemoryError:
            # A question changes nothing. A command may have been left half done: then the table starts again from its
            # record (start.py).
            if not self._units[0].split(" ")[0].endswith("?"):
                raise
            self.status.error(-321)
        return None

    def _answer(self, answer) -> None:
        if self._parts or self._split:
            self._parts.append(";")
        # A long answer is a list of pieces: no block of the heap has to hold all of it.
        for part in answer if isinstance(answer, list) else (answer,):
            self._parts.append(part)
            self._held += len(part) + 1

    def _finish(self) -> None:
        if self._parts and self._held <= _SHORT and not self._split:
            self._parts.append("\n")
            self._queue("".join(self._parts))
            self._parts = []
            self._held = 0
            return
        self._queue_parts()
        if self._split:
            self._queue("\n")
        self._split = False

    def _queue_parts(self) -> None:
        # Piece by piece: a joined line would need a large block of the heap twice.
        for part in self._parts:
            self._queue(part)
            self._split = True
        self._parts = []
        self._held = 0

    def _queue(self, text: str) -> None:
        data = text.encode()
        if not data:
            return
        if not self._out:
            self._rest = data
        self._out.append(data)
        self.unsent += len(data)

    def _send(self) -> None:
        count = self._board.write_from(self._rest)
        self.stalled = count == 0
        if self.stalled:
            return
        self.unsent -= count
        if count < len(self._rest):
            # Cut once, not on every pass while the port takes nothing: that would allocate.
            self._rest = memoryview(self._rest)[count:]
            return
        self._out.pop(0)
        self._rest = self._out[0] if self._out else b""
