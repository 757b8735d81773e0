"""A full season has a waiting list: a free place is offered to the first, for two days, and then to the next."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Any

import pytest
from django.core.exceptions import PermissionDenied
from django.test import Client
from django.utils import timezone

from people.models import Notice, User
from rules.campaign.season.hand import free_places
from stables.models import LogEntry, Season, WaitingPlace
from stables.services.running import participation, stables, waiting_list
from stables.services.season import invitations, seasons, settings
from tests.stables.conftest import open_with
from tests.stables.running.test_hand_on_stables import code_of

pytestmark = [pytest.mark.django_db, pytest.mark.database]

NAMES = ("organiser", "player", "first", "second", "third")


@pytest.fixture
def people(db: None) -> dict[str, User]:
    return {name: User.objects.create_user(name, f"{name}@example.org", "-") for name in NAMES}


@pytest.fixture
def full(release: Any, people: dict[str, User]) -> Season:
    """A recruiting season with two places, both taken, and two people on its list."""
    season = open_with(release, ["Machines"], cycles=["standard", "weapons_dead"], places=2)
    season.organiser = people["organiser"]
    season.save()
    seasons.found_stable(season_id=season.pk, name="Own Works", owner=people["player"])
    for name in ("first", "second"):
        waiting_list.wait(season_id=season.pk, user=people[name])
    return season


def remove(season: Season, people: dict[str, User], now: datetime | None = None) -> None:
    mine = season.stables.order_by("number")[0]
    stables.remove(stable_id=mine.pk, reason="left", user=people["organiser"], now=now)


def listed(season: Season) -> list[tuple[str, bool]]:
    rows = season.waiting.order_by("id").values_list("user__username", "offered_until")
    return [(name, until is not None) for name, until in rows]


def found(season: Season, people: dict[str, User], name: str) -> Any:
    return invitations.found_by_person(season_id=season.pk, name=f"Works of {name}", owner=people[name])


@pytest.mark.parametrize(
    ("places", "held", "waiting", "free"), [(4, 2, 0, 2), (4, 2, 1, 1), (4, 4, 2, 0), (4, 3, 3, 0)]
)
def test_people_who_wait_come_first(places: int, held: int, waiting: int, free: int) -> None:
    assert free_places(places, held, waiting) == free


def test_a_free_place_is_offered_to_the_first_and_kept_for_them(full: Season, people: dict[str, User]) -> None:
    assert listed(full) == [("first", False), ("second", False)]
    remove(full, people)
    assert listed(full) == [("first", True), ("second", False)]
    place = WaitingPlace.objects.get(user=people["first"])
    told = Notice.objects.get(code="place_offered")
    assert (told.user, told.url) == (people["first"], f"/waiting/{place.pk}/")
    assert code_of(found, season=full, people=people, name="second") == "place_is_kept"
    assert code_of(found, season=full, people=people, name="third") == "place_is_kept"
    assert code_of(seasons.found_stable, season_id=full.pk, name="More machines") == "place_is_kept"
    found(full, people, "first")
    assert listed(full) == [("second", False)]
    assert code_of(found, season=full, people=people, name="second") == "season_full"


def test_the_desk_of_an_organiser_names_who_waits(full: Season, people: dict[str, User]) -> None:
    client = Client()
    client.force_login(people["organiser"])
    assert "2 people wait for a place" in client.get("/").content.decode()
    WaitingPlace.objects.all().delete()
    assert "for a place" not in client.get("/").content.decode()


def test_an_offer_that_nobody_takes_goes_to_the_next(full: Season, people: dict[str, User]) -> None:
    now = timezone.now()
    remove(full, people, now)
    waiting_list.look_after_lists(now + timedelta(hours=48, seconds=-1))
    assert listed(full) == [("first", True), ("second", False)]
    waiting_list.look_after_lists(now + timedelta(hours=48))
    assert listed(full) == [("second", True)]
    told = Notice.objects.exclude(user=people["organiser"]).exclude(code="stable_removed")
    assert {(each.user.username, each.code) for each in told} == {
        ("first", "place_offered"), ("first", "place_not_taken"), ("second", "place_offered"),
    }  # fmt: skip


def test_a_place_is_offered_when_an_owner_leaves_or_places_are_added(full: Season, people: dict[str, User]) -> None:
    settings.change_settings(season_id=full.pk, changes={"places": 3})
    waiting_list.look_after_lists()
    assert listed(full) == [("first", True), ("second", False)]
    participation.withdraw(stable_id=full.stables.get(owner=people["player"]).pk)
    assert listed(full) == [("first", True), ("second", True)]


def test_nothing_is_offered_while_nobody_may_join(full: Season, people: dict[str, User]) -> None:
    now = timezone.now()
    remove(full, people, now)
    Season.objects.filter(pk=full.pk).update(state="running")
    full.cycles.update(state="rounds", started_with=2, rounds_planned=1)
    waiting_list.look_after_lists(now + timedelta(hours=49))
    # The first one could not have come in, so their turn is not over.
    assert listed(full) == [("first", False), ("second", False)]
    full.cycles.update(state="closed")
    full.refresh_from_db()
    seasons.open_cycle(full, 2)
    waiting_list.look_after_lists(now + timedelta(hours=50))
    assert listed(full) == [("first", True), ("second", False)]


def test_an_organiser_passes_a_person_over(full: Season, people: dict[str, User]) -> None:
    remove(full, people)
    first = WaitingPlace.objects.get(user=people["first"])
    asked = {"season_id": full.pk, "waiting_id": first.pk, "reason": "agreed"}
    with pytest.raises(PermissionDenied):
        waiting_list.pass_over(user=people["second"], **asked)
    waiting_list.pass_over(user=people["organiser"], **asked)
    assert listed(full) == [("second", True)]
    assert Notice.objects.get(code="waiting_passed_over").parameters["reason"] == "agreed"
    assert code_of(waiting_list.pass_over, user=people["organiser"], **asked) == "nobody_waits"


def test_a_person_leaves_the_list_and_the_next_is_asked(full: Season, people: dict[str, User]) -> None:
    remove(full, people)
    for _ in range(2):
        waiting_list.leave(season_id=full.pk, user=people["first"])
    assert listed(full) == [("second", True)]
    assert LogEntry.objects.filter(code="waiting_left").count() == 1


def test_nobody_waits_where_there_is_a_place_or_they_have_one(full: Season, people: dict[str, User]) -> None:
    waits = {"season_id": full.pk}
    assert code_of(waiting_list.wait, user=people["player"], **waits) == "already_owner_here"
    assert waiting_list.wait(user=people["second"], **waits).pk == full.waiting.get(user=people["second"]).pk
    assert full.waiting.count() == 2
    began = LogEntry.objects.filter(code="waiting_began").values_list("parameters__person", flat=True)
    assert list(began) == [people["first"].pk, people["second"].pk]
    full.waiting.all().delete()
    settings.change_settings(season_id=full.pk, changes={"places": 3})
    assert code_of(waiting_list.wait, user=people["third"], **waits) == "place_is_free"


def test_a_list_has_an_end(full: Season, people: dict[str, User], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(waiting_list, "MOST_WAITING", 2)
    assert code_of(waiting_list.wait, season_id=full.pk, user=people["third"]) == "waiting_list_full"


def test_a_season_by_invitation_takes_those_who_have_one(full: Season, people: dict[str, User]) -> None:
    Season.objects.filter(pk=full.pk).update(joining="invited", visibility="private")
    assert code_of(waiting_list.wait, season_id=full.pk, user=people["third"]) == "invitation_needed"
    code = invitations.invite(season_id=full.pk).code
    full.waiting.all().delete()
    waiting_list.wait_by_code(code=code, user=people["third"])
    remove(full, people)
    found(full, people, "third")
    assert full.stables.get(owner=people["third"]).invitation.code == code


def test_the_list_ends_with_the_season(full: Season) -> None:
    Season.objects.filter(pk=full.pk).update(state="cancelled")
    waiting_list.look_after_lists()
    assert listed(full) == []
