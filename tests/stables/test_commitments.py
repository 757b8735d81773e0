"""The hash of a match's seed is public from the pairing on, and is the one that the later match carries."""

from __future__ import annotations

from typing import Any

import pytest
from django.contrib.auth import get_user_model
from django.test import Client

from jobs.services import run_pending
from rules.core.dice import commitment
from stables.models import Fixture, Season
from stables.selectors.seeds import fixture_commitment, fixture_seed
from stables.services.ai import owners
from stables.services.fixtures import pairing
from stables.services.season import seasons
from tests.stables.conftest import open_with

pytestmark = pytest.mark.django_db


def shown_to(client: Client, address: str) -> str:
    answer = client.get(address)
    assert answer.status_code == 200
    return answer.content.decode()


def test_the_hash_stands_there_before_the_line_ups_and_the_match_keeps_it(release: Any, client: Client) -> None:
    season = open_with(release, ["Ash", "Birch", "Cedar"])
    player = get_user_model().objects.create_user("player", "player@example.org", "-")
    founded = seasons.found_stable(season_id=season.pk, name="Elm", owner=player)
    mine = season.stables.get(pk=founded.stable_id)
    owners.shop(stable_id=mine.pk, cycle_id=season.cycles.get().pk)
    seasons.start_season(season_id=season.pk)
    run_pending(limit=2)  # the first market closes, round 1 is paired
    fixtures = list(Fixture.objects.order_by("number"))
    assert len(fixtures) == 2
    assert [fixture.match for fixture in fixtures] == [None, None]
    early = {fixture.pk: fixture_commitment(season, 1, 1, fixture.number) for fixture in fixtures}
    assert len(set(early.values())) == 2
    seeds = [fixture_seed(season, 1, 1, fixture.number).hex() for fixture in fixtures]
    page = shown_to(client, season.get_absolute_url())
    client.force_login(player)
    own = shown_to(client, mine.get_absolute_url())
    my_fixture = mine.fixture_sides.get().fixture_id
    assert all(hash_of_seed in page for hash_of_seed in early.values())
    assert early[my_fixture] in own
    assert not [seed for seed in seeds if seed in page or seed in own]

    owners.prepare(stable_id=mine.pk, fixture_id=my_fixture)
    while Fixture.objects.filter(pk__in=early, match__isnull=True).exists():
        assert run_pending(limit=1)
    for fixture in Fixture.objects.filter(pk__in=early):
        assert fixture.match.seed_commitment == early[fixture.pk] == commitment(bytes(fixture.match.seed))
    page = shown_to(client, season.get_absolute_url())
    assert all(hash_of_seed in page for hash_of_seed in early.values())


def test_a_bye_has_no_seed_to_show(release: Any, client: Client) -> None:
    season = open_with(release, ["Ash", "Birch", "Cedar"])
    Season.objects.filter(pk=season.pk).update(state=Season.State.RUNNING)
    pairing.pair_round(cycle_id=season.cycles.get().pk, number=1)
    bye = Fixture.objects.get(kind=Fixture.Kind.BYE)
    page = shown_to(client, season.get_absolute_url())
    assert fixture_commitment(season, 1, 1, bye.number) not in page
    assert page.count("Hash of the match’s seed") == 1
