"""What the page of an open sudden death says to those who are tied and to the organiser, and whom a last call tells."""

from __future__ import annotations

import re
from datetime import timedelta
from typing import Any

import pytest
from django.test import Client

from matches.models import Match
from people.models import Notice
from people.text.notices import notice_sentence
from stables.models import Season, SuddenDeath
from stables.selectors.notices.acts import fights_done
from stables.services.standings import sudden_deaths

from .test_sudden_death import NOW, award, only, people, stable_of, tied

__all__ = ["people", "tied"]
pytestmark = pytest.mark.django_db


def page_for(person: Any, season: Season) -> str:
    client = Client()
    client.force_login(person)
    found = client.get(season.get_absolute_url()).content.decode()
    return re.sub(r"\s+", " ", found)


def test_the_form_shows_what_its_owner_has_chosen(tied: Season, people: list[Any]) -> None:
    only(tied, [1], pilots=2)
    award(tied)
    Season.objects.filter(pk=tied.pk).update(organiser=people[1])
    named = stable_of(tied, 1).assets.filter(kind="pilot").order_by("id")[1]
    before = page_for(people[0], tied)
    assert 'value="owner" selected' not in before
    assert f'value="{named.pk}" selected' not in before
    sudden_deaths.appear(stable_id=stable_of(tied, 1).pk, fighter=named.pk, plays="owner")
    after = page_for(people[0], tied)
    assert "Change my choice" in after
    assert 'value="owner" selected' in after
    assert f'value="{named.pk}" selected' in after


def test_a_last_call_to_a_begun_match_tells_its_players_what_comes(tied: Season, people: list[Any]) -> None:
    award(tied)
    assert "gives those who are missing 24 hours" in page_for(people[0], tied)
    sudden_deaths.appear(stable_id=stable_of(tied, 1).pk, plays="owner")
    sudden_deaths.appear(stable_id=stable_of(tied, 2).pk, plays="bot")
    award(tied, now=NOW)
    shown = page_for(people[0], tied)
    assert "After that the AI plays it to its end." in shown
    assert "gives those who are missing 24 hours" not in shown
    until = sudden_deaths.call_last(season_id=tied.pk, now=NOW)
    [told] = Notice.objects.filter(code__in=("sudden_death_extended", "sudden_death_ends"))
    assert (told.user, told.code) == (people[0], "sudden_death_ends")
    assert "After that the AI plays it to its end." in notice_sentence(told.code, told.parameters)
    assert list(fights_done([told])) == []
    award(tied, now=until + timedelta(seconds=1))
    assert Match.objects.get().is_over
    assert SuddenDeath.objects.get().decided_at is not None
    assert list(fights_done([told])) == [told.pk]
