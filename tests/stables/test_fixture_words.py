"""What the page of a match says of where it stands agrees with what it shows."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse
from django.utils.html import strip_tags

from stables.models import Fixture, Season
from stables.presenters.fixture import state_of
from tests.stables.season_worlds import Enters
from tests.stables.tabletop_matches import fixture_of

pytestmark = pytest.mark.django_db


@pytest.fixture
def season(db: None, four_at_tables: Enters) -> Season:
    found: Season = four_at_tables()
    return found


def told(season: Season) -> str:
    page = Client().get(reverse("stables:fixture", args=[season.slug, fixture_of(season).pk]))
    assert page.status_code == 200
    return " ".join(strip_tags(page.content.decode()).split())


def test_a_match_at_a_table_has_no_seed_of_the_site(season: Season) -> None:
    assert "Seed, shown after the end" not in told(season)
    assert "this site has no seed for it" in told(season)


def test_line_ups_that_are_shown_are_not_called_sealed(season: Season) -> None:
    assert "Line-ups are sealed" not in told(season)
    assert "Line-ups are revealed" in told(season)


def test_where_the_ai_plays_nobody_is_said_to_play_in_person(season: Season) -> None:
    Fixture.objects.filter(pk=fixture_of(season).pk).update(mode=Fixture.Mode.AI)
    page = told(season)
    assert ("The AI plays for both" in page) != ("plays in person" in page)


def test_a_match_that_runs_is_being_played() -> None:
    fixture: Any = SimpleNamespace(state=Fixture.State.SEALED, match=SimpleNamespace(is_finished=False))
    assert state_of(fixture) == "being played"
