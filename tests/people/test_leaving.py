"""Deleting an account: what stands in the way, what happens, what stays, and the data to take along before."""

from __future__ import annotations

from typing import Any

import pytest
from axes.models import AccessAttempt
from django.core import mail
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from catalogue.services import collections
from catalogue.services.releases import load_release
from matches.models import MatchSeat, WriteUp
from matches.services.answering import Seat
from matches.services.beginning.demonstration import demonstration_setup
from matches.services.matches import create_match
from people.models import Notice, User
from people.services import accounts, kept, leaving, mails
from rules.core.refusals import SeasonRefused
from stables.models import (
    Cycle,
    ExternalSeat,
    Fixture,
    LogEntry,
    Season,
    SeasonRole,
    Stable,
    StableIdentity,
    SuddenDeath,
    Webhook,
)
from stables.services.ai import owners
from stables.services.fixtures import programs
from stables.services.results import settlement
from stables.services.running import roles
from stables.services.season import calendar_feeds
from stables.services.season.identities import identity_for
from tests.people.own_copies import fetched
from tests.stables.conftest import open_with, pair, type_in

pytestmark = [pytest.mark.django_db, pytest.mark.database]
PASSWORD = "correct horse battery"
ADDRESS = "/people/account/leave"
SURE = {"password": PASSWORD, "sure": "on"}


@pytest.fixture
def kai() -> User:
    return accounts.create_account("Kaiserin", "kai@example.org", PASSWORD, "Europe/Berlin")


@pytest.fixture
def other() -> User:
    return accounts.create_account("Omar", "omar@example.org", PASSWORD)


@pytest.fixture
def client_of_kai(kai: User) -> Client:
    client = Client()
    client.force_login(kai)
    return client


@pytest.fixture
def release() -> Any:
    return load_release()


@pytest.fixture
def season(release: Any, kai: User) -> Season:
    """A running season in its first round; the first stable is the person's."""
    made = open_with(release, ["Ash", "Birch", "Cedar", "Dogwood"])
    for one in made.stables.order_by("number"):
        owners.shop(stable_id=one.pk, cycle_id=made.cycles.get().pk)
    identity = identity_for("Ash", kai)
    Stable.objects.filter(season=made, number=1).update(owner=kai, is_ai=False, identity=identity)
    return made


def gone(user: User) -> User:
    return User.objects.get(pk=user.pk)


def test_nothing_is_left_that_tells_who_it_was(kai: User, client_of_kai: Client) -> None:
    Notice.objects.create(user=kai, code="market_open", parameters={"season": "x", "cycle": 1})
    AccessAttempt.objects.create(username="kaiserin", ip_address="10.0.0.1", failures_since_start=1)
    kai.is_staff = True
    kai.save()
    link = mails.unsubscribe_address(kai, "digest").removeprefix("http://localhost:8000")
    assert client_of_kai.post(ADDRESS, SURE).headers["Location"] == "/"
    left = gone(kai)
    kept = {field.name: getattr(left, field.name) for field in User._meta.fields}
    assert "kaiserin" not in str(kept).lower()
    assert "example.org" not in str(kept)
    mails_kept = [name for name in kept if name.startswith("mail_")]
    assert len(mails_kept) == len(mails.KINDS)
    assert not any(kept[name] for name in ("is_active", "is_staff", *mails_kept))
    assert (kept["time_zone"], kept["last_login"]) == ("UTC", None)
    assert left.left_at is not None
    assert not left.has_usable_password()
    assert not left.notices.exists()
    assert not AccessAttempt.objects.exists()
    assert left.get_username() == "somebody who left"
    # Every session and every link that knew the account has ended.
    assert client_of_kai.get("/people/account").status_code == 302
    assert Client().get(link).status_code == 404
    tried = Client().post(reverse("people:log_in"), {"username": left.username, "password": PASSWORD})
    assert tried.status_code == 200
    Client().post(reverse("people:reset_password"), {"email": left.email})
    assert mail.outbox == []


def test_other_sessions_end_as_well(kai: User, client_of_kai: Client) -> None:
    elsewhere = Client()
    elsewhere.force_login(kai)
    assert elsewhere.get("/people/account").status_code == 200
    client_of_kai.post(ADDRESS, SURE)
    assert elsewhere.get("/people/account").status_code == 302


def test_two_may_leave_and_their_names_are_free_again(kai: User, other: User) -> None:
    for user in (kai, other):
        leaving.leave(user, PASSWORD)
    again = accounts.create_account("Kaiserin", "kai@example.org", PASSWORD)
    assert again.pk != kai.pk
    assert accounts.notify([gone(kai), again], "market_open", {"season": "x", "cycle": 1}) == list(again.notices.all())


@pytest.mark.parametrize(
    "sent",
    [{**SURE, "password": "wrong"}, {"password": PASSWORD}, {"sure": "on"}, {}],
    ids=["wrong password", "not sure", "no password", "nothing"],
)
def test_the_password_and_a_tick_are_needed(kai: User, client_of_kai: Client, sent: dict[str, str]) -> None:
    answer = client_of_kai.post(ADDRESS, sent)
    assert answer.status_code == 200
    assert answer.context["form"].errors
    assert gone(kai).left_at is None
    assert client_of_kai.get(ADDRESS).status_code == 200


def test_passwords_are_not_tried_for_ever(kai: User, client_of_kai: Client) -> None:
    tried = [client_of_kai.post(ADDRESS, {**SURE, "password": "x"}).status_code for _ in range(11)]
    assert tried == [200] * 10 + [429]
    assert client_of_kai.post(ADDRESS, SURE).status_code == 429
    assert gone(kai).left_at is None


def test_looking_changes_nothing_and_strangers_log_in_first(kai: User, client_of_kai: Client) -> None:
    shown = client_of_kai.get(ADDRESS).content.decode()
    assert "somebody who left" in shown
    assert gone(kai).left_at is None
    assert Client().get(ADDRESS).headers["Location"] == f"/people/log-in?next={ADDRESS}"
    assert Client().post(ADDRESS, SURE).status_code == 302


def test_an_only_organiser_names_another_first(season: Season, kai: User, other: User, client_of_kai: Client) -> None:
    Season.objects.update(organiser=kai)
    Stable.objects.update(owner=None, is_ai=True)
    shown = client_of_kai.get(ADDRESS).content.decode()
    assert "Nobody else organises Test season" in shown
    assert f'href="{season.get_absolute_url()}organise/"' in shown
    with pytest.raises(leaving.LeavingRefused) as refused:
        leaving.leave(kai, PASSWORD)
    assert (refused.value.code, refused.value.parameters) == ("only_organiser", {"season": "Test season"})
    assert "Nobody else organises" in client_of_kai.post(ADDRESS, SURE).content.decode()
    assert gone(kai).left_at is None
    roles.give_role(season_id=season.pk, name="Omar", role="co_organiser", actor=kai)
    assert "Omar organises Test season from then on." in client_of_kai.get(ADDRESS).content.decode()
    assert client_of_kai.post(ADDRESS, SURE).status_code == 302
    season.refresh_from_db()
    assert season.organiser == other
    assert not SeasonRole.objects.exists()


def test_who_organised_what_has_ended_may_leave(season: Season, kai: User) -> None:
    Season.objects.update(organiser=kai, state=Season.State.FINISHED)
    Stable.objects.update(owner=None, is_ai=True)
    leaving.leave(kai, PASSWORD)
    season.refresh_from_db()
    assert season.organiser == kai, "nobody else is there to take it"


def test_a_stable_of_a_running_season_withdraws_and_stays_in_the_books(
    season: Season, kai: User, client_of_kai: Client
) -> None:
    [mine, _] = sorted(pair(season), key=lambda each: not each.sides.filter(stable__number=1).exists())
    Fixture.objects.filter(pk=mine.pk).update(mode=Fixture.Mode.BROWSER)
    stable = season.stables.get(number=1)
    entries = stable.ledger.count()
    assert "Ash leaves Test season for good" in client_of_kai.get(ADDRESS).content.decode()
    assert client_of_kai.post(ADDRESS, SURE).status_code == 302
    stable.refresh_from_db()
    assert (stable.left_in_cycle, stable.owner) == (1, kai)
    assert mine.sides.get(stable=stable).forfeits == "left"
    assert stable.ledger.count() == entries
    identity = StableIdentity.objects.get(owner=kai)
    assert identity.name == "Ash"
    for address in (season.get_absolute_url(), stable.get_absolute_url(), identity.get_absolute_url()):
        shown = Client().get(address).content.decode()
        assert "somebody who left" in shown, address
        assert "Kaiserin" not in shown, address


def test_a_match_that_was_played_stands(season: Season, kai: User) -> None:
    [mine, _] = sorted(pair(season), key=lambda each: not each.sides.filter(stable__number=1).exists())
    type_in(mine)
    leaving.leave(kai, PASSWORD)
    assert mine.sides.get(stable__number=1).forfeits == ""
    settlement.settle_fixture(fixture_id=mine.pk)
    assert LogEntry.objects.filter(code="match_won").exists()


def test_who_is_tied_for_a_title_fights_first(season: Season, kai: User) -> None:
    Season.objects.update(state=Season.State.SUDDEN_DEATH)
    waiting = SuddenDeath.objects.create(season=season, kind="stable", contenders=[{"stable": 1}, {"stable": 2}])
    with pytest.raises(leaving.LeavingRefused) as refused:
        leaving.leave(kai, PASSWORD)
    assert refused.value.code == "title_waits_for_you"
    SuddenDeath.objects.filter(pk=waiting.pk).update(contenders=[{"stable": 3}, {"stable": 2}])
    leaving.leave(kai, PASSWORD)
    assert gone(kai).left_at is not None


def test_while_places_are_written_nobody_leaves(season: Season, kai: User, client_of_kai: Client) -> None:
    Season.objects.update(state=Season.State.RUNNING)
    Cycle.objects.update(state=Cycle.State.CLOSING, started_with=4, rounds_planned=3)
    with pytest.raises(SeasonRefused) as refused:
        leaving.leave(kai, PASSWORD)
    assert refused.value.code == "cycle_is_closing"
    assert client_of_kai.post(ADDRESS, SURE).status_code == 409
    assert gone(kai).username == "Kaiserin"


def test_seats_and_roles_end_and_the_log_forgets_the_name(season: Season, kai: User, other: User) -> None:
    Stable.objects.filter(season=season, number=1).update(owner=other)
    User.objects.filter(pk=kai.pk).update(ladder="program")
    seat = programs.propose(stable_id=season.stables.get(number=1).pk, username="kaiserin", actor=other)
    roles.give_role(season_id=season.pk, name="kaiserin", role="referee", actor=other)
    log = f"{season.get_absolute_url()}log/"
    assert Client().get(log).content.decode().count("Kaiserin") == 3
    leaving.leave(kai, PASSWORD)
    assert ExternalSeat.objects.get(pk=seat.seat_id).ended_at is not None
    assert not SeasonRole.objects.exists()
    shown = Client().get(log).content.decode() + Client().get(season.get_absolute_url()).content.decode()
    assert "Kaiserin" not in shown
    assert "somebody who left is a referee of the season" in shown


def played_and_shown(kai: User) -> WriteUp:
    match = create_match(demonstration_setup(), b"s" * 32, None, [Seat("red", kai.pk), Seat("blue", bot="greedy")])
    return WriteUp.objects.create(subject=str(match.public_id), author=kai, text="How Kai won it.")


@pytest.mark.parametrize("deletes", [False, True])
def test_texts_stay_or_go_as_wished(kai: User, client_of_kai: Client, deletes: bool) -> None:
    played_and_shown(kai)
    assert client_of_kai.post(ADDRESS, SURE | ({"delete_texts": "on"} if deletes else {})).status_code == 302
    assert WriteUp.objects.exists() is not deletes
    assert MatchSeat.objects.get(side="red").user == kai


def test_what_only_the_person_had_is_deleted(kai: User, release: Any) -> None:
    collections.set_owned_miniatures(user=kai, keys=["SOL002"], is_there=True)
    collections.make_collection(name="Mine", keeper=kai)
    collections.make_collection(name="Ours", keeper=kai, audience="everybody")
    leaving.leave(kai, PASSWORD)
    assert [kept.name for kept in gone(kai).collections.all()] == ["Ours"]
    assert not collections.owned_miniatures(gone(kai))


def test_own_data_is_a_file_of_everything_and_nobody_elses(
    season: Season, kai: User, other: User, client_of_kai: Client
) -> None:
    written = played_and_shown(kai)
    WriteUp.objects.create(subject="x", author=other, text="Omar's words")
    collections.set_owned_miniatures(user=kai, keys=["SOL002"], is_there=True)
    accounts.notify([kai], "market_open", {"season": "Test season", "cycle": 1}, season.get_absolute_url())
    text, document = fetched(client_of_kai)
    assert (document["account"]["name"], document["account"]["email"]) == ("Kaiserin", "kai@example.org")
    assert document["notices"][0]["sentence"] == "The market of cycle 1 of Test season is open."
    assert document["matches"]["write_ups"][0]["text"] == written.text
    [stable] = document["seasons"]["stables"]
    assert (stable["name"], len(stable["ledger"]) > 1, len(stable["assets"]) > 0) == ("Ash", True, True)
    assert document["seasons"]["shelf"] == ["SOL002"]
    assert "password" not in text
    assert "Omar" not in text


def test_own_data_tells_outlets_once_and_reads_no_secret(season: Season, kai: User) -> None:
    """The secret of a season decides its dice, the address of a webhook opens somebody else's door."""
    calendar_feeds.make_feed(user=kai, season=season)
    Webhook.objects.create(season=season, made_by=kai, url="https://news.example/x", secret="whsec_x")
    rival = Stable.objects.filter(season=season).order_by("pk")[0]
    ExternalSeat.objects.create(stable=rival, user=kai)
    with CaptureQueriesContext(connection) as queries:
        data = kept.own_data(kai)["seasons"]
    assert [row["season"] for row in data["calendar_feeds"]] == [season.name]
    assert [row["season"] for row in data["webhooks"]] == [season.name]
    assert [row["season"] for row in data["seats"]] == [season.name]
    assert "calendars" not in data
    assert not [query["sql"] for query in queries if '"stables_season"."secret"' in query["sql"]]


def test_the_admin_neither_changes_who_left_nor_deletes_anybody(kai: User, other: User) -> None:
    staff = User.objects.create_superuser("staff", "staff@example.org", PASSWORD)
    client = Client()
    client.force_login(staff)
    leaving.leave(kai, PASSWORD)
    assert client.post(f"/admin/people/user/{kai.pk}/change/", {"username": "x"}).status_code == 403
    assert client.post(f"/admin/people/user/{other.pk}/delete/", {"post": "yes"}).status_code == 403


def test_others_notices_lose_a_name_from_the_right_to_the_left_too(other: User) -> None:
    name = "\u05d0\u05d1\u05d2"
    person = accounts.create_account(name, "alef@example.org", PASSWORD)
    accounts.notify([other], "person_waits", {"season": "Cup", "person": person.get_username()})
    leaving.leave(person, PASSWORD)
    assert not Notice.objects.filter(user=other).exists()
