# Every target sets up what it needs in .venv; `make help` lists them.
PYTHON ?=
VENV   := .venv
BIN    := $(VENV)/bin
ON     ?= sim://cpython
ARGS   ?=
ROUNDS ?= 100000
FUZZ_SECONDS ?= 300

# An environment holds absolute paths: a clone that was moved or copied makes its own.
ELSEWHERE := $(shell [ "$$(cat $(VENV)/made-in 2>/dev/null)" = "$(CURDIR)" ] || echo elsewhere)

.DEFAULT_GOAL := help
# One environment, one installation at a time.
.NOTPARALLEL:
.PHONY: elsewhere help run test test-emulated fuzz soak lint format bench package pinmap hardware pictures clean

help:  ## this list
	@printf 'Holecard: a blackjack table in a box\n\n'
	@awk -F':.*## ' '/^[a-z-]+:.*## / {printf "  make %-13s %s\n", $$1, $$2}' Makefile
	@printf '\nThe command itself: $(BIN)/holecard --help (after the first make run)\n'

$(VENV)/.have-%: pyproject.toml tools/setup.sh $(ELSEWHERE)
	@PYTHON="$(PYTHON)" sh tools/setup.sh $(VENV) $*

run: $(VENV)/.have-run  ## play on the simulated table (ON=URL for another, ARGS=... for options)
	@$(BIN)/python -m holecard_host play --on "$(ON)" $(ARGS)

test: $(VENV)/.have-test  ## every test, on both simulated stands (ARGS=... goes to pytest)
	@$(BIN)/python -m pytest -n auto --dist worksteal $(ARGS)

test-emulated: $(VENV)/.have-test  ## the long tests of the emulated chip too: every case, by name and by buttons
	@$(BIN)/python -m pytest -n auto --dist worksteal --long tests/hardware $(ARGS)

fuzz: $(VENV)/.have-test  ## look for inputs that break something, FUZZ_SECONDS=300 on all cores (ARGS=TARGET ...)
	@$(BIN)/python -m tests.fuzz --seconds "$(FUZZ_SECONDS)" $(ARGS)

soak: $(VENV)/.have-test  ## ROUNDS=100000 over the wire with faults at random (ON=sim://micropython, ARGS=--seed 7)
	@$(BIN)/python -m tests.soak --rounds "$(ROUNDS)" --on "$(ON)" $(ARGS)

lint: $(VENV)/.have-lint  ## ruff, and mypy with MicroPython's stubs over firmware/ and host/
	@$(BIN)/ruff check .
	@$(BIN)/ruff format --check .
	@sh tools/typecheck.sh $(BIN)

format: $(VENV)/.have-lint  ## let ruff put the source in order
	@$(BIN)/ruff check --fix .
	@$(BIN)/ruff format .

bench: $(VENV)/.have-bench  ## the rules core and the device, measured into build/bench.json
	@$(BIN)/python -m bench $(ARGS)

package: $(VENV)/.have-flash  ## write firmware/package.json and the compiled files that mip installs
	@$(BIN)/python tools/package.py

pinmap: $(VENV)/.have-run  ## write what follows from hardware/pinmap.toml
	@$(BIN)/python tools/pinmap.py

hardware: pinmap $(VENV)/.have-hardware  ## write parts lists, schematics, harness and breadboard, after the checks
	@$(BIN)/python -m tools.hardware

pictures: $(VENV)/.have-run  ## draw the pictures of the README again
	@$(BIN)/python tools/pictures.py

clean:  ## remove the virtual environment and everything that was built
	rm -rf $(VENV) build dist firmware/mpy .pytest_cache .mypy_cache .ruff_cache .hypothesis
