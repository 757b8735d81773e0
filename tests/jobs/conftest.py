"""A registry of its own for each test, so that the project's job functions stay as they are; and workers."""

from collections.abc import Iterator

import pytest

from jobs.registry import Registry, registry
from tests.nursery import Nursery
from tests.services.processes import database_url, environment


@pytest.fixture(scope="package")
def nursery(django_db_setup: None, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Nursery]:
    """What processes are forked from; their database is that of the tests."""
    folder = tmp_path_factory.mktemp("processes")
    variables = environment(DATABASE_URL=database_url(), DEBUG="1", VAR_DIR=str(folder / "var"))
    with Nursery(variables, folder) as started:
        yield started


@pytest.fixture
def handlers() -> Iterator[Registry]:
    """The registry, emptied for the test and put back after it."""
    patience = registry.low_priority, registry.lower_priority, registry.lowest_priority
    kept = dict(registry.handlers), dict(registry.scans), [set(names) for names in patience]
    registry.handlers.clear()
    registry.scans.clear()
    for names in patience:
        names.clear()
    yield registry
    registry.handlers.clear()
    registry.scans.clear()
    registry.handlers.update(kept[0])
    registry.scans.update(kept[1])
    for names, before in zip(patience, kept[2], strict=True):
        names.clear()
        names.update(before)
