"""The heading of a round follows its matches (O-S10)."""

from __future__ import annotations

from typing import Any

import pytest
from django.test import Client
from django.urls import reverse
from django.utils.html import strip_tags

from matches.models import Match
from stables.models import Cycle, Fixture, Round, Season
from stables.services.results import settlement
from stables.text.states import cycle_is_open, cycle_state, round_state
from tests.stables.conftest import first_round, type_in
from tests.stables.duels import Club

pytestmark = pytest.mark.django_db


class _Match:
    def __init__(self, state: str = "playing") -> None:
        self.state, self.is_over = state, state in Match.OVER


def fixture(state: str, match: Any = None, kind: str = "match", season: str = "running") -> Any:
    found = Fixture(state=state, kind=kind, round=Round(cycle=Cycle(season=Season(state=season))))
    found._state.fields_cache["match"] = match
    return found


CALLED, REVEALED, PLAYED = fixture("line_ups"), fixture("sealed"), fixture("sealed", _Match())
SETTLED, BYE = fixture("settled"), fixture("settled", kind="bye")


@pytest.mark.parametrize(
    ("fixtures", "told"),
    [
        ([CALLED, CALLED, BYE], "line-ups are called"),
        ([SETTLED, CALLED], "line-ups are called: 1 · settled: 1"),
        ([SETTLED, REVEALED, BYE], "line-ups are revealed: 1 · settled: 1"),
        ([PLAYED, SETTLED, PLAYED], "being played: 2 · settled: 1"),
        ([PLAYED], "being played"),
        ([fixture("sealed", _Match("closed"), season="cancelled")], "broken off"),
        ([fixture("line_ups", season="cancelled"), SETTLED], "not played: 1 · settled: 1"),
        ([BYE], "line-ups are called"),
        ([], "line-ups are called"),
    ],
)
def test_a_round_is_in_the_states_of_its_matches(fixtures: list[Any], told: str) -> None:
    assert round_state(Round(state=Round.State.PAIRED), fixtures) == told


def test_a_settled_round_is_settled() -> None:
    assert round_state(Round(state=Round.State.SETTLED), [SETTLED]) == "settled"


def test_a_cycle_of_a_cancelled_season_does_not_go_on(sealed: Season) -> None:
    def heading() -> str:
        page = Client().get(sealed.get_absolute_url()).content.decode()
        return page[page.index('id="cycle-1"') :][:400]

    assert '<span class="tag live">rounds</span>' in heading()
    Season.objects.filter(pk=sealed.pk).update(state="cancelled")
    assert '<span class="tag">broken off</span>' in heading()
    closed = Cycle(state="closed", season=Season(state="cancelled"))
    assert (cycle_state(closed), cycle_is_open(closed)) == ("closed", False)


def test_o_s10_the_page_of_a_season_says_how_far_the_round_is(sealed: Season) -> None:
    [first, _] = first_round(sealed)
    type_in(first)
    settlement.settle_fixture(fixture_id=first.pk)
    page = " ".join(strip_tags(Client().get(sealed.get_absolute_url()).content.decode()).split())
    assert "Round 1 line-ups are revealed: 1 · settled: 1" in page
    assert "Round 1 line-ups are called" not in page


def test_who_has_no_match_left_among_people_is_promised_no_seconds(club: Club) -> None:
    club.fixture("carla", kind="bye", state="settled")
    club.fixture("anna", "ben")
    page = club.client("carla").get(reverse("stables:season_next", args=[club.season.slug])).text
    assert "The other matches of this round are not over yet." in page
    assert "goes on by itself" in page
    assert "a few seconds" not in page
