#!/bin/sh
# typecheck.sh BIN: mypy over firmware/ with MicroPython's stubs, then over host/ and the modules of a Raspberry Pi with
# CPython's own.
set -eu
bin=$1
stubs=$bin/../typings
MYPYPATH=$stubs:firmware "$bin/mypy" --config-file tools/mypy-firmware.ini --custom-typeshed-dir "$stubs" \
    --explicit-package-bases --cache-dir .mypy_cache/firmware firmware
MYPYPATH=host:firmware "$bin/mypy" --explicit-package-bases --cache-dir .mypy_cache/host \
    host/holecard_host firmware/holecard/__main__.py firmware/holecard/boards/raspberry_pi*.py
