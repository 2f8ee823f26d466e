# Needs Python 3.11 or later with its venv module, and nothing else: `make demo` and `make test` do all the set-up.

PYTHON ?= python3.11
PYTEST_ARGS ?=
BIN := .venv/bin

# A strict editable install does not see new files, so its stamp is named after the list of files.
FILES := $(shell find spec grammar checker -type f -not -path '*/__pycache__/*' | LC_ALL=C sort)
LIST := $(firstword $(shell echo '$(FILES)' | cksum))
RUN := .venv/.installed-run-$(LIST)
DEV := .venv/.installed-dev-$(LIST)
PIP_INSTALL := $(BIN)/python -m pip install --quiet --disable-pip-version-check -c constraints.txt \
	--config-settings editable_mode=strict

.PHONY: help install demo test browser lint format bench verify update clean
.DELETE_ON_ERROR:

help:
	@echo 'make demo     check the games in traces/, and explain one violation'
	@echo 'make test     the tests; PYTEST_ARGS=... to choose some'
	@echo 'make lint     style, types, and who imports whom'
	@echo 'make format   let ruff put the code in order'
	@echo 'make bench    measure speed and memory'
	@echo 'make verify   what takes longer than the tests may'
	@echo 'make install  only set up .venv'
	@echo 'make update   install the newest versions and pin them in constraints.txt'
	@echo 'make clean    remove what these commands made'

install: $(DEV)

$(BIN)/python:
	$(PYTHON) -m venv .venv

$(RUN): pyproject.toml constraints.txt | $(BIN)/python
	@echo 'installing fairdeal into .venv'
	@$(PIP_INSTALL) -e .
	@rm -f .venv/.installed-*
	@touch $@

$(DEV): pyproject.toml constraints.txt | $(BIN)/python
	@echo 'installing fairdeal and its development tools into .venv'
	@$(PIP_INSTALL) -e '.[dev]'
	@rm -f .venv/.installed-*
	@touch $(RUN) $@

# The second check is meant to fail: its log is there to be explained.
demo: $(RUN)
	@echo '$$ fairdeal check --summary traces/legal'
	@$(BIN)/fairdeal check --summary traces/legal
	@echo
	@echo '$$ fairdeal check $(EXPLAINED)'
	@$(BIN)/fairdeal check $(EXPLAINED); test $$? -eq 1
	@echo
	@echo 'Now `. .venv/bin/activate`, and `fairdeal --help` lists what it can do.'

EXPLAINED ?= traces/illegal/spit-play-5-equal-rank.gamelog

test: $(DEV) browser
	$(BIN)/python -m pytest -n auto -m 'not bench and not verify' $(PYTEST_ARGS)

# The replay page is tested in a real browser. Where there is none, root gets one from the system's packages.
browser:
	@sh tests/reporting/replay/provide-chromium.sh

lint: $(DEV)
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy -p fairdeal.spec -p fairdeal.grammar -p fairdeal.checker
	$(BIN)/mypy tests
	$(BIN)/lint-imports

format: $(DEV)
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

# What OpenSpiel is compared with is measured all the same where it does not install.
bench: $(DEV)
	-@$(PIP_INSTALL) -e '.[dev,bench]'
	$(BIN)/python -m tests.bench

verify: $(DEV)
	$(BIN)/python -m pytest -n auto -m verify $(PYTEST_ARGS)
	$(BIN)/python -m tests.engines.differential --games 10000 --events 100000
	$(BIN)/python -m tests.mutants spit --jobs 2
	$(BIN)/python -m tests.robustness.fuzzing --inputs 1000000 --jobs 2
	$(BIN)/python -m tests.robustness.fuzzing --hypothesis --inputs 50000
	$(BIN)/python -m tests.robustness.fuzzing --atheris --inputs 100000

update: $(DEV)
	$(BIN)/python -m pip install --quiet --upgrade --upgrade-strategy eager \
		--config-settings editable_mode=strict -e '.[dev]'
	head -n 2 constraints.txt > constraints.new
	$(BIN)/python -m pip freeze --exclude-editable >> constraints.new
	mv constraints.new constraints.txt

clean:
	rm -rf .venv build .pytest_cache .mypy_cache .ruff_cache .import_linter_cache .hypothesis ./*.egg-info
	find spec grammar checker tests -name __pycache__ -type d -prune -exec rm -rf {} +
