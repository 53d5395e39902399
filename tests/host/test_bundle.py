"""Modules joined into one scope: the same results as before, for every rule of Python's scopes that the joining touches."""

# ruff: noqa: E501 - small programs, one a line

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from holecard_host.bundle import BundleFault, Joined, join

# A module `other` whose names collide with those of everybody.
OTHER = """
values = ["other"]
value = 7
def give(): return values
def name(): return "other.name"
class Thing:
    values = ("thing",)
    def name(self): return name()
"""


def run(folder: Path, files: dict[str, str], entry: str) -> str:
    """What the entry prints, with these modules by dotted name."""
    for name, text in files.items():
        package = any(other.startswith(name + ".") for other in files)
        path = folder / (name.replace(".", "/") + ("/__init__.py" if package else ".py"))
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    (folder / "main.py").write_text(entry)
    done = subprocess.run(
        [sys.executable, "-S", str(folder / "main.py")], capture_output=True, text=True, check=False, timeout=30
    )
    return done.stdout + done.stderr


def sources(one: str, **others: str) -> dict[str, str]:
    """A package `p` with the module `one`, `other`, and more."""
    modules = {"p": "", "p.one": one, "p.other": OTHER}
    modules.update({f"p.{name}": text for name, text in others.items()})
    return modules


ENTRY = "from p.one import show\nprint(show())\n"

SAME = {
    "a parameter": "from p.other import values\ndef f(values): return values\ndef show(): return f(1), values",
    "a default": "from p.other import values\ndef f(a=values): return a\ndef show(): return f()",
    "starred": "from p.other import values\ndef f(*values, **name): return values, name\ndef show(): return f(1, name=2)",
    "an assignment": "from p.other import values\ndef f():\n values = 1\n return values\ndef show(): return f(), values",
    "own and other": "from p.other import give\nvalues = 3\ndef show(): return values, give()",
    "an alias": "from p.other import values as mine\nvalues = 3\ndef show(): return values, mine",
    "a local named like what an alias means": (
        "from p.other import values as mine\ndef show():\n values = 3\n return values, mine"
    ),
    "a module": "from p import other\nvalues = [3]\ndef show(): return values, other.values, other.Thing().name()",
    "a module by another name": "from p import other as o\ndef show():\n give = 1\n return give, o.give()",
    "a module hidden by a parameter": (
        "from p import other\nclass C: values = 5\ndef f(other): return other.values\ndef show(): return f(C), other.value"
    ),
    "a dotted import": "import p.other as o\ndef show(): return o.value",
    "the package": "import p.other\ndef show(): return p.other.value",
    "for": "from p.other import values\ndef f():\n for values in (1, 2): pass\n return values\ndef show(): return f(), values",
    "with": (
        "from p.other import values\nclass C:\n def __enter__(self): return 4\n def __exit__(self, *a): pass\n"
        "def f():\n with C() as values: return values\ndef show(): return f(), values"
    ),
    "except": (
        "from p.other import values\ndef f():\n try: raise ValueError('x')\n except ValueError as values: return str(values)\n"
        "def show(): return f(), values"
    ),
    "except at the top": "try:\n raise ValueError\nexcept ValueError as name:\n kind = type(name)\ndef show(): return str(kind)",
    "a comprehension": (
        "from p.other import values\ndef show(): return [values for values in (1, 2)], {values: 1 for values in 'a'}, values"
    ),
    "a comprehension's first sequence": (
        "from p.other import values\ndef show(): return [values for values in values], [x for x in values for values in (x, x)]"
    ),
    "a comprehension in a class": "values = [1]\nclass C:\n b = [v for v in values]\ndef show(): return C.b",
    "a lambda": "from p.other import values\ndef show(): return (lambda values: values)(1), (lambda: values)()",
    "a nested function": (
        "from p.other import values\ndef f():\n values = 1\n def g(): return values\n return g()\ndef show(): return f(), values"
    ),
    "nonlocal": (
        "values = 1\ndef f():\n values = 2\n def g():\n  nonlocal values\n  values += 1\n g()\n return values\n"
        "def show(): return f(), values"
    ),
    "global": (
        "from p.other import give\nvalues = 1\ndef f():\n global values\n values += 1\ndef show():\n f()\n return values, give()"
    ),
    "global for a nested function": (
        "values = 1\ndef f():\n values = 2\n def g():\n  global values\n  values = 3\n g()\n return values\n"
        "def show(): return f(), values"
    ),
    "global that comes late": "values = 1\ndef show():\n if True:\n  global values\n values = 2\n return values",
    "a walrus": (
        "from p.other import values\ndef f(): return [(values := x) for x in (1, 2)], values\ndef show(): return f(), values"
    ),
    "a local import": "from p.other import values\ndef f():\n import sys as values\n return values.__class__\ndef show(): return f() is not None, values",
    "del": "values = [1]\nspare = 2\ndel spare\ndef show():\n spare = 3\n del spare\n return values",
    "attributes and keywords": (
        "from p.other import Thing, values, name\ndef f(name): return name\n"
        "def show():\n t = Thing()\n t.give = 1\n return t.values, t.give, f(name=2), name()"
    ),
    "a class's names": (
        "from p.other import name\nclass C:\n value = 9\n def name(self): return name(), self.value\ndef show(): return C().name()"
    ),
    "a base and a decorator": (
        "from p.other import Thing\ndef name(f): return lambda *a: ('deco', f(*a))\n"
        "class Sub(Thing):\n @name\n def more(self): return self.name()\ndef show(): return Sub().more()"
    ),
    "a builtin with another's name": ("from p import own\ndef show(): return len('abc'), own.len('abc'), own.max"),
    "annotations": (
        "from p.other import Thing\nvalues: list[Thing] = []\nempty: Thing\ndef f(a: Thing, *b: Thing) -> Thing: return a\n"
        "def show(): return f(1), values"
    ),
    "handed on": "from p.hands_on import values, o\ndef show(): return values, o.value",
    "relative": "from .other import values\nfrom . import other\ndef show(): return values, other.give()",
    "the same from outside": "import os\nfrom binascii import crc32\nfrom p.outside import f\ndef show(): return crc32(b'a'), f(), os.sep",
    "outside by other names": "import sys as os\nfrom p.outside import f\ndef show(): return os.byteorder, f()",
    "one or the other": (
        "try:\n from nowhere import values\nexcept ImportError:\n from binascii import crc32 as values\n"
        "def show(): return values(b'a')"
    ),
    "ours or another": (
        "try:\n from p.other import values, give\nexcept (ImportError, AttributeError):\n from p.nowhere import values\n"
        "def show(): return values, give()"
    ),
    "in a function": "def show():\n from p.other import give, values as v\n from p.later import f\n return give(), v, f()",
    "a module in a function": "def show():\n from p import later, other\n give = 1\n return later.f(), other.value, give",
    "in a function, for the inner one": (
        "def show():\n from p.later import f\n def inner(): return f()\n return inner(), [f() for _ in 'ab']"
    ),
    "nothing left of a function": "def f(): 'text'\ndef show():\n if True:\n  from p.flags import ONE\n return f(), ONE",
    "numbers": (
        "from p.flags import BIT, ONE, TEXT, LONG, YES\nfrom p import flags\nNEGATIVE = -ONE\nBOTH = BIT << 4 | flags.ONE\n"
        "def show(): return BIT, BOTH, NEGATIVE ** 2, abs(-NEGATIVE), TEXT + 'x', LONG, LONG, YES is True, ~BIT, flags.HALF"
    ),
    "a number that changes": (
        "COUNT = 1\ndef f():\n global COUNT\n COUNT += 1\nCODE = 1\nCODE = 2\nwhole = [CODE]\ndef show():\n f()\n return COUNT, CODE, whole"
    ),
    "a number as a default": "from p.flags import BIT\ndef f(a=BIT, *, b=BIT): return a, b\ndef show(): return f(), f(1, b=2)",
    "a constant hidden": "from p.flags import BIT\ndef f(BIT): return BIT\ndef show(): return f(5), BIT, [BIT for BIT in 'a']",
}
OTHERS = {
    "own": "def len(x): return 'own len'\nmax = 'own max'\n",
    "hands_on": "from p.other import values\nfrom p import other as o\n",
    "outside": "import os\nfrom binascii import crc32\ndef f(): return crc32(b'b'), os.sep\n",
    "later": "from p.other import values, name\ndef give(): return 'later'\ndef f(): return give(), values, name()\n",
    "flags": (
        "ONE = 1\nBIT = ONE << 3\nTEXT = 'ab'\nLONG = 'twelve letters'\nYES = True\nHALF = 7 // 2 % 2 - 3 * 2 ^ 1 & 3 >> 1\n"
        "NOT = 1 // 0 if False else 2\n"
    ),
}


@pytest.mark.parametrize("fold", [False, True], ids=["named", "folded"])
@pytest.mark.parametrize("rule", SAME)
def test_the_same_results(tmp_path: Path, rule: str, fold: bool) -> None:
    modules = sources(SAME[rule], **OTHERS)
    joined = join(modules, ENTRY, fold=fold)
    before = run(tmp_path / "plain", modules, ENTRY)
    after = run(tmp_path / "joined", joined.files, joined.entry(ENTRY))
    assert before == after
    assert "Traceback" not in before


@pytest.mark.parametrize("rule", SAME)
def test_the_same_results_from_many_bundles(tmp_path: Path, rule: str) -> None:
    modules = sources(SAME[rule], **OTHERS)
    joined = join(modules, ENTRY, limit=1)
    assert run(tmp_path / "plain", modules, ENTRY) == run(tmp_path / "joined", joined.files, joined.entry(ENTRY))


# -- names and constants


def whole(joined: Joined) -> str:
    return "\n".join(joined.files.values())


def test_a_function_keeps_its_name_and_a_second_one_names_its_module() -> None:
    joined = join(
        sources("from p.other import name as n, give\ndef name(): return n()\ndef show(): return name(), give"), ENTRY
    )
    assert "def show(" in whole(joined)
    assert "def give(" in whole(joined)
    assert "def name():\n    return name_other()" in whole(joined)
    assert "def name_other():" in whole(joined)


PRIVATE = """
class Base:
 def __init__(self, first): self._first = first
class Heir(Base):
 def __init__(self, first, second):
  super().__init__(first)
  self._second = second
 def _both(self): return self._first, self._second
class Stranger:
 def __init__(self, *, third): self._third = third; self._said = self._asked = 0
 def sum(self, another): return self._third, another._asked, getattr(self, "_said"), [first for first in (1,)]
def show():
 heir = Heir(1, second=2)
 return heir._both(), Stranger(third=3).sum(Stranger(third=4)), (lambda first: first)(5), Base.__init__(heir, 6)
"""


def test_names_that_nobody_sees_are_shared_by_strangers_and_by_no_relatives(tmp_path: Path) -> None:
    joined = join(sources(PRIVATE), ENTRY)
    text = whole(joined)
    # Of relatives, of strangers, and one that is taken from another object and so is called like no other.
    assert "return (self._b, self._c)" in text
    assert "return (self._b, _a._a, getattr(self, '_said')" in text
    # What a call names, what a text may mean, and what a traceback shows.
    assert "second):" in text and "third):" in text and "self._said" in text and "def _both" in text
    assert run(tmp_path / "plain", sources(PRIVATE), ENTRY) == run(tmp_path / "joined", joined.files, ENTRY)


def test_a_script_that_looks_inside_is_refused_unless_it_is_joined_with_the_rest(tmp_path: Path) -> None:
    looks = "from p.one import Heir\nprint(Heir(1, 2)._first)\n"
    with pytest.raises(BundleFault, match=r"main\.py:2: _first is called otherwise on the device"):
        join(sources(PRIVATE), ENTRY).entry(looks)
    joined = join(sources(PRIVATE), looks)
    assert run(tmp_path, joined.files, joined.entry(looks)) == "1\n"


def test_constants_take_the_place_of_their_names() -> None:
    one = "from p.flags import BIT\n_HELD = BIT | 1\n_WORD = 'held'\n_KEPT = (BIT, _HELD)\ndef show(): return _WORD, x(_HELD, BIT)"
    text = whole(join(sources(one, **OTHERS), ENTRY))
    assert "x(9, 8)" in text
    assert "_HELD" not in text and "_WORD" not in text and "BIT" not in text
    assert "_A = (8, 9)" in text


def test_a_long_text_used_twice_keeps_its_name() -> None:
    one = "LONG = 'twelve letters'\nONCE = 'also twelve letters'\ndef show(): return LONG, LONG, ONCE"
    text = whole(join(sources(one), ENTRY))
    assert "_A = 'twelve letters'" in text and "(_A, _A, 'also twelve letters')" in text
    assert "ONCE" not in text


def test_the_version_stays_where_a_person_looks_for_it() -> None:
    modules = {**sources("import p\ndef show(): return p.__version__"), "p": '"""Text."""\n__version__ = "1.2"\n'}
    joined = join(modules, ENTRY)
    assert joined.files["p.__init__"] == "__version__ = '1.2'\n"
    assert "return '1.2'" in joined.files["p.one"]


def test_viper_keeps_its_types_and_others_lose_them() -> None:
    one = "import micropython\n@micropython.viper\ndef f(a: ptr8, n: int) -> int: return a[n]\ndef show(n: int) -> int: return f(n)"
    text = whole(join(sources(one), ENTRY))
    assert "def f(_a: ptr8, _b: int) -> int:" in text
    assert "def show(_a):" in text


# -- what goes where


def test_what_the_entry_never_reaches_is_left_out() -> None:
    assert list(join(sources("def show(): return 1"), ENTRY).files) == ["p.one"]


def test_an_import_for_annotations_alone_loads_nothing() -> None:
    one = "from p.other import Thing\ndef show(thing: Thing = None): return 1"
    assert list(join(sources(one), ENTRY).files) == ["p.one"]


def test_what_a_function_imports_is_loaded_then(tmp_path: Path) -> None:
    one = (
        "import sys\ndef show():\n before = 'p.late' in sys.modules\n"
        " from p.late import f\n return before, f(), 'p.late' in sys.modules"
    )
    late = "from p.other import value, give\nfrom p.deep import g\ndef f(): return value, give(), g()"
    joined = join(sources(one, late=late, deep="def g(): return 'deep'"), ENTRY)
    assert sorted(joined.files) == ["p.late", "p.one"]
    assert run(tmp_path, joined.files, ENTRY) == "(False, (7, ['other'], 'deep'), True)\n"


def test_late_modules_use_what_is_there_already() -> None:
    one = (
        "from p.other import give\ndef show():\n from p.late import f\n return f(), give()\n"
        "def more():\n from p.later import f\n return f()"
    )
    late = "from p.other import give\ndef f(): return give()"
    files = join(sources(one, late=late, later=late), ENTRY).files
    assert sorted(files) == ["p.late", "p.later", "p.one"]
    assert "def give" not in files["p.late"] + files["p.later"]


def test_what_two_late_modules_share_is_loaded_once() -> None:
    one = "def show():\n from p.a import f\n return f()\ndef more():\n from p.b import f\n return f()"
    late = "from p.other import give\ndef f(): return give()"
    files = join(sources(one, a=late, b=late), ENTRY).files
    assert sorted(files) == ["p.a", "p.b", "p.one", "p.other"]
    assert "from p.other import give" in files["p.a"] and "from p.other import give" in files["p.b"]


def test_bundles_keep_to_the_limit_and_to_their_folders() -> None:
    modules = {"p": "", "p.a": "", "p.b": ""}
    for folder, before in (("a", "a"), ("b", "a")):
        for number in range(6):
            needs = f"from p.{before}.m{number} import f as g\n" if folder != before else "g = len\n"
            modules[f"p.{folder}.m{number}"] = needs + "def f(x): return [g(x), 'some text', x.attribute]\n"
    uses = "".join(f"from p.b.m{number} import f as f{number}\n" for number in range(6))
    modules["p.one"] = uses + f"def show(): return {', '.join(f'f{number}' for number in range(6))}\n"
    files = join(modules, ENTRY, limit=200).files
    assert sorted(files) == ["p.a", "p.a2", "p.b", "p.b2", "p.one"]
    assert join(dict(reversed(modules.items())), ENTRY, limit=200).files == files


# -- the entry


def test_an_entry_keeps_its_lines_and_names() -> None:
    joined = join(sources("from p.other import value as v, give\nBIT = 8\ndef show(): return v, give"), ENTRY)
    entry = (
        "import sys\nfrom p.one import (\n    BIT,\n    show as s,\n)\n\nif s:\n    from p.other import give  # why\n"
    )
    bundle = next(iter(joined.files))
    assert joined.entry(entry) == (
        f"import sys\nBIT = 8; from {bundle} import show as s\n\n\n\n\nif s:\n    from {bundle} import give  # why\n"
    )


REFUSED = {
    "def show(): return nothing.x\nfrom p import other": "p/one.py:2: an import must come before other code",
    "from p import other\ndef show(): return getattr(other, 'x')": "p/one.py:2: the module p.other is used as a value",
    "from p import other\ndef show(): return other.missing": "p/one.py:2: p.other has no missing",
    "from p.other import missing\ndef show(): return missing": "p/one.py:2: p.other has no missing",
    "from p import other\ndef show(): other.value = 1": "p/one.py:2: p.other.value belongs to another module",
    "from p.other import *\ndef show(): return 1": "p/one.py:1: import * does not say which names it binds",
    "from p.other import value\nvalue = 1\ndef show(): return value": "p/one.py:1: value is imported and also bound otherwise",
    "def show():\n from p.other import value\n for value in (1, 2): pass\n return value": "p/one.py:2: value is imported and also",
    "if len:\n from p.other import value\ndef show(): return value": "p/one.py:2: p.other is imported only sometimes",
    "import os.path\ndef show(): return os": "p/one.py:1: write import os.path as ...",
    "async def show(): return 1": "p/one.py:1: async functions are not joined",
    "def show(): return globals()": "p/one.py:1: globals reads names",
    "from p.state import count\ndef show(): return count": "p/one.py:2: p.state.count is bound again",
    "from p.round import f\ndef show(): return f": "modules import each other in a circle: p.again -> p.round -> p.again",
    "from p.circle import x\ndef show(): return x": "p.circle2.x is imported in a circle",
    "len = 1\nclass C:\n a = len\n len = 2\ndef show(): return C": "p/one.py:3: len means the class's or the module's",
}


@pytest.mark.parametrize("one", REFUSED)
def test_what_cannot_be_joined_is_one_clear_line(one: str) -> None:
    modules = sources(
        one,
        state="count = 1\ndef f():\n global count\n count = 2\n",
        round="from p.again import g\ndef f(): return g()\n",
        again="from p.round import f\ndef g(): return f()\n",
        circle="from p.circle2 import x\n",
        circle2="from p.circle import x\n",
    )
    with pytest.raises(BundleFault) as caught:
        join(modules, ENTRY)
    assert REFUSED[one] in str(caught.value)


@pytest.mark.parametrize(
    ("entry", "why"),
    [
        ("from p import other\n", "main.py:1: p.other: import names from it, not the module"),
        ("import p.one\n", "main.py:1: write from ... import ...: the modules are joined on the device"),
        ("\nfrom p.other import give\n", "main.py:2: p.other is no part of the program on the device"),
        ("from p.one import missing\n", "main.py:1: p.one has no missing"),
    ],
)
def test_what_an_entry_cannot_import(entry: str, why: str) -> None:
    with pytest.raises(BundleFault) as caught:
        join(sources("def show(): return 1"), ENTRY).entry(entry)
    assert str(caught.value) == why
