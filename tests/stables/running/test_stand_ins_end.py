"""How stand-ins end, and what ends with them."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from django.urls import reverse
from django.utils import timezone

from jobs.services import run_pending
from people.models import Notice, User
from people.text.notices import notice_sentence
from stables.models import Fixture, FixtureSide, Season, SeasonRole, Stable, StandIn
from stables.selectors.access import may_see
from stables.selectors.places import refuse_former_owner
from stables.selectors.standing_in import open_stand_ins
from stables.services.results import pins
from stables.services.running import passing, standing_in
from stables.services.season import endings
from tests.stables.duels import Club, sides_of
from tests.stables.running.test_hand_on_stables import code_of

pytestmark = [pytest.mark.django_db, pytest.mark.database]
NOW = timezone.now()
TONIGHT = NOW + timedelta(hours=6)


@pytest.fixture
def match(club: Club) -> Fixture:
    return club.fixture("anna", "ben")


def name(club: Club, match: Fixture | None, who: str = "spectator", by: str = "organiser", **values: Any) -> StandIn:
    when: dict[str, Any] = {"until": TONIGHT} if match is None else {"fixture_id": match.pk}
    about: dict[str, Any] = {"reason": "ill", **when, **values}
    return standing_in.name_person(stable_id=club.stable_id("anna"), name=who, user=club.people[by], **about)


def link(club: Club, match: Fixture, by: str = "organiser") -> passing.MadeLink:
    about: dict[str, Any] = {"reason": "ill", "user": club.people[by]}
    return standing_in.make_link(stable_id=club.stable_id("anna"), fixture_id=match.pk, **about)


def side(club: Club, match: Fixture) -> FixtureSide:
    return FixtureSide.objects.get(fixture=match, stable=club.stable_id("anna"))


def test_a_link_gives_the_seat_back_to_the_owner_at_once_and_tells_who_had_it(club: Club, match: Fixture) -> None:
    name(club, match)
    club.hand_in(match, "anna", "ben")
    run_pending()
    assert sides_of(match)[0][1] == club.people["spectator"].pk
    link(club, match)
    assert sides_of(match)[0][1] == club.people["anna"].pk
    assert Notice.objects.get(code="stand_in_over").user == club.people["spectator"]


def test_who_is_replaced_and_whose_match_a_link_gives_away_hear_of_it(club: Club, match: Fixture) -> None:
    name(club, match)
    Notice.objects.all().delete()
    name(club, match)
    assert not Notice.objects.filter(code="stand_in_over").exists(), "they go on"
    name(club, match, who="organiser", by="anna")
    assert Notice.objects.get(code="stand_in_over").user == club.people["spectator"]
    link(club, match, by="anna")
    assert not Notice.objects.filter(code="stand_in_link").exists(), "the owner made it"
    link(club, match)
    told = Notice.objects.get(code="stand_in_link")
    assert (told.user, told.url) == (club.people["anna"], club.address("fixture", match))
    assert notice_sentence(told.code, told.parameters) == (
        "Test season, round 1: the organisers made a link with which somebody stands in for you with Stable of anna in "
        "Stable of anna – Stable of ben: ill"
    )


def test_an_organiser_opens_no_link_while_another_could_judge(club: Club, match: Fixture) -> None:
    made = link(club, match, by="anna")
    role = SeasonRole.Role.CO_ORGANISER
    SeasonRole.objects.create(season=club.season, user=club.people["spectator"], role=role)
    about: dict[str, Any] = {"passing_id": made.passing_id, "user": club.people["organiser"]}
    assert code_of(standing_in.take_place, **about) == "organiser_takes_part"
    assert side(club, match).stand_in is None
    SeasonRole.objects.all().delete()
    standing_in.take_place(**about)
    assert side(club, match).stand_in == club.people["organiser"]


def test_ending_a_link_that_nobody_used_leaves_the_evenings_stand_in(club: Club, match: Fixture) -> None:
    name(club, None)
    link(club, match)
    row = StandIn.objects.get(fixture=match)
    standing_in.end(season_id=club.season.pk, stand_in_id=row.pk, user=club.people["organiser"])
    assert side(club, match).stand_in == club.people["spectator"]


def test_after_the_evening_a_stand_in_is_listed_while_a_match_is_open(club: Club, match: Fixture) -> None:
    row, stable = name(club, None), club.stables["anna"]
    later = TONIGHT + timedelta(hours=1)
    assert list(open_stand_ins(stable, later)) == [row]
    Fixture.objects.filter(pk=match.pk).update(state="settled")
    assert list(open_stand_ins(stable, later)) == []
    assert list(open_stand_ins(stable)) == [row]


def test_a_link_is_listed_until_it_expires(club: Club, match: Fixture) -> None:
    made, stable = link(club, match), club.stables["anna"]
    assert open_stand_ins(stable, made.expires_at - timedelta(minutes=1)).count() == 1
    assert open_stand_ins(stable, made.expires_at).count() == 0


def test_a_cancelled_season_ends_stand_ins_and_the_guests_of_its_matches(club: Club, match: Fixture) -> None:
    other = club.fixture("anna", "carla")
    guest, _ = standing_in.take_place(passing_id=link(club, match).passing_id)
    name(club, other)
    Season.objects.filter(pk=club.season.pk).update(visibility="private")
    assert may_see(club.people["spectator"], Season.objects.get(pk=club.season.pk))
    endings.cancel_season(season_id=club.season.pk, is_sure=True, actor=club.people["organiser"])
    guest.refresh_from_db()
    assert (guest.is_active, guest.left_at is not None) == (False, True)
    assert not StandIn.objects.filter(ended_at=None).exists()
    assert not may_see(club.people["spectator"], Season.objects.get(pk=club.season.pk))


def test_a_notice_to_a_stranger_quotes_what_others_wrote_and_is_short(club: Club, match: Fixture) -> None:
    Stable.objects.filter(pk=club.stable_id("anna")).update(name="Go to bad.example.org")
    reason = "see https://bad.example.org/ now " + "x" * 900
    for where in (match, None):
        row = name(club, where, reason=reason)
        told = Notice.objects.filter(code="stand_in_yours").latest("pk")
        said = notice_sentence(told.code, told.parameters)
        assert "“" in said
        assert "bad.example.org" not in said
        assert len(told.parameters["reason"]) == standing_in.LONGEST_TOLD
        standing_in.end(season_id=club.season.pk, stand_in_id=row.pk, user=club.people["organiser"])
        over = Notice.objects.filter(code="stand_in_over", user=club.people["spectator"]).latest("pk")
        assert "bad.example.org" not in notice_sentence(over.code, over.parameters)


def test_a_guest_names_nobody_and_makes_no_link(club: Club, match: Fixture) -> None:
    guest = User.objects.filter(pk=club.people["anna"].pk)
    guest.update(is_guest=True)
    club.people["anna"] = guest.get()
    assert code_of(name, club=club, match=match, by="anna") == "guest_may_not"
    assert code_of(link, club=club, match=match, by="anna") == "guest_may_not"
    page = reverse("stables:stand_ins", args=[club.season.slug, club.stables["anna"].slug])
    assert not club.client("anna").get(page).context["may_name"]
    assert not StandIn.objects.exists()


def test_who_got_a_stable_back_does_not_read_that_it_was_passed_on(club: Club) -> None:
    organiser, anna, stable = club.people["organiser"], club.people["anna"], club.stables["anna"]
    for who in ("spectator", "anna"):
        passing.pass_to(stable_id=stable.pk, name=who, reason="agreed", user=organiser)
    refuse_former_owner(anna, club.season.slug, stable.slug)
    about = {"user": club.people["spectator"], "season_slug": club.season.slug, "stable_slug": stable.slug}
    assert code_of(refuse_former_owner, **about) == "stable_passed_on"


def test_a_pin_goes_when_somebody_else_begins_to_play(club: Club) -> None:
    match = club.fixture("anna", "ben", mode="table")
    club.hand_in(match, "anna", "ben")
    pins.make_pin(fixture_id=match.pk, stable_id=club.stable_id("anna"), user=club.people["anna"])
    pins.make_pin(fixture_id=match.pk, stable_id=club.stable_id("ben"), user=club.people["ben"])
    about: dict[str, Any] = {"season_id": club.season.pk, "user": club.people["organiser"]}
    assert pins.make_missing_pins(**about) == []
    row = name(club, match)
    assert [made.stable for made in pins.make_missing_pins(**about)] == ["Stable of anna"]
    standing_in.end(season_id=club.season.pk, stand_in_id=row.pk, user=club.people["anna"])
    assert [made.stable for made in pins.make_missing_pins(**about)] == ["Stable of anna"]
