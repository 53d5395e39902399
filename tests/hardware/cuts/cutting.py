"""Cuts the power of a table at every operation of the flash, starts it again, and compares.

A script is played once without a cut, and every operation remembered with the flash as it lay before it. A cut is that
flash, with the operation in hand left in one of its ways: whatever was in memory is gone anyway. Runs under CPython and
MicroPython alike.
"""

from . import disk
from .flash import Flash
from .powered import Machine

_ROUND = ("dealing", "insurance", "playing")
_KEPT = ("rules", "bankrolls", "states")


class Failed(Exception):
    """What a restart did that it must not; the text says what."""


class Counts:
    """What was tried: operations, cuts (an operation in one of its ways), second cuts, flips; `failures` in words."""

    def __init__(self):
        self.operations = 0
        self.cuts = {}
        self.second_cuts = 0
        self.flips = 0
        self.failures = []

    def summary(self):
        return {
            "operations": self.operations,
            "cut_points": sum(self.cuts.values()),
            "by_kind": self.cuts,
            "second_cuts": self.second_cuts,
            "bit_flips": self.flips,
            "failures": len(self.failures),
            "first_failures": self.failures[:10],
        }


class Trace:
    """A script played without a cut: `states[i]` before step i and, one more, at the end; (step, Operation) of each
    `operations`; the flash at the end, and the newest record of each name."""

    def __init__(self, script, blocks):
        self.script = script
        self.operations = []
        self._step = -1
        flash = Flash(blocks)
        flash.watch = self._watch
        machine = Machine(flash, script.reveal)
        self.states = [machine.state()]
        self.histories = [machine.history()]
        for step in script.steps:
            self._step += 1
            machine.do(step)
            self.states.append(machine.state())
            self.histories.append(machine.history())
        self.blocks = flash.blocks
        self.saved = machine.board.saved
        if flash.faults:
            raise Failed(script.name + ": " + flash.faults[0])
        self._check_money()

    def _watch(self, operation):
        self.operations.append((self._step, operation))

    def _check_money(self):
        """What is in the bankrolls and on the table stays the same in a round, but for what the round pays."""
        for step in range(len(self.script.steps)):
            before, after = self.states[step : step + 2]
            if _in_round(before) and _money(after) != _money(before):
                raise Failed(self.script.name + ": money appears or is lost")

    # -- what is allowed ------------------------------------------------------------------------------------------

    def place(self, state, history, steps):
        """Which of the moments before these steps the restarted table stands at. Failed if at none of them."""
        allowed = [step for step in steps if self._same(state, history, step)]
        for step in allowed:
            if self.states[step] == state:
                return step
        if allowed:
            return allowed[0]
        wanted = [_brief(self.states[step]) for step in steps]
        raise Failed("came back " + state["phase"] + " as " + str(_brief(state)) + ", not as one of " + str(wanted))

    def _same(self, state, history, step):
        wanted = self.states[step]
        if _in_round(wanted):
            return state == wanted
        if _in_round(state) or state["phase"] == "locked":
            return False
        if wanted["phase"] == "settled" and history != self.histories[step]:
            return False
        return _brief(state) == _brief(wanted)

    def resume(self, machine, place):
        """The step with which the restarted table goes on: the next one, or the first of the round that is void."""
        state = machine.state()
        if _in_round(state):
            # A dialog that was open is closed now: it has changed nothing yet, so it is opened again.
            while place > self.script.deal + 1 and self.states[place - 1] == state:
                place -= 1
            return place
        if place <= self.script.deal or _in_round(self.states[place]):
            return min(place, self.script.again)
        # How far the end of a round has been told is nothing that must survive.
        earlier = place
        while earlier > self.script.deal + 1 and _brief(self.states[earlier - 1]) == _brief(state):
            if self.states[earlier]["phase"] == state["phase"]:
                return earlier
            earlier -= 1
        return earlier if self.states[earlier]["phase"] == state["phase"] else place

    def play_on(self, machine, step, end=None):
        """The rest of the script, each step as it went without the cut."""
        for at in range(step, len(self.script.steps) if end is None else end):
            machine.do(self.script.steps[at])
            state = machine.state()
            wanted = self.states[at + 1]
            whole = _in_round(wanted) or wanted["phase"] == state["phase"] == "settled"
            if (state != wanted) if whole else (_brief(state) != _brief(wanted)):
                raise Failed("played on, " + self.script.steps[at] + " leads to " + str(state))


def _in_round(state):
    return state["phase"] in _ROUND


def _brief(state):
    return [state[name] for name in _KEPT]


def _money(state):
    """Half-dollars in the bankrolls and on the table, without what the round has won or lost."""
    money = sum(state["bankrolls"])
    for seat in state["seats"]:
        if seat["net"] is None:
            money += seat["insurance"] + sum([hand["bet"] for hand in seat["hands"]])
        else:
            money -= seat["net"]
    return money


# -- cuts --------------------------------------------------------------------------------------------------------------


def aged():
    """A flash as it comes from the first day: formatted, with the program's files."""
    flash = Flash()
    disk.mount(flash)
    disk.mkdir("lib")
    for number in range(7):
        disk.write("lib/" + str(number) + ".mpy", bytes(8000))
    disk.write("main.py", b"from holecard.start import start\n\nstart()\n" * 3)
    return flash.blocks


def restart(trace, step, blocks, counts, deep):
    """Power on with these blocks after a cut in `step`, play on; with `deep` a second cut at every operation of the
    restart and of the step after it."""
    flash = Flash(blocks)
    seen = []
    if deep:
        flash.watch = seen.append
    machine = Machine(flash, trace.script.reveal)
    place = trace.place(machine.state(), machine.history(), (step + 1, max(step, 0)))
    at = trace.resume(machine, place)
    allowed = [place, at]
    if at < len(trace.script.steps):
        trace.play_on(machine, at, at + 1)
        allowed.append(at + 1)
        flash.watch = None
        trace.play_on(machine, at + 1)
    if flash.faults:
        raise Failed(flash.faults[0])
    for number, operation in enumerate(seen):
        ways = operation.cuts()
        how = ways[(number + step) % len(ways)]
        counts.second_cuts += 1
        again = Machine(Flash(operation.cut(how, b"second" + str(number).encode())), trace.script.reveal)
        trace.place(again.state(), again.history(), allowed)


def cut(trace, number, how, counts, deep):
    step, operation = trace.operations[number]
    kind = operation.kind + ", " + how
    counts.cuts[kind] = counts.cuts.get(kind, 0) + 1
    try:
        restart(trace, step, operation.cut(how, str(number).encode()), counts, deep)
    except Exception as error:
        where = trace.script.steps[step] if step >= 0 else "power-on"
        counts.failures.append(trace.script.name + ", " + where + ", " + kind + ": " + repr(error))


def cut_everywhere(scripts, counts, most=0, deep=1):
    """All scripts, one after the other on the same flash, cut at every operation in all its ways; `most`: at about so
    many of these points, evenly spread. `deep`: every so many-th cut has second cuts too."""
    blocks = aged()
    points = []
    for script in scripts:
        trace = Trace(script, blocks)
        counts.operations += len(trace.operations)
        for number, (_, operation) in enumerate(trace.operations):
            points += [(trace, number, how) for how in operation.cuts()]
        blocks = trace.blocks
    # An odd stride takes the four ways of a program in turn.
    stride = (len(points) // most) | 1 if most else 1
    for done, (trace, number, how) in enumerate(points[::stride]):
        cut(trace, number, how, counts, done % deep == 0)


# -- flipped bits ------------------------------------------------------------------------------------------------------


def flip_bits(script, counts, most=0):
    """Single flipped bits, one at a time, in every page of the flash that holds the newest bytes of a record: the bytes
    themselves and what littlefs keeps beside them. `most`: about so many of them, evenly spread."""
    trace = Trace(script, aged())
    places = [(block, at, bit) for block, at in sorted(_bytes_of(trace)) for bit in range(8)]
    stride = (len(places) // most) | 1 if most else 1
    for block, at, bit in places[::stride]:
        counts.flips += 1
        blocks = dict(trace.blocks)
        old = blocks[block]
        blocks[block] = old[:at] + bytes([old[at] ^ 1 << bit]) + old[at + 1 :]
        try:
            _flipped(trace, blocks)
        except Exception as error:
            counts.failures.append(script.name + ", bit " + str((block, at, bit)) + " flipped: " + repr(error))


def _bytes_of(trace):
    found = set()
    for data in trace.saved.values():
        for block, content in trace.blocks.items():
            at = content.find(data)
            while at >= 0:
                for page in range(at // 256, (at + len(data) - 1) // 256 + 1):
                    found.update([(block, page * 256 + i) for i in range(256)])
                at = content.find(data, at + 1)
    return found


def _flipped(trace, blocks):
    machine = Machine(Flash(blocks), trace.script.reveal)
    trace.place(machine.state(), machine.history(), (len(trace.states) - 1,))
