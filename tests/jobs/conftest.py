"""A registry of its own for each test, so that the project's job functions stay as they are."""

from collections.abc import Iterator

import pytest

from jobs.registry import Registry, registry


@pytest.fixture
def handlers() -> Iterator[Registry]:
    """The registry, emptied for the test and put back after it."""
    patience = registry.patient, registry.most_patient
    kept = dict(registry.handlers), dict(registry.searches), [set(names) for names in patience]
    registry.handlers.clear()
    registry.searches.clear()
    for names in patience:
        names.clear()
    yield registry
    registry.handlers.clear()
    registry.searches.clear()
    registry.handlers.update(kept[0])
    registry.searches.update(kept[1])
    for names, before in zip(patience, kept[2], strict=True):
        names.clear()
        names.update(before)
