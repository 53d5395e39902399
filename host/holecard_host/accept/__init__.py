"""The acceptance suite: what a table must be and do, as measurements with limits. `holecard accept` runs it.

A check (checks/*.py) is a function that gets a `Bench`: its `steps` drive the table, `measure` records one value under
a name, `show` keeps a picture for the report. What a value may be stands in limits.toml, under that name, and nowhere
in a check; a user copies that file and changes it. `suite.run` runs the checks, `report.py` writes what came of them.
"""
