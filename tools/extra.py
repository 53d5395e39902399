"""Print the requirements that an extra of pyproject.toml names, one a line: `python tools/extra.py micropython`."""

import sys
import tomllib
from pathlib import Path

project = tomllib.loads((Path(__file__).parent.parent / "pyproject.toml").read_text(encoding="utf-8"))["project"]
print("\n".join(project["optional-dependencies"][sys.argv[1]]))
