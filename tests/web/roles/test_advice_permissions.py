"""In matches of seasons there is advice against stables of the AI alone, not where the AI plays for somebody."""

from __future__ import annotations

import pytest
from django.urls import reverse

from ladder.selectors.folding import is_open
from matches.host import surroundings_of
from matches.models import Match
from matches.selectors.matches import find_match
from matches.services.answering import Seat
from matches.services.matches import answer_with_bots, reseat
from stables.models import Season, Stable
from tests.worlds import taken_back

from .world import World

pytestmark = pytest.mark.django_db
PANEL = 'id="advice"'
LADDER = "A match that you win with advice does not count on the ladder."
GIVEN = "On the ladder a win by the AI counts for nothing."


def page_of(world: World, match: Match) -> str:
    return str(world.clients["player"].get(reverse("matches:play", args=[match.public_id])).content.decode())


def own_side(world: World, match: Match) -> str:
    return next(seat.side for seat in match.seats.all() if seat.user_id == world.people["player"].pk)


def test_both_sides_of_a_match_of_two_people_are_people(world: World) -> None:
    assert surroundings_of(world.duel).people == frozenset({"red", "blue"})
    assert surroundings_of(world.finished).people == frozenset(), "two stables of the AI"


def test_there_is_none_against_a_person_and_none_against_the_ai_in_a_persons_place(world: World) -> None:
    with taken_back():
        assert PANEL not in page_of(world, world.duel)
        own = own_side(world, world.duel)
        other = next(seat.side for seat in world.duel.seats.all() if seat.side != own)
        assert reseat(world.duel.pk, [Seat(other, bot="greedy")])
        assert PANEL not in page_of(world, world.duel)


def against_the_ai(world: World) -> Match:
    """The player's duel, in which a stable of the AI is the other side now."""
    own = own_side(world, world.duel)
    other = next(seat.side for seat in world.duel.seats.all() if seat.side != own)
    Stable.objects.filter(fixture_sides__fixture__match=world.duel, fixture_sides__side=other).update(owner=None)
    reseat(world.duel.pk, [Seat(other, bot="greedy")])
    answer_with_bots(world.duel.pk)
    return find_match(world.duel.public_id)


def test_against_a_stable_of_the_ai_there_is_advice(world: World) -> None:
    with taken_back():
        own, match = own_side(world, world.duel), against_the_ai(world)
        assert surroundings_of(match).people == frozenset({own})
        text = page_of(world, match)
        assert "Your turn" in text
        assert PANEL in text


@pytest.mark.parametrize("visibility", Season.Visibility.values)
def test_the_ladder_is_named_only_where_the_match_could_count_there(world: World, visibility: str) -> None:
    with taken_back():
        match = against_the_ai(world)
        Season.objects.filter(cycles__rounds__fixtures__match=match).update(visibility=visibility)
        text = page_of(world, match)
        assert PANEL in text
        assert (LADDER in text) == is_open(match)
        finish = world.clients["player"].get(reverse("matches:finish", args=[match.public_id]))
        assert finish.status_code == 200
        assert (GIVEN in finish.content.decode()) == is_open(match)
        assert is_open(match) == (visibility == Season.Visibility.PUBLIC)
