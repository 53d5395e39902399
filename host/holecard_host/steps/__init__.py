"""The one step engine: what cases, scripts, pytest fixtures, the acceptance suite and replay do with a table.

`Steps` has the steps as methods, for programs. `Step` is one of them as data, with the place where it was written, and
`perform` carries it out: for files.
"""

from .engine import Steps
from .step import STEPS, Step, perform

__all__ = ["STEPS", "Step", "Steps", "perform"]
