"""Every field of every model of a season is in the document, or stands in a list with the reason why not."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from django.apps import apps
from django.db import models

from stables.documents.columns import RecordSet
from stables.documents.document import AFTER_MATCHES, IN_MATCHES, TABLES
from stables.documents.plan import SEASON

pytestmark = pytest.mark.database

EVERY_TABLE: tuple[RecordSet, ...] = (SEASON, *TABLES, *AFTER_MATCHES, *IN_MATCHES)

OUTSIDE = {
    "CalendarFeed": "a secret address of a person",
    "Webhook": "an address outside, with its secret",
    "Delivery": "what was posted to such an address",
    "Passing": "links to stables, and what organisers did with them; the log tells it",
    "ComingQuestion": "an evening of the people of this site; the log tells it",
    "Coming": "an answer to it; the log tells it",
    "StandIn": "accounts of this site; the log tells it",
    "TablePin": "a secret of one evening",
    "WaitingPlace": "people who wait for a place on this site",
    "AskedAdvice": "a player's own note",
    "MatchForecast": "whoever has the match can count it again",
    "Puzzle": "of the whole site, and of no season",
    "PuzzleCount": "of the whole site, and of no season",
    "FixtureForecast": "the same of line-ups",
    "ProvisionalTitle": "a season that can be imported is over, and its titles are final",
}
"""Models that are about a season and stay where they are."""


def own_models() -> Iterator[type[models.Model]]:
    for label in ("stables", "matches"):
        for model in apps.get_app_config(label).get_models():
            if model.__name__ not in OUTSIDE:
                yield model


def own_fields(model: type[models.Model]) -> set[str]:
    listed = [*model._meta.concrete_fields, *model._meta.many_to_many]
    return {field.name for field in listed if not field.primary_key}


def test_what_stays_outside_is_a_model() -> None:
    known = {model.__name__ for label in ("stables", "matches") for model in apps.get_app_config(label).get_models()}
    assert set(OUTSIDE) <= known


@pytest.mark.parametrize("model", list(own_models()), ids=lambda model: model.__name__)
def test_every_field_is_shown_or_left_out_for_a_reason(model: Any) -> None:
    tables = [table for table in EVERY_TABLE if table.model is model]
    assert len(tables) == 1, f"no table of the document tells {model.__name__}"
    shown = {column.name for column in tables[0].columns}
    left_out = {name for name, reason in tables[0].left_out.items() if reason}
    assert not shown & left_out
    assert shown | left_out == own_fields(model)
