"""What the page of an open sudden death says to those who are tied and to the organiser, and whom a last call tells."""

from __future__ import annotations

import re
from datetime import timedelta
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from jobs.services import run_pending
from matches.models import Match, StandingAnswers
from people.models import Notice
from people.text.notices import notice_sentence
from rules.bots.preset_answers import ROUTINE
from stables.models import Season, SuddenDeath
from stables.selectors.notices.acts import fights_done
from stables.services.standings import sudden_deaths
from stables.services.standings.titles import decided

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


def test_the_page_of_a_last_call_names_who_gets_a_notice(tied: Season, people: list[Any]) -> None:
    award(tied)
    client, address = Client(), reverse("stables:last_call", args=[tied.slug])
    client.force_login(people[0])
    assert f'action="{address}"' in client.get(tied.get_absolute_url()).content.decode()
    page = client.post(address, follow=True).content.decode()
    assert "The last date is set; those who must act by then are told." in page
    # A second press would only be refused.
    assert f'action="{address}"' not in page


def test_q_164_the_dead_do_not_share_a_title_at_real_tables(tied: Season) -> None:
    stable_of(tied, 1).assets.filter(kind="pilot").update(died_at=NOW)
    Season.objects.filter(pk=tied.pk).update(settings={**tied.settings, "dials": "table"})
    found = decided(Season.objects.get(pk=tied.pk), "pilot")
    assert [(holding.stable.number, holding.decided_by) for holding in found.holders] == [
        (number, "shared") for number in (2, 3, 4)
    ]


def test_q_164_a_title_that_the_dead_cannot_fight_for_is_not_said_to_be_one_they_did_not_come_for(
    tied: Season,
) -> None:
    only(tied, [1, 2])
    Season.objects.filter(pk=tied.pk).update(settings={**tied.settings, "closing_hours": 24})
    stable_of(tied, 1).assets.filter(kind="pilot").update(died_at=NOW)
    sudden_deaths.ask_for_titles(tied, "test")
    run_pending()
    shown = re.sub(r"\s+", " ", Client().get(tied.get_absolute_url()).content.decode())
    assert "decided by: nobody else was there to fight" in shown
    hall = re.sub(r"\s+", " ", Client().get(reverse("stables:champions")).content.decode())
    assert "reputation; nobody else was there to fight" in hall
    assert "did not appear" not in shown + hall


def test_who_plays_it_alone_begins_with_the_standing_answers_of_the_season(tied: Season, people: list[Any]) -> None:
    Season.objects.filter(pk=tied.pk).update(settings={**tied.settings, "standing_answers": "routine"})
    award(tied)
    sudden_deaths.appear(stable_id=stable_of(tied, 1).pk, plays="owner")
    sudden_deaths.appear(stable_id=stable_of(tied, 2).pk, plays="bot")
    award(tied)
    assert [(each.seat.user, each.answers) for each in StandingAnswers.objects.all()] == [(people[0], ROUTINE)]
