# Two commands are enough: `make run` shows the site, `make test` checks it. Each makes .venv when it is missing.

# The first Python that is new enough; name another with PYTHON=... That of the distribution comes first: it is compiled
# with profiles, while one that pyenv compiled without --enable-optimizations takes half as much time again.
PYTHON ?= $(shell for name in /usr/bin/python3 python3 python3.14 python3.13 python3.12 python3.11; do \
	$$name -c 'import ensurepip, sys, venv; sys.exit(sys.version_info < (3, 11))' 2>/dev/null && { echo $$name; exit; }; \
	done; echo python3)
VENV := .venv
BIN := $(VENV)/bin
HOST ?= 127.0.0.1
PORT ?= 8000
# Tests run in this many processes.
TEST_PROCESSES ?= 2
TEST_OPTIONS ?=
# The servers of `make test-services` and of the tests marked `services`.
export SERVICES_DATABASE_URL ?= postgres://postgres@127.0.0.1:5432/solaris
export SERVICES_BROKER_URL ?= redis://127.0.0.1:6379/9
# A process that may not keep what it compiled leaves it to the next one, and tests start hundreds of processes.
unexport PYTHONDONTWRITEBYTECODE

.DEFAULT_GOAL := help
.PHONY: help install run test test-services calm shares coverage lint prose format rules-coverage golden soak faults \
	languages secrets bench bench-peers bench-workers openapi fuzz map tour outdated audit

help:
	@echo "make run             run the site with a demo season, on http://$(HOST):$(PORT); PORT=8080 takes another port"
	@echo "make test            run every test that needs no server"
	@echo "make test-services   run the tests that need servers, and the tests marked \`database\` again, on PostgreSQL and Redis"
	@echo "make calm RUNS=5     run all tests in random order on busy processors, five times, and count failures"
	@echo "make shares          run all tests and print what each room of them costs"
	@echo "make coverage        run all tests and print the statements and branches that they reach; run the mutations"
	@echo "make lint            check with ruff and mypy; check sentences, imports, migrations, templates and styles"
	@echo "make prose           list sentences that docs/style.md advises against"
	@echo "make languages       say how far each language is, room by room, and what is wrong with its catalogue"
	@echo "make format          indent templates and write styles the way \`make lint\` wants them"
	@echo "make rules-coverage  check that every rule of docs/rules.md has a test"
	@echo "make golden          play the golden replays again and write them; read the difference"
	@echo "make soak            play 50,000 random matches in every format and check what must always be true; roll each"
	@echo "                     order whose outcomes are too many to list 20,000 times and compare with its forecast;"
	@echo "                     play 200 random evenings of the Melee Challenge and check what must always be true"
	@echo "make faults          kill workers at every step of every job and at 200 random moments; needs the servers too"
	@echo "make secrets         read the whole site as everybody in two worlds that differ in one secret: they read the same"
	@echo "make bench           time the rules engine, the main pages, the API, and the close of 200 seasons with two workers"
	@echo "make bench-peers     time the rules engine and python-chess in turn, and print the ratio"
	@echo "make bench-workers   time a study of play-outs on one and on two Celery workers; needs Redis"
	@echo "make openapi         write docs/openapi.json again from the code; read the difference"
	@echo "make fuzz            read 20,000 damaged documents of every kind that the site takes, and send random"
	@echo "                     requests to a real server with schemathesis, as three roles;"
	@echo "                     FUZZ_OPTIONS=\"--rounds 1\" for a quick look"
	@echo "make map             draw the pictures of docs/architecture.md from the lists of the code; needs Graphviz"
	@echo "make tour            take the pictures of docs/tour from a demo season in Chromium"
	@echo "make outdated        list pinned packages that have a newer version"
	@echo "make audit           list pinned packages with a known vulnerability, according to PyPI (pip-audit)"
	@echo "make install         make .venv with everything for development, and nothing else"

$(BIN)/pip:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null || { \
	  echo "Solaris Circuit needs Python 3.11 or newer; $(PYTHON) is $$($(PYTHON) --version 2>&1 || true)." >&2; \
	  echo "Name another one: make $(MAKECMDGOALS) PYTHON=/path/to/python3.11" >&2; exit 1; }
	@echo "Making $(VENV) with $(PYTHON)."
	@$(PYTHON) -m venv $(VENV) || { \
	  echo "Could not make $(VENV); on Debian and Ubuntu: apt-get install python3-venv" >&2; rm -rf $(VENV); exit 1; }

# The stamp keeps a second run from asking the package index again.
$(VENV)/.development: requirements-dev.txt requirements.txt | $(BIN)/pip
	@echo "Installing what the site and its tests need."
	@$(BIN)/pip install --quiet --disable-pip-version-check -r requirements-dev.txt
	@touch $@

# A tarball or an image has no checkout to hook into. Only catalogues that changed are compiled again.
install: $(VENV)/.development
	@$(BIN)/python -m web.languages.compiled
	@if [ -e .git ]; then git config core.hooksPath .githooks 2>/dev/null || true; fi

# The same without make: python start.py run. It makes $(VENV) when that is missing.
run:
	@$(if $(wildcard $(BIN)/python),$(BIN)/python,$(PYTHON)) start.py run --host $(HOST) --port $(PORT)

# Idle processes take over half of what another has left, so slow tests come first.
PYTEST := $(BIN)/python -m pytest -n $(TEST_PROCESSES) --dist worksteal
# The last line of the output is the processor time.
TIMED := $(BIN)/python -m tests.tools.processor_time

test: install
	@$(TIMED) $(PYTEST) -m "not services" $(TEST_OPTIONS)

test-services: export DATABASE_URL = $(SERVICES_DATABASE_URL)
test-services: export CELERY_BROKER_URL = $(SERVICES_BROKER_URL)
test-services: export DEBUG = 1
test-services: export REQUIRE_SERVICES = 1
test-services: install
	@$(TIMED) $(PYTEST) -m "database or services" $(TEST_OPTIONS)

RUNS ?= 1
CALM_OPTIONS ?=

calm: install
	$(BIN)/python -m tests.tools.calm --runs $(RUNS) $(CALM_OPTIONS)

shares: install
	@$(TIMED) $(PYTEST) -p tests.tools.shares $(TEST_OPTIONS)

coverage: install
	$(PYTEST) -q --cov --cov-report=json:var/coverage.json $(TEST_OPTIONS)
	$(BIN)/python -m tests.tools.coverage_by_room var/coverage.json
	$(BIN)/python -m pytest -q tests/rules/competition/test_mutations.py tests/rules/competition/test_cards_in_play.py

# Sentences that a reader stumbles over (docs/style.md).
prose: install
	$(BIN)/ruff check --select D401 .
	$(BIN)/python -m tests.tools.prose

TEMPLATES = $(shell find templates -name '*.html' -o -name '*.svg')

format: install
	$(BIN)/djhtml --tabwidth 2 $(TEMPLATES)
	$(BIN)/python -m tests.tools.format_css

lint: install prose
	$(BIN)/ruff check .
	$(BIN)/python -m mypy
	$(BIN)/python -m pytest -q tests/architecture/test_imports.py tests/architecture/test_layout.py
	$(BIN)/djhtml --tabwidth 2 --check $(TEMPLATES)
	$(BIN)/python -m tests.tools.format_css --check
	$(BIN)/python manage.py makemigrations --check --dry-run
	$(BIN)/python -m tests.tools.languages --check

languages: install
	$(BIN)/python -m tests.tools.languages

rules-coverage: install
	$(BIN)/python -m tests.tools.rules_coverage

bench: install
	$(BIN)/python -m rules.bench
	$(BIN)/python -m tests.tools.bench_pages
	$(BIN)/python -m tests.tools.bench_api
	$(BIN)/python -m tests.tools.bench_seasons

# The peer has an environment of its own: nothing of it is needed to run or to test the site.
$(VENV)-peers/.installed: | $(BIN)/pip
	@$(PYTHON) -m venv $(VENV)-peers
	@$(VENV)-peers/bin/pip install --quiet --disable-pip-version-check chess==1.11.2
	@touch $@

bench-peers: install $(VENV)-peers/.installed
	$(BIN)/python -m tests.tools.bench_peers --python $(VENV)-peers/bin/python

outdated: install
	@$(BIN)/pip list --outdated --exclude pip --exclude setuptools --disable-pip-version-check

# An environment of its own too. Where PyPI does not answer for a package, that is an error and not a clean bill.
$(VENV)-audit/.installed: | $(BIN)/pip
	@$(PYTHON) -m venv $(VENV)-audit
	@$(VENV)-audit/bin/pip install --quiet --disable-pip-version-check pip-audit==2.10.1
	@touch $@

audit: $(VENV)-audit/.installed
	@$(VENV)-audit/bin/pip-audit --strict --disable-pip --no-deps --progress-spinner off -r requirements-dev.txt

BENCH_OPTIONS ?=

bench-workers: install
	$(BIN)/python -m tests.tools.bench_workers $(BENCH_OPTIONS)

golden: install
	$(BIN)/python -m tests.tools.golden

SOAK_MATCHES ?= 50000
SOAK_EVENINGS ?= 200

soak: install
	$(BIN)/python -m tests.tools.soak --matches $(SOAK_MATCHES)
	$(BIN)/python -m tests.tools.soak_challenge --evenings $(SOAK_EVENINGS)
	ROLLS=20000 $(BIN)/python -m pytest -n0 -q tests/rules/competition/test_order_forecast.py

# The options of tests/faults: FAULT_OPTIONS="--site embedded --kills 20" for a quick look.
FAULT_OPTIONS ?=

faults: install
	$(BIN)/python -m tests.faults $(FAULT_OPTIONS)

# pytest does not collect this module by itself.
secrets: install
	@$(TIMED) $(PYTEST) -q --tb=short tests/web/secrets/everything.py $(TEST_OPTIONS)

FUZZ_OPTIONS ?=

fuzz: install
	$(BIN)/python -m tests.tools.fuzz_api $(FUZZ_OPTIONS)

map: install
	$(BIN)/python -m tests.tools.house_map
	$(BIN)/python -m tests.tools.states_map

tour: install
	$(BIN)/python -m tests.tools.tour

openapi: install
	$(BIN)/python manage.py openapi
