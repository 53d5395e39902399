"""Which places are joined, as a drawing shows it: what a schematic and a breadboard are both read back with."""


class Joined:
    """Places in groups. `same(a, b)` joins two of them."""

    def __init__(self):
        self._above = {}

    def find(self, place):
        """The representative of a place's group."""
        self._above.setdefault(place, place)
        while self._above[place] != place:
            self._above[place] = self._above[self._above[place]]
            place = self._above[place]
        return place

    def same(self, one, other):
        """Join two places."""
        self._above[self.find(one)] = self.find(other)

    def groups(self, terminals):
        """{(reference, terminal): place} as a set of groups of terminals that are joined."""
        found = {}
        for terminal, place in terminals.items():
            found.setdefault(self.find(place), set()).add(terminal)
        return {frozenset(group) for group in found.values()}


def differences(groups, circuit, leave=()):
    """A sentence for each net of the circuit that a drawing shows in another way, the parts in `leave` left out."""
    shown = {}
    for group in groups:
        for terminal in group:
            shown[terminal] = group
    for net, terminals in circuit.nets().items():
        wanted = {place for place in terminals if circuit.components[place[0]].part not in leave}
        for ref, terminal in sorted(wanted):
            got = shown.get((ref, terminal))
            if got is None:
                yield f"{net}: {ref}.{terminal} is not drawn"
            elif got != wanted:
                extra, missing = sorted(got - wanted), sorted(wanted - got)
                names = " and ".join(".".join(place) for place in extra or missing)
                yield f"{net}: {ref}.{terminal} is {'joined to' if extra else 'not joined to'} {names}"
                break
