# make repro   the whole pipeline          make test    the tests
# make check   linters and types           make clean   remove what the others built
# make deps    code dependencies in dvc.yaml, from the imports
# make lock    pin all dependencies anew (needs uv)

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
export PATH := $(CURDIR)/$(BIN):$(PATH)
export DVC_NO_ANALYTICS := 1

.PHONY: repro test check deps lock clean

repro: $(VENV)/.runtime
	@dvc repro
	@cat reports/summary.txt

test: $(VENV)/.dev
	@pytest

check: $(VENV)/.dev
	ruff check
	ruff format --check
	mypy
	lint-imports

deps: $(VENV)/.runtime
	python -m evergold.pipeline.code_deps

LOCK := uv pip compile pyproject.toml --universal --python-version 3.11 --generate-hashes \
	--no-header --no-emit-index-url --quiet --extra dvc

lock:
	$(LOCK) --group build --output-file requirements.lock
	$(LOCK) --group dev --constraint requirements.lock --output-file requirements-dev.lock

clean:
	rm -rf $(VENV) data/derived reports/report.* reports/review.jsonl reports/summary.txt
	rm -rf .pytest_cache .mypy_cache .ruff_cache .hypothesis .import_linter_cache
	find src tests -name __pycache__ -type d -exec rm -rf {} +

INSTALL := $(BIN)/python -m pip install --quiet --disable-pip-version-check

$(BIN)/python:
	@$(PYTHON) -c 'import sys; sys.exit(0 if sys.version_info >= (3, 11) else \
		"error: Python 3.11 or newer is needed, " + sys.executable + " is " + sys.version.split()[0] \
		+ "; name another with make PYTHON=python3.12")'
	$(PYTHON) -m venv $(VENV)

$(VENV)/.runtime: requirements.lock pyproject.toml | $(BIN)/python
	$(INSTALL) --require-hashes -r requirements.lock
	$(INSTALL) --no-deps --no-build-isolation --editable .
	@touch $@

$(VENV)/.dev: requirements-dev.lock $(VENV)/.runtime
	$(INSTALL) --require-hashes -r requirements-dev.lock
	@touch $@
