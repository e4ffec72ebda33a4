# Two commands: "make play" opens the game, "make test" checks everything. Both set up what they need.

PYTHON ?= python3
# Modules are compiled once, and not again in each of the hundreds of processes that the tests start.
export PYTHONDONTWRITEBYTECODE :=
VENV := .venv
BIN := $(VENV)/bin
STAMP := $(VENV)/.ready
DEV_STAMP := $(VENV)/.ready-dev

LOCK := requirements.lock
DEV_LOCK := requirements-dev.lock
LOCKING := $(BIN)/uv pip compile --quiet --upgrade --universal --python-version 3.11 --generate-hashes --no-header
# Everything that is installed has a hash in the lock file, also what builds the project.
INSTALL := $(BIN)/python -m pip install --quiet
# The way to this folder is told without its name: with an umlaut in it Python 3.11 would not start where LC_ALL is C.
EDITABLE := $(INSTALL) --no-deps --no-build-isolation --editable . \
	&& echo ../../../.. | tee $(VENV)/lib/python3*/site-packages/*_cave_game.pth >/dev/null

# Commit subjects after this one are short.
SUBJECTS_SINCE := f5cd3b8c8e2a6dbb84141faeab10b70a031bd613

.PHONY: help setup play test test-thorough test-core core lint subjects types modules letters check bench fit mutants screenshots film snapshots playthroughs lock audit clean

help:            ## show this list
	@grep -E '^[a-z-]+:.*##' Makefile | sed -E 's/:.*## /\t/' | expand -t 16

setup: $(DEV_STAMP)   ## set everything up, and run nothing

play: $(STAMP)   ## set everything up and open the game
	@$(BIN)/cave

# While types are checked on one core, the others get ready for the tests.
test: $(DEV_STAMP)   ## set everything up; lint, types, all tests
	@$(MAKE) --no-print-directory --jobs=4 lint types modules letters
	@$(MAKE) --no-print-directory check

test-thorough: export CAVE_THOROUGH = 1
test-thorough: test   ## the same with far more examples and games; takes about half an hour

lint: $(DEV_STAMP) subjects
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .

# Without git, or without that commit (a tarball, a shallow clone), there is nothing to check.
subjects:
	@if long=$$(git log --format='%h %s' $(SUBJECTS_SINCE)..HEAD 2>/dev/null | grep -E '^[^ ]+ .{73}'); then \
		echo "These commit subjects have more than 72 characters:"; echo "$$long"; exit 1; fi

types: $(DEV_STAMP)
	$(BIN)/mypy

# Every worker of the tests loads all modules: here they are compiled once, as pytest rewrites them.
modules: $(DEV_STAMP)
	@told=$$($(BIN)/python -m pytest --collect-only -qq 2>&1) || { echo "$$told" | tail -n 40; exit 1; }

# Every worker would look for the letters of Unicode, which takes hypothesis seconds the first time.
letters: $(DEV_STAMP)
	@$(BIN)/python -c 'from hypothesis import strategies; strategies.text().validate()'

# More workers than a small machine has cores: many tests wait for processes and terminals.
check: $(DEV_STAMP)
	$(BIN)/python -m pytest -n 4 --dist worksteal

# In an environment of its own, beside the usual one.
test-core:       ## the tests of rules and client with another Python: make test-core PYTHON=python3.13
	@$(MAKE) --no-print-directory VENV=.venv-$(notdir $(PYTHON)) core

core: $(DEV_STAMP)
	$(BIN)/python -m pytest -n 4 --dist worksteal tests/cave tests/client

bench: $(DEV_STAMP)   ## measure speed beside public anchors, in the same run
	$(BIN)/python -m tests.bench

fit: $(DEV_STAMP)   ## fit the chances of hints to the bots of today; takes hours
	@for game in the-cave sir-ocelots-cave caves-of-casadh cave-vs-cave; do $(BIN)/python -m tests.bench fit $$game --write || exit; done

mutants: $(DEV_STAMP)   ## plant mistakes and see whether tests find them: SAMPLE=10 SEED=3 GROUPS=rules CHANGE=HEAD~3
	nice $(BIN)/python -m tests.mutants $(GROUPS) $(SAMPLE:%=--sample %) $(SEED:%=--seed %) $(CHANGE:%=--change %)

screenshots: $(DEV_STAMP)   ## make the pictures of the README anew from real games
	$(BIN)/python -m tests.screenshots

film: $(DEV_STAMP)   ## make the moving picture of the README anew from the kept game
	$(BIN)/python -m tests.film

snapshots: $(DEV_STAMP)   ## keep what all screens show now; look at the diff
	$(BIN)/python -m tests.snapshots

playthroughs: $(DEV_STAMP)   ## play the kept game of each game anew; look at the diff
	$(BIN)/python -m tests.playthrough

lock: $(DEV_STAMP)   ## choose the newest versions that fit, and write their hashes down
	printf 'hatchling\neditables\n' | $(LOCKING) pyproject.toml - -o $(LOCK)
	printf 'hatchling\neditables\n' | $(LOCKING) --group dev pyproject.toml - -o $(DEV_LOCK)

audit: $(DEV_STAMP)   ## look up known vulnerabilities of what the lock files name; needs the network
	$(BIN)/python -m tests.audit $(AUDIT) $(LOCK) $(DEV_LOCK)

clean:           ## remove what the above made
	rm -rf .venv .venv-* build dist .pytest_cache .mypy_cache .ruff_cache .hypothesis

# Without a Python that runs, or without pip, which comes last, it is no environment: it is made anew.
$(BIN)/pip: | $(BIN)/python
$(BIN)/python $(BIN)/pip:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' \
		|| { echo "Python 3.11 or newer is needed: try 'make PYTHON=python3.11 $(firstword $(MAKECMDGOALS))'."; exit 1; }
	@$(PYTHON) -c 'import ensurepip, venv' 2>/dev/null \
		|| { echo "Python's module venv is missing: on Debian and Ubuntu, type 'sudo apt install $(notdir $(PYTHON))-venv'."; exit 1; }
	@test -x $(BIN)/python && test -x $(BIN)/pip || { echo "Making a virtual environment in $(VENV) ..."; \
		$(PYTHON) -m venv --clear $(VENV) || { rm -rf $(VENV); exit 1; }; }

$(STAMP): pyproject.toml $(LOCK) | $(BIN)/pip
	@echo "Installing the game ..."
	@$(INSTALL) --require-hashes -r $(LOCK)
	@$(EDITABLE)
	@touch $@

$(DEV_STAMP): pyproject.toml $(DEV_LOCK) | $(BIN)/pip
	@echo "Installing the game and what its tests need ..."
	@$(INSTALL) --require-hashes -r $(DEV_LOCK)
	@$(EDITABLE)
	@touch $(STAMP) $@
