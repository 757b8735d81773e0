"""A registry of its own for each test, so that the project's job functions stay as they are."""

from collections.abc import Iterator

import pytest

from jobs.registry import Registry, registry


@pytest.fixture
def handlers() -> Iterator[Registry]:
    """The registry, emptied for the test and put back after it."""
    kept = dict(registry.handlers), dict(registry.searches), set(registry.patient)
    registry.handlers.clear()
    registry.searches.clear()
    registry.patient.clear()
    yield registry
    registry.handlers.clear()
    registry.searches.clear()
    registry.handlers.update(kept[0])
    registry.searches.update(kept[1])
    registry.patient.clear()
    registry.patient.update(kept[2])
