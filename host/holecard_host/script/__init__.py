"""Scripts: steps in a YAML file, for people who test a table and do not write Python. See host/README.md."""

from .load import Script, load
from .run import Done, run_script

__all__ = ["Done", "Script", "load", "run_script"]
