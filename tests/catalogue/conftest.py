"""Catalogue documents to break, and a stored release to look at."""

import copy
from collections.abc import Callable
from typing import Any

import pytest
from django.db import DEFAULT_DB_ALIAS
from django.db.models import QuerySet

from catalogue.models import CatalogueEntry, CatalogueRelease
from rules.catalogue import Catalogue, CatalogueError, Document, Problem, load_builtin


@pytest.fixture(autouse=True)
def nothing_is_loaded(request: pytest.FixtureRequest) -> None:
    """The tests of this room begin without the catalogue that every other test finds stored."""
    if request.node.get_closest_marker("django_db") or {"db", "transactional_db"} & set(request.fixturenames):
        request.getfixturevalue("db")
        for model in (CatalogueEntry, CatalogueRelease):
            # Rows that the models refuse to remove.
            QuerySet(model)._raw_delete(DEFAULT_DB_ALIAS)


@pytest.fixture
def builtin() -> Catalogue:
    return load_builtin()


@pytest.fixture
def hellion(builtin: Catalogue) -> dict[str, Any]:
    """A unit that a test may change."""
    return copy.deepcopy(builtin.units["SOL002"])


@pytest.fixture
def plaza(builtin: Catalogue) -> dict[str, Any]:
    """An arena that a test may change."""
    return copy.deepcopy(builtin.arenas["plaza"])


@pytest.fixture
def problems_of() -> Callable[..., list[Problem]]:
    """The problems of one file with these definitions, by kind."""

    def refuse(**kinds: Any) -> list[Problem]:
        with pytest.raises(CatalogueError) as caught:
            Catalogue.from_documents([Document("mine.json", {"schema": 1, **kinds})])
        return caught.value.problems

    return refuse


@pytest.fixture
def release(db: None) -> Any:
    from catalogue.services.releases import load_release

    return load_release()
