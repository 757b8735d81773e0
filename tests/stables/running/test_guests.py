"""A link seats a guest at a stable: used once, renewed in the open, and claimed by an account later."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from django.core import signing
from django.core.exceptions import PermissionDenied
from django.test import Client
from django.utils import timezone

from people.models import Notice, PushSubscription, User
from stables.models import LogEntry, Passing, Season, SeasonRole, Stable, TablePin, WaitingPlace
from stables.services.results import pins
from stables.services.running import coming, guests, passing, stables
from stables.services.season import calendar_feeds
from tests.stables.duels import Club
from tests.stables.running.test_hand_on_stables import code_of

pytestmark = [pytest.mark.django_db, pytest.mark.database]


def link(club: Club, of: str = "machines", by: str = "organiser") -> str:
    user = club.people[by]
    return guests.make_seat_link(stable_id=club.stable_id(of), reason="came along", user=user).code


def sit(club: Club, code: str) -> User:
    return guests.take_seat(passing_id=passing.find(code).pk)


def stable(club: Club) -> Stable:
    return Stable.objects.select_related("owner", "season").get(pk=club.stable_id("machines"))


def test_a_link_makes_a_guest_the_owner_of_a_stable_once(club: Club) -> None:
    code = link(club)
    guest = sit(club, code)
    assert (stable(club).owner, stable(club).is_ai) == (guest, False)
    assert guest.is_guest
    assert not guest.has_usable_password()
    assert (guest.email, guest.mail_digest, guest.mail_your_turn, guest.mail_reports) == ("", False, False, False)
    assert code_of(sit, club=club, code=code) == "link_used"
    codes = LogEntry.objects.exclude(code="stable_founded").order_by("id").values_list("code", flat=True)
    assert list(codes) == ["guest_link_made", "guest_seated"]
    stored = repr([list(model.objects.values()) for model in (Passing, LogEntry, Notice)])
    assert code not in stored


def test_a_renewed_link_keeps_the_guest_ends_the_old_phone_and_all_in_the_season_hear(club: Club) -> None:
    guest = sit(club, link(club))
    phone = Client()
    phone.force_login(guest)
    late = User.objects.create_user("late", "late@example.org", "-")
    WaitingPlace.objects.create(season=club.season, user=late)
    SeasonRole.objects.create(season=club.season, user=club.people["spectator"], role=SeasonRole.Role.REFEREE)
    first = link(club)
    second = link(club)
    assert code_of(sit, club=club, code=first) == "link_revoked"
    told = Notice.objects.filter(code="guest_link_renewed").values_list("user__username", flat=True)
    assert set(told) == {"anna", "ben", "carla", "late", "spectator", guest.username}
    assert phone.get("/people/notices").status_code == 200
    assert sit(club, second) == guest
    assert LogEntry.objects.latest("pk").code == "guest_returned"
    assert stable(club).owner == guest
    assert phone.get("/people/notices").status_code == 302
    assert User.objects.filter(is_guest=True).count() == 1


def test_a_link_to_claim_with_that_the_lost_phone_made_ends_with_its_sessions(club: Club) -> None:
    guest = sit(club, link(club))
    renewed = link(club)
    of_lost_phone = guests.make_claim_link(stable_id=stable(club).pk, user=guest).code
    assert passing.find(of_lost_phone)
    sit(club, renewed)
    assert code_of(passing.find, code=of_lost_phone) == "link_revoked"
    again = guests.make_claim_link(stable_id=stable(club).pk, user=guest).code
    passing.take_over(passing_id=passing.find(again).pk, user=club.people["spectator"])
    assert stable(club).owner == club.people["spectator"]


def test_what_the_lost_phone_made_for_the_stable_ends_with_its_sessions(club: Club) -> None:
    guest = sit(club, link(club))
    fixture = club.fixture("anna", "machines", mode="table")
    club.hand_in(fixture, "anna", "machines")
    pins.make_pin(fixture_id=fixture.pk, stable_id=stable(club).pk, user=guest)
    key = calendar_feeds.make_feed(user=guest, season=club.season)[0].key
    renewed = link(club)
    assert calendar_feeds.open_feed(club.season.slug, key)
    sit(club, renewed)
    assert calendar_feeds.open_feed(club.season.slug, key) is None
    assert not TablePin.objects.exists()


def test_the_lost_phone_does_not_say_who_comes_any_more(club: Club) -> None:
    guest = sit(club, link(club))
    at = timezone.now() + timedelta(days=2)
    coming.ask(season_id=club.season.pk, at=at, user=club.people["organiser"])
    notice = Notice.objects.get(user=guest, code="who_comes")
    of_lost_phone, renewed = notice.url, link(club)
    assert Client().get(of_lost_phone).status_code == 200
    sit(club, renewed)
    notice.refresh_from_db()
    assert Client().get(of_lost_phone).status_code == 400
    assert Client().get(notice.url).status_code == 200


def test_the_lost_phone_gets_no_messages_any_more(club: Club) -> None:
    """A message to a browser has a fresh link in it that asks who comes."""
    guest = sit(club, link(club))
    for person in (guest, club.people["ben"]):
        endpoint = f"https://push.example.org/{person.pk}"
        PushSubscription.objects.create(user=person, endpoint=endpoint, public_key="key", secret="secret")
    renewed = link(club)
    assert guest.push_subscriptions.exists()
    sit(club, renewed)
    assert [each.user for each in PushSubscription.objects.all()] == [club.people["ben"]]


def test_a_guests_link_outlives_a_new_key_of_the_site_and_shows_nothing_of_sessions(club: Club, settings: Any) -> None:
    guest = sit(club, link(club))
    at = timezone.now() + timedelta(days=2)
    coming.ask(season_id=club.season.pk, at=at, user=club.people["organiser"])
    address = Notice.objects.get(user=guest, code="who_comes").url
    holder = signing.loads(address.rstrip("/").rpartition("/")[2], salt=coming.SALT)[-1]
    assert holder not in guest.get_session_auth_hash()
    settings.SECRET_KEY, settings.SECRET_KEY_FALLBACKS = "another key", [settings.SECRET_KEY]
    assert Client().get(address).status_code == 200
    settings.SECRET_KEY_FALLBACKS = []
    assert Client().get(address).status_code == 400


def test_an_account_claims_the_stable_and_the_guest_is_gone(club: Club) -> None:
    guest = sit(club, link(club))
    phone = Client()
    phone.force_login(guest)
    code = guests.make_claim_link(stable_id=stable(club).pk, user=guest).code
    passing.take_over(passing_id=passing.find(code).pk, user=club.people["spectator"])
    assert stable(club).owner == club.people["spectator"]
    guest.refresh_from_db()
    assert (guest.is_active, guest.left_at is None) == (False, False)
    assert phone.get("/people/notices").status_code == 302
    line = LogEntry.objects.latest("pk")
    assert (line.code, line.parameters["person"]) == ("stable_claimed", club.people["spectator"].pk)
    assert Notice.objects.filter(user=club.people["spectator"]).get().code == "stable_claimed"


@pytest.mark.parametrize("state", ["sudden_death", "provisional", "finished", "cancelled"])
def test_the_guests_stable_can_still_be_claimed_after_the_last_match(club: Club, state: str) -> None:
    guest = sit(club, link(club))
    Season.objects.filter(pk=club.season.pk).update(state=state)
    code = guests.make_claim_link(stable_id=stable(club).pk, user=guest).code
    passing.take_over(passing_id=passing.find(code).pk, user=club.people["spectator"])
    assert stable(club).owner == club.people["spectator"]
    assert stable(club).identity is not None


def test_no_other_link_passes_a_stable_on_after_the_last_match(club: Club) -> None:
    sit(club, link(club))
    code = passing.make_link(stable_id=stable(club).pk, reason="agreed", user=club.people["organiser"]).code
    Season.objects.filter(pk=club.season.pk).update(state="finished")
    refused = code_of(passing.take_over, passing_id=passing.find(code).pk, user=club.people["spectator"])
    assert refused == "season_not_running"


def test_an_account_may_use_the_link_for_a_guest_itself(club: Club) -> None:
    code = link(club)
    passing.take_over(passing_id=passing.find(code).pk, user=club.people["spectator"])
    assert stable(club).owner == club.people["spectator"]
    assert User.objects.filter(is_guest=True).count() == 0


def test_a_stable_of_an_account_seats_no_guest(club: Club) -> None:
    assert code_of(link, club=club, of="ben") == "seat_has_owner"
    code = passing.make_link(stable_id=club.stable_id("ben"), reason="agreed", user=club.people["organiser"]).code
    assert code_of(sit, club=club, code=code) == "seat_has_owner"
    for name in ("ben", "spectator"):
        with pytest.raises(PermissionDenied):
            link(club, by=name)


def test_only_the_guest_makes_a_link_to_claim_with(club: Club) -> None:
    sit(club, link(club))
    for name in ("organiser", "ben"):
        with pytest.raises(PermissionDenied):
            guests.make_claim_link(stable_id=stable(club).pk, user=club.people[name])


def test_a_guest_gets_no_other_stable(club: Club) -> None:
    guest = sit(club, link(club))
    organiser = club.people["organiser"]
    about = {"stable_id": club.stable_id("ben"), "reason": "agreed", "user": organiser}
    assert code_of(passing.pass_to, name=guest.username, **about) == "unknown_person"
    code = passing.make_link(**about).code
    assert code_of(passing.take_over, passing_id=passing.find(code).pk, user=guest) == "guest_may_not"


def test_a_link_ends_with_the_season_and_after_fourteen_days(club: Club) -> None:
    code = link(club)
    later = timezone.now() + timedelta(days=14, minutes=1)
    found = passing.find(code).pk
    assert code_of(guests.take_seat, passing_id=found, now=later) == "link_expired"
    Season.objects.filter(pk=club.season.pk).update(state="finished")
    assert code_of(sit, club=club, code=code) == "season_not_running"


def test_a_season_has_few_guests(club: Club, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(guests, "MOST_GUESTS", 0)
    assert code_of(link, club=club) == "too_many_guests"


def test_the_guest_of_a_removed_stable_is_gone(club: Club) -> None:
    guest = sit(club, link(club))
    Season.objects.filter(pk=club.season.pk).update(state="recruiting")
    stables.remove(stable_id=stable(club).pk, reason="never came", user=club.people["organiser"])
    guest.refresh_from_db()
    assert not guest.is_active
    assert link_is_gone(club)


def link_is_gone(club: Club) -> bool:
    return not Passing.objects.filter(stable=club.stable_id("machines"), passed_at=None, revoked_at=None).exists()
