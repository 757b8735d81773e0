"""Who stands in plays for one stable of a match alone, and judges none that they played."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone

from stables.models import Correction, Fixture, FixtureSide, SeasonRole, StandIn
from stables.services.results import corrections, reports, rulings
from stables.services.running import passing, standing_in
from tests.stables.duels import Club
from tests.stables.running.test_hand_on_stables import code_of
from tests.stables.tabletop_matches import red_wins

pytestmark = [pytest.mark.django_db, pytest.mark.database]
TONIGHT = timezone.now() + timedelta(hours=6)


@pytest.fixture
def match(club: Club) -> Fixture:
    return club.fixture("anna", "ben")


def name(club: Club, match: Fixture | None, of: str = "anna", who: str = "spectator") -> StandIn:
    when: dict[str, Any] = {"until": TONIGHT} if match is None else {"fixture_id": match.pk}
    return standing_in.name_person(
        stable_id=club.stable_id(of), name=who, reason="ill", user=club.people["organiser"], **when
    )


def link(club: Club, match: Fixture, of: str = "anna", by: str = "organiser") -> str:
    about: dict[str, Any] = {"reason": "ill", "user": club.people[by]}
    return standing_in.make_link(stable_id=club.stable_id(of), fixture_id=match.pk, **about).code


def side(club: Club, match: Fixture, of: str = "anna") -> FixtureSide:
    return FixtureSide.objects.get(fixture=match, stable=club.stable_id(of))


# One side of a match --------------------------------------------------------------------------------------------------


def test_an_evening_leaves_out_a_match_in_which_the_person_stands_in_for_the_rival(club: Club, match: Fixture) -> None:
    other = club.fixture("ben", "carla")
    name(club, None)
    name(club, None, of="ben")
    assert side(club, match).stand_in == club.people["spectator"]
    assert side(club, match, "ben").stand_in is None
    assert side(club, other, "ben").stand_in == club.people["spectator"]


def test_who_stands_in_for_one_side_takes_over_no_rival_until_it_is_over(club: Club, match: Fixture) -> None:
    row = name(club, match)
    organiser, spectator = club.people["organiser"], club.people["spectator"]
    made = passing.make_link(stable_id=club.stable_id("ben"), reason="agreed", user=organiser)
    about: dict[str, Any] = {"passing_id": made.passing_id, "user": spectator}
    assert code_of(passing.take_over, **about) == "stand_in_plays"
    to_them: dict[str, Any] = {"stable_id": club.stable_id("ben"), "name": "spectator", "reason": "agreed"}
    assert code_of(passing.pass_to, **to_them, user=organiser) == "stand_in_plays"
    standing_in.end(season_id=club.season.pk, stand_in_id=row.pk, user=spectator)
    passing.take_over(**about)
    assert side(club, match, "ben").stable.owner == spectator


def test_who_stands_in_may_take_over_that_stable(club: Club, match: Fixture) -> None:
    name(club, match, of="ben")
    passing.pass_to(stable_id=club.stable_id("ben"), name="spectator", reason="agreed", user=club.people["organiser"])
    assert side(club, match, "ben").stand_in is None


# No judge of one's own match ------------------------------------------------------------------------------------------


def second_organiser(club: Club) -> None:
    SeasonRole.objects.create(season=club.season, user=club.people["spectator"], role=SeasonRole.Role.CO_ORGANISER)


def correction_by(club: Club, match: Fixture, who: str) -> Any:
    about: dict[str, Any] = {"fixture_id": match.pk, "wanted": corrections.Wanted(Correction.Kind.VOID)}
    return corrections.foresee(**about, user=club.people[who])


@pytest.mark.parametrize("is_evening", [False, True], ids=["one match", "an evening"])
def test_who_stood_in_corrects_no_result_of_that_match(club: Club, is_evening: bool) -> None:
    match = club.fixture("anna", "ben", mode="table")
    row = standing_in.name_person(
        stable_id=club.stable_id("anna"), name="organiser", reason="ill", user=club.people["anna"],
        **({"until": TONIGHT} if is_evening else {"fixture_id": match.pk}),
    )  # fmt: skip
    second_organiser(club)
    club.hand_in(match, "anna", "ben")
    for of in ("ben", "anna"):
        reports.file_report(fixture_id=match.pk, stable_id=club.stable_id(of), document=red_wins())
    fresh = Fixture.objects.get(pk=match.pk)
    assert (fresh.state, side(club, match).stand_in) == ("settled", None)
    assert rulings.takes_part(club.people["organiser"], fresh)
    assert code_of(correction_by, club=club, match=match, who="organiser") == "referee_takes_part"
    assert correction_by(club, match, "spectator").effects
    other = club.fixture("anna", "carla")
    standing_in.end(season_id=club.season.pk, stand_in_id=row.pk, user=club.people["anna"])
    assert not rulings.takes_part(club.people["organiser"], other), "only what they played"


def test_who_stood_in_no_more_at_the_end_may_judge(club: Club) -> None:
    """Otherwise an owner could name each organiser, end it at once, and have no judge."""
    match = club.fixture("anna", "ben", mode="table")
    row = standing_in.name_person(
        stable_id=club.stable_id("anna"), name="organiser", reason="ill", user=club.people["anna"], fixture_id=match.pk
    )
    second_organiser(club)
    standing_in.end(season_id=club.season.pk, stand_in_id=row.pk, user=club.people["organiser"])
    club.hand_in(match, "anna", "ben")
    for of in ("ben", "anna"):
        reports.file_report(fixture_id=match.pk, stable_id=club.stable_id(of), document=red_wins())
    assert correction_by(club, match, "organiser").effects
