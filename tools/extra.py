"""Print the requirement that an extra of pyproject.toml names: `python tools/extra.py micropython`."""

import sys
import tomllib
from pathlib import Path

project = tomllib.loads((Path(__file__).parent.parent / "pyproject.toml").read_text(encoding="utf-8"))["project"]
print(project["optional-dependencies"][sys.argv[1]][0])
