"""What happens to a table that nobody touches, against burn-in and for panels that were plugged in again."""

ATTRACT_SECONDS = 60
DIM_SECONDS = 300
BLANK_SECONDS = 1800
# Every so often the panel is set up again: one that lost its power between two transfers looks well and is dark.
REFRESH_SECONDS = 60


class Idle:
    """Counts the seconds since the last key or change.

    asleep   True during the attract screen; the next press only wakes
    dim, blank   True while the panel should glow faintly; while it should not glow at all, whatever it shows: then the
                 next press only lights it
    refresh  True when the panel is to be set up anew; whoever does it sets it to False
    """

    def __init__(self) -> None:
        self.seconds = 0
        self.asleep = False
        self.dim = False
        self.blank = False
        self.refresh = False

    def touch(self) -> bool:
        """A key went down: light. True if that is all that the press does, because nobody could see what it means."""
        unseen = self.blank and not self.asleep
        self.seconds = 0
        self.dim = False
        self.blank = False
        self.refresh = False
        return unseen

    def wake(self) -> None:
        self.touch()
        self.asleep = False

    def drowsy(self) -> bool:
        """True when it is time for the attract screen, unless a round waits for a decision."""
        return not self.asleep and self.seconds >= ATTRACT_SECONDS

    def tick(self) -> None:
        """One more second."""
        self.seconds += 1
        self.dim = self.seconds >= DIM_SECONDS
        self.blank = self.seconds >= BLANK_SECONDS
        if self.seconds % REFRESH_SECONDS == 0 and not self.blank:
            self.refresh = True
