"""The device: one board, one game, one panel, one wire, and the step that gives each of them its turn."""

from binascii import hexlify

import holecard
from holecard.drivers.panel import Panel
from holecard.rules.ruleset import Refused
from holecard.table import keys, telling, ticks
from holecard.table.ahead import pieces
from holecard.table.canvas import Canvas
from holecard.table.events import Events
from holecard.table.front import Front
from holecard.table.game import Game
from holecard.table.house import House
from holecard.table.instrument import Instrument
from holecard.table.keeper import Keeper
from holecard.table.keys import Keys
from holecard.table.view import View

_BRIGHT = 0xCF
_FAINT = 0x08
# A key that is bouncing, or a port that takes nothing, is looked at this often.
_SAMPLE_US = 1_000
_PAUSE_US = 25_000
_SEED_BYTES = 32
# So long the answer to the order that restarts the table may take on its way out.
_FAREWELL_US = 300_000
# HIT and STAND, the two inner keys, held from power-on for so long lead to the operator's menu.
_CHORD = 6
_CHORD_US = 2_000_000
_KEYS = 15
# What moves the bits of tap and hand wave (16, 32) to those of HIT and STAND (2, 4), and leaves no others.
_TO_KEYS = 3
_SENSED = 6
# What Keys.feed finds when a finger moves, as against one that rests.
_MOVED = _KEYS << keys.PRESS | _KEYS << keys.RELEASE

TEST_PANEL = 1
TEST_MEMORY = 2
TEST_RECORD = 4
TEST_KEYS = 8
TEST_ENTROPY = 16


class Table:
    """Everything between the board's inputs and outputs.

    The commands of the wire see this object as their desk: `board`, `game`, `front`, `status`, `events`, `canvas`,
    `panel`, `wire`, `identity`, `now` and the methods below.
    """

    def __init__(self, board) -> None:
        self.board = board
        self.now = board.now()
        serial = hexlify(board.unique_id()).decode()
        # Said to every host that asks, and asked often: what *IDN? answers.
        self.identity = "Holecard,Table-" + board.name + "," + serial + "," + holecard.__version__
        self.events = Events()
        self.game = Game(self.events, self.now)
        self.front = Front(self.game, self.events, self.now)
        self.canvas = Canvas()
        self._view = View(self.canvas)
        self.panel = Panel(board, self.canvas)
        # True while the panel may not show the canvas yet.
        self._unsent = True
        self._keys = Keys()
        self._sensors = Keys()
        self.wire = Instrument(board, self)
        self.status = self.wire.status
        self._lamps = -1
        self._dim = False
        self._blank = False
        # A press from the wire: the mask that is held down, then a pause with none, long enough to re-arm the key.
        self._press = 0
        self._press_until = self.now
        self._pressing = False
        # Nothing is under way: no pass has anything to do before `_due`, unless a key, a byte or a change comes.
        self.calm = False
        self._due = self.now
        self._changes = 0
        self.keeper = Keeper(board, self.game, self.status)
        self.game.alarm = self.status.locked
        self.keeper.load()
        self.house = House(board, self.game, self.keeper, board.entropy(_SEED_BYTES))
        self.house.load()
        self.game.promise()
        self._menu_at = ticks.add(self.now, _CHORD_US)
        self._chord = True
        self._ends_at = self.now
        self._ending = False
        self._ahead = pieces()
        # The digest of the program, once somebody has begun it: see digest.py.
        self.program: "object | None" = None
        self.front.stand(self.now)
        self.events.put(self.now, telling.POWER, board.name, self.game.phase)
        if board.problem:
            self.events.put(self.now, telling.SETTINGS, board.problem)
            self.front.notice(board.problem)

    # -- the loop ----------------------------------------------------------------------------------------------------

    def step(self, now: int) -> int:
        """One pass, never blocking: keys, game, a piece of the panel, the wire. Returns when it wants to run next."""
        self.now = now
        self.game.now = now
        levels = self.board.keys()
        if self.calm:
            untouched = not levels and self.game.changes == self._changes and not self.front.dirty
            if untouched and ticks.diff(now, self._due) < 0 and not self.wire.read():
                return self._due
            self.calm = False
        self._feel(levels, now)
        due = self.front.step(now)
        # What comes of a deal, or of time, is stored before it can be seen.
        self.store()
        self.draw()
        more = self._show()
        self.wire.step()
        self.keeper.tick(now)
        # What may wait is written while no key is down.
        if not more and not self._keys.busy:
            more = self.keeper.rest() or self._load_ahead()
        if self._ending and ticks.diff(now, self._ends_at) >= 0:
            self.board.reset()
        return self._next(now, due, more)

    # MicroPython keeps the variables of a call on the stack while they take at most 11 words, the values in work
    # included; else it looks for room in the heap, 0.3 ms each time. So the pass is told in short methods.

    def _feel(self, levels: int, now: int) -> None:
        """Keys and sensors."""
        if self._chord:
            self._feel_chord(levels, now)
        if self._pressing and ticks.diff(now, self._press_until) >= 0:
            self._pressing = self._press != 0
            self._press = 0
            self._press_until = ticks.add(now, _PAUSE_US)
        found = self._keys.feed(levels & _KEYS | self._press, now)
        if found:
            if found & _MOVED:
                self.game.shoes.press(now)
            self.front.gesture(found, now)
        found = self._sensors.feed(levels >> _TO_KEYS & _SENSED, now)
        if found:
            self.front.sensed(found, now)

    def _feel_chord(self, levels: int, now: int) -> None:
        self._chord = levels & _KEYS == _CHORD
        if self._chord and ticks.diff(now, self._menu_at) >= 0:
            from holecard.table.menu import Menu  # noqa: PLC0415 - for the owner, who is seldom there

            self._chord = False
            Menu(self)

    def _show(self) -> bool:
        """A piece of the panel, then the press that it has acknowledged, and its sound. True if there is more."""
        front = self.front
        if front.idle.refresh and not self._keys.busy:
            front.idle.refresh = False
            self.panel.refresh()
        more = self._flush()
        if not more and front.committing:
            front.commit()
            # Nobody can see what came of it, pull the plug and choose again.
            self.store()
            more = True
        if front.sound:
            if self.house.sound:
                self.board.sound(front.sound)
            front.sound = ""
        return more

    def _next(self, now: int, due: int, more: bool) -> int:
        wire = self.wire
        quiet = self._keys.quiet and self._sensors.quiet
        if more or wire.active or self.front.urgent:
            soon = now
        elif wire.unsent or not quiet:
            soon = ticks.add(now, _SAMPLE_US)
        else:
            soon = due
            # An absent panel is tried again on every pass that comes by.
            self.calm = wire.resting and not self._pressing and self.panel.present and not self._ending
            self._changes = self.game.changes
            self._due = due
        if self._pressing and ticks.diff(self._press_until, soon) < 0:
            soon = self._press_until
        return soon if ticks.diff(soon, due) < 0 else due

    def _flush(self) -> bool:
        # Comparing eight pages takes 0.8 ms on the chip: not in a pass that drew nothing.
        if not self._unsent and self.panel.present:
            return False
        more = self.panel.flush_some()
        self._unsent = more
        return more

    def _load_ahead(self) -> bool:
        """A piece of the program, while nobody wants anything; False if there is none left."""
        if self._ahead and self.wire.resting and not self.front.busy:
            try:
                # The body runs once if there is a piece more.
                for _ in self._ahead:
                    return True
            except (ImportError, MemoryError, OSError, ValueError):
                # Whoever needs it tries again. Until then the digest may tell what is wrong with the program.
                # ValueError: what one flipped bit can make of a .mpy file.
                pass
            self._ahead = None
        return False

    def draw(self) -> None:
        """Brings canvas, lamps and brightness in line with the game, if anything has changed."""
        front = self.front
        idle = front.idle
        if idle.dim != self._dim:
            self._dim = idle.dim
            self.panel.contrast(_FAINT if self._dim else _BRIGHT)
        if idle.blank != self._blank:
            self._blank = idle.blank
            self.panel.on(not self._blank)
        if not front.dirty:
            return
        front.compose()
        self._view.draw(front.scene)
        self._unsent = True
        if front.scene.lamps != self._lamps:
            self._lamps = front.scene.lamps
            self.board.lamps(self._lamps)

    # -- what the commands ask for -----------------------------------------------------------------------------------

    def pending(self) -> bool:
        """True while anything is under way: a press, a reveal, a page, a record, an answer or an event to be sent."""
        return (
            self._pressing
            or self.keeper.pending
            or self._keys.busy
            or self._sensors.busy
            or self.front.busy
            or (self._unsent and self.panel.pending)
            or self.wire.owing
        )

    def press(self, mask: int, ms: int) -> bool:
        """Holds a key down from inside for `ms`; False while the last such press is not over yet."""
        if self._pressing or self._keys.busy:
            return False
        self._pressing = True
        self._press = mask
        self._press_until = ticks.add(self.now, ms * 1000)
        return True

    def self_test(self) -> int:
        """0, or the sum of what is wrong: 1 panel, 2 memory, 4 stored record, 8 stuck key, 16 entropy source."""
        result = 0 if self.panel.present else TEST_PANEL
        if not _memory_holds():
            result |= TEST_MEMORY
        if self.game.phase == "locked":
            result |= TEST_RECORD
        if self._keys.stuck or self._sensors.stuck:
            result |= TEST_KEYS
        return result if self.keeper.healthy() else result | TEST_ENTROPY

    def examine(self) -> bool:
        """A piece of the program's digest; to be called at rest, until it returns False."""
        if self.program is None:
            from holecard.table.digest import Digest  # noqa: PLC0415 - a start should not wait for it

            self.program = Digest(self)
        try:
            return self.program.step()  # type: ignore[attr-defined]
        except MemoryError:
            # Whoever asks is told that it is still being computed, and here why.
            self.program = None
            self.status.error(-321, "no digest of the program")
            return False

    def take_stock(self) -> None:
        """Empties the heap; while that, or the flash, leaves too little room no round begins."""
        from holecard.table import stock  # noqa: PLC0415 - a start should not wait for it

        heap, _, flash, _ = self.board.room()
        stock.judge(self, heap, flash)

    def restart(self) -> None:
        """As after power-on, as soon as what is stored and said now is out; nobody plays before."""
        self._ending = True
        self._ends_at = ticks.add(self.now, _FAREWELL_US)
        self.game.closed = "The table restarts."
        self.game.changes += 1

    def clear_record(self, entry: str = "") -> None:
        """BENCh:CLEar, and the operator's CLEAR: a table as on its first day, but for what can be read and trusted: the
        meters, and the bankrolls where another record was the one that could not be. Refused, and as it was, when the
        flash takes nothing. `entry`: of the log, written first."""
        try:
            keep = self.keeper.open(entry)
        except OSError:
            raise Refused("the flash takes no record")
        self.game.unlock(keep)

    # -- the records -------------------------------------------------------------------------------------------------

    def store(self) -> None:
        """Writes down what has just happened, before anybody can see it."""
        if self.game.unsaved:
            self.keeper.store()
        self.events.hold()


def _memory_holds() -> bool:
    try:
        block = bytearray(512)
    except MemoryError:
        return False
    for pattern in (0x55, 0xAA):
        for i in range(512):
            block[i] = pattern
        for i in range(512):
            if block[i] != pattern:
                return False
    return True
