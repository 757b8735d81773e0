"""What tables, forfeits and corrections write has the form that an import asks for."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import pytest

from stables.documents.columns import FULL
from stables.models import Season
from stables.services.results import corrections, reports
from tests.stables.documents.conftest import exported, require_form
from tests.stables.season_worlds import Enters, inside
from tests.stables.tabletop_matches import fixture_of, person, red_wins, sides_of


@pytest.fixture(scope="module")
def seated(django_db_blocker: Any, four_at_tables: Enters) -> Iterator[Season]:
    with inside(django_db_blocker, four_at_tables) as made:
        yield made


@pytest.mark.parametrize("kind", ["", "void", "replace", "correct"])
def test_a_result_of_a_table_and_its_correction_have_their_form(db: None, seated: Season, kind: str) -> None:
    fixture = fixture_of(seated)
    for side in sides_of(fixture):
        reports.file_report(fixture_id=fixture.pk, stable_id=side.stable_id, document=red_wins())
    if kind:
        forfeits = (sides_of(fixture)[0].stable.number,) if kind == "replace" else ()
        wanted = corrections.Wanted(kind, red_wins(clicks=4) if kind == "correct" else {}, forfeits)
        user = person("organiser")
        seal = corrections.foresee(fixture_id=fixture.pk, wanted=wanted, user=user).seal
        corrections.correct(fixture_id=fixture.pk, wanted=wanted, reason="so", seal=seal, user=user)
    document = json.loads(exported(Season.objects.get(pk=seated.pk), FULL))
    assert document["results"]
    assert document["reports"]
    assert len(document["corrections"]) == bool(kind)
    require_form(document)
