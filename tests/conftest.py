"""For all tests: the same examples on every run, so that a failure is a change and not chance.

`HYPOTHESIS_PROFILE=default` looks for new ones.
"""

import os

from hypothesis import settings

settings.register_profile("repeatable", derandomize=True, deadline=None)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "repeatable"))
