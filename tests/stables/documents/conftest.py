"""A finished season and its documents, built once and never changed."""

from __future__ import annotations

import io
import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import pytest

from stables.documents.columns import FULL, PUBLISHED, Contents
from stables.documents.document import write
from stables.documents.shapes import FIELDS, require_shape
from stables.models import Season
from tests.stables.documents.played_season import finished_season
from tests.stables.season_worlds import Enters, inside, world_of
from tests.worlds import taken_back


def exported(season: Season, contents: Contents) -> bytes:
    file = io.BytesIO()
    write(season, contents, file)
    return file.getvalue()


def require_form(document: Any) -> None:
    """Hold the JSON inside a document's fields against the schemas that an import asks of it. Raises Malformed."""
    for table, names in FIELDS.items():
        for number, row in enumerate(document[table]):
            for name in names:
                if row[name] is not None:
                    require_shape(table, name, row[name], f"{table}[{number}].{name}")


@dataclass(frozen=True)
class Played:
    """A finished season with its document in full and as it is published."""

    season: Season
    full: bytes
    published: bytes

    def document(self, contents: Contents = FULL) -> Any:
        """The document as JSON, anew at each call."""
        return json.loads(self.full if contents == FULL else self.published)


def _finished() -> Played:
    season = finished_season()
    return Played(season, exported(season, FULL), exported(season, PUBLISHED))


finished = world_of("a finished season and its documents", _finished)


@pytest.fixture(scope="module")
def played_once(django_db_blocker: Any, finished: Enters) -> Iterator[Played]:
    with inside(django_db_blocker, finished) as made:
        yield made


@pytest.fixture
def played(db: None, played_once: Played) -> Iterator[Played]:
    """The finished season; what a test stores is taken back."""
    with taken_back():
        yield played_once


@pytest.fixture
def export() -> Callable[[Season, Contents], bytes]:
    return exported
