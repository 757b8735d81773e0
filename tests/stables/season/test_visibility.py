"""Public, unlisted and private seasons: who opens their pages, and which lists name them."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import pytest
from django.contrib.auth.models import AnonymousUser, Permission
from django.test import Client
from django.urls import URLPattern, URLResolver, get_resolver, reverse

from catalogue.services import collections
from people.models import Notice, User
from rules.catalogue import load_builtin
from rules.core.refusals import Malformed
from stables.models import Asset, ExternalSeat, Fixture, Season, SeasonRole, Stable, StableIdentity, Title
from stables.selectors import honours
from stables.selectors.access import listed_seasons, may_see, named, visible_seasons
from stables.selectors.records import records_of
from stables.services.results import settlement
from stables.services.running import roles
from stables.services.season import collections as season_collections
from stables.services.season import next_season, opening, visibility
from stables.services.season.invitations import invite
from tests.stables.conftest import open_with, pair, type_in
from web.bounds import MOST_MESSAGES

pytestmark = [pytest.mark.django_db, pytest.mark.database]
NOBODY = AnonymousUser()
PRIVATE, UNLISTED, PUBLIC = Season.Visibility.PRIVATE, Season.Visibility.UNLISTED, Season.Visibility.PUBLIC
TAKE_PART = ("organiser", "helper", "referee", "owner", "gone", "program")


@pytest.fixture
def people() -> dict[str, User]:
    names = (*TAKE_PART, "stranger")
    return {name: User.objects.create_user(name, f"{name}@example.org", "secret words") for name in names}


@pytest.fixture
def hidden(stocked: Season, people: dict[str, User]) -> Season:
    """A private season with a settled round, in which everybody but the stranger takes part in a way of their own."""
    Season.objects.filter(pk=stocked.pk).update(
        visibility=PRIVATE, organiser=people["organiser"], name="Whispering season"
    )
    for number, owner in ((1, "owner"), (2, "gone")):
        stable = stocked.stables.get(number=number)
        Stable.objects.filter(pk=stable.pk).update(owner=people[owner], is_ai=False)
        StableIdentity.objects.filter(stables=stable).update(owner=people[owner])
    SeasonRole.objects.create(season=stocked, user=people["helper"], role=SeasonRole.Role.CO_ORGANISER)
    SeasonRole.objects.create(season=stocked, user=people["referee"], role=SeasonRole.Role.REFEREE)
    ExternalSeat.objects.create(stable=stocked.stables.get(number=1), user=people["program"])
    for fixture in pair(stocked):
        type_in(fixture, units={"red": {"kills": 1}})
        settlement.settle_fixture(fixture_id=fixture.pk)
    stocked.stables.filter(number=2).update(left_in_cycle=1)
    return Season.objects.get(pk=stocked.pk)


def client_of(user: Any) -> Client:
    client = Client()
    if user.is_authenticated:
        client.force_login(user)
    return client


def test_who_takes_part_in_any_way_sees_a_private_season(hidden: Season, people: dict[str, User]) -> None:
    seen = {name for name, person in people.items() if may_see(person, hidden)}
    assert seen == set(TAKE_PART)
    assert {name for name, person in people.items() if hidden in listed_seasons(person)} == set(TAKE_PART)
    assert not may_see(NOBODY, hidden)
    ExternalSeat.objects.update(ended_at="2026-01-01T00:00:00Z")
    assert not may_see(people["program"], hidden)


def test_staff_look_only_with_the_right_to_read_seasons_and_have_it_in_no_list(hidden: Season) -> None:
    staff = User.objects.create_user("helpdesk", "helpdesk@example.org", "secret words", is_staff=True)
    assert not may_see(staff, hidden)
    staff.user_permissions.add(Permission.objects.get(codename="view_season"))
    staff = User.objects.get(pk=staff.pk)
    assert may_see(staff, hidden)
    assert hidden not in listed_seasons(staff)
    # Without the flag the right alone opens nothing.
    User.objects.filter(pk=staff.pk).update(is_staff=False)
    assert not may_see(User.objects.get(pk=staff.pk), hidden)


def test_an_unlisted_season_is_seen_by_all_and_listed_for_those_in_it(hidden: Season, people: dict[str, User]) -> None:
    visibility.change_visibility(season_id=hidden.pk, visibility=UNLISTED)
    hidden.refresh_from_db()
    assert all(may_see(person, hidden) for person in (NOBODY, *people.values()))
    assert {name for name, person in people.items() if hidden in listed_seasons(person)} == set(TAKE_PART)
    assert hidden in visible_seasons(NOBODY)


def patterns(resolver: URLResolver, before: str = "") -> Iterator[tuple[str, URLPattern]]:
    for each in resolver.url_patterns:
        if isinstance(each, URLResolver):
            yield from patterns(each, before + str(each.pattern))
        else:
            yield before + str(each.pattern), each


BELOW = ("seasons/<slug:season_slug>/", "api/v1/seasons/<slug:season_slug>/")
OF_NO_SEASON = ("api/v1/seasons/",)
"""The list of those that one may see."""


def addresses_below(season: Season) -> list[str]:
    """Every address of the site below a season, with the ids of things that are there."""
    stable = season.stables.order_by("number")[0]
    fixture = Fixture.objects.filter(round__cycle__season=season)[0]
    values = {"stable_slug": stable.slug, "fixture_id": str(fixture.pk)}
    found = []
    for route, _pattern in patterns(get_resolver()):
        if route.startswith(BELOW):
            filled = route.replace("<slug:season_slug>", season.slug, 1)
            found.append("/" + re.sub(r"<(?:\w+:)?(\w+)>", lambda match: values.get(match[1], "1"), filled))
    return found


def test_every_address_below_a_season_names_it_alike() -> None:
    below = [route for route, _ in patterns(get_resolver()) if "season" in route.split("<")[0] or "season_" in route]
    assert len(below) > 50
    known = (*BELOW, "open-a-season/", "admin/")
    assert [route for route in below if not route.startswith(known) and route not in OF_NO_SEASON] == []


def test_nothing_below_a_private_season_answers_a_stranger(hidden: Season, people: dict[str, User]) -> None:
    addresses = addresses_below(hidden)
    assert len(addresses) > 60
    for who in (NOBODY, people["stranger"]):
        client = client_of(who)
        for ask in (client.get, client.post):
            answers = {address: ask(address).status_code for address in addresses}
            if who is NOBODY:
                # A program that must log in is told so wherever that is, before any door.
                early = [
                    address for address, status in answers.items() if status == 401 and address.startswith("/api/")
                ]
                assert all(ask(address.replace(hidden.slug, "none")).status_code == 401 for address in early)
                answers |= dict.fromkeys(early, 404)
            assert answers == dict.fromkeys(addresses, 404)
        page, unknown = (
            re.sub(r'name="csrfmiddlewaretoken" value="\w+"', "", client.get(address).content.decode())
            for address in (hidden.get_absolute_url(), "/seasons/none/")
        )
        # The two answers differ in nothing but the address that was asked for (the form of the theme sends it back).
        assert page.replace(hidden.slug, "none") == unknown
    assert "Whispering" not in page


@pytest.mark.parametrize("name", TAKE_PART)
def test_those_in_a_private_season_read_its_pages(hidden: Season, people: dict[str, User], name: str) -> None:
    client = client_of(people[name])
    own = hidden.get_absolute_url()
    stable = hidden.stables.select_related("season").get(number=3)
    for address in (own, f"{own}standings/", f"{own}log/", stable.get_absolute_url()):
        answer = client.get(address)
        assert (answer.status_code, answer.headers["X-Robots-Tag"]) == (200, "noindex")


@pytest.mark.parametrize("question", ["lodz", "ŁÓDŹ", "puchar lodz", ""])
def test_a_search_finds_a_season_without_its_marks(hidden: Season, question: str) -> None:
    Season.objects.filter(pk=hidden.pk).update(name="Puchar Łodzi, Łódź")
    assert list(named(Season.objects.all(), question)) == [hidden]
    assert not named(Season.objects.all(), "Bonn").exists()


def test_search_engines_hear_of_hidden_seasons_only(hidden: Season) -> None:
    for wanted, header in ((UNLISTED, "noindex"), (PUBLIC, None)):
        Season.objects.update(visibility=wanted)
        assert Client().get(hidden.get_absolute_url()).headers.get("X-Robots-Tag") == header


LISTS = (
    "/",
    "/champions/",
    "/catalogue/",
    "/catalogue/collections/",
    "/catalogue/units/{unit}/",
    "/identities/",
    "/identities/{public}/",
    "/identities/{shared}/",
    "/identities/{public}/against/{shared}/",
)
MARKS = ("Whispering", "Dogwood", "Ash")
"""The name of the hidden season and its collection, and of two stables that are in no other season."""


@pytest.fixture
def crossed(hidden: Season, release: Any, people: dict[str, User]) -> dict[str, Any]:
    """A public season in which an identity of the private one takes part as well; both finished, with a champion."""
    public = open_with(release, ["Elm", "Fir"])
    shared = StableIdentity.objects.get(name="Cedar", owner=None)
    Stable.objects.filter(season=public, number=1).update(identity=shared)
    other = StableIdentity.objects.get(name="Fir")
    other.rivals.set(StableIdentity.objects.filter(name__in=("Dogwood", "Cedar")))
    Season.objects.update(state=Season.State.FINISHED)
    winner = hidden.stables.get(name="Dogwood")
    Title.objects.create(season=hidden, kind="stable", stable=winner, reputation=90, kills=1, decided_by="reputation")
    keeper = people["organiser"]
    collection = season_collections.make_for_season(season_id=hidden.pk, organiser=keeper, name="Whispering dials")
    unit = load_builtin().units["SOL002"]
    collections.put_definition(collection=collection, user=keeper, kind="units", definition={**unit, "id": "X-001"})
    fielded = Asset.objects.filter(stable__season=hidden, crews_as_unit__isnull=False)
    return {"unit": fielded[0].catalogue_key, "public": other.pk, "shared": shared.pk, "collection": collection.slug}


def shown_on_lists(user: Any, crossed: dict[str, Any]) -> set[str]:
    """The marks that a person reads anywhere on the lists of the site."""
    client, shown = client_of(user), ""
    for address in LISTS:
        answer = client.get(address.format(**crossed))
        assert answer.status_code == 302 or answer.status_code == 200, address
        shown += answer.content.decode()
    # As words: a form's token may hold the letters of a short name.
    return {mark for mark in MARKS if re.search(rf"\b{mark}\b", shown)}


def test_no_list_names_a_hidden_season_or_its_stables(crossed: dict[str, Any], people: dict[str, User]) -> None:
    for wanted in (PRIVATE, UNLISTED):
        Season.objects.exclude(name="Test season").update(visibility=wanted)
        for who in (NOBODY, people["stranger"]):
            assert shown_on_lists(who, crossed) - ({"Dogwood"} if wanted == UNLISTED else set()) == set(), wanted
        assert shown_on_lists(people["referee"], crossed) == set(MARKS)
    Season.objects.update(visibility=PUBLIC)
    assert shown_on_lists(NOBODY, crossed) == {"Whispering", "Dogwood", "Ash"}


def test_what_only_a_private_season_has_is_at_no_address(crossed: dict[str, Any], people: dict[str, User]) -> None:
    only_there = StableIdentity.objects.get(name="Dogwood").pk
    addresses = (
        f"/identities/{only_there}/",
        f"/identities/{crossed['public']}/against/{only_there}/",
        f"/catalogue/collections/{crossed['collection']}/",
        f"/catalogue/?collection={crossed['collection']}",
        f"/catalogue/export.json?collection={crossed['collection']}",
    )
    for address in addresses:
        assert client_of(people["stranger"]).get(address).status_code == 404
        assert client_of(people["helper"]).get(address).status_code == 200
    # A rival is named by its number; whoever tries numbers reads no names.
    mine = StableIdentity.objects.create(owner=people["stranger"], name="Elm and I", emblem="bolt")
    mine.rivals.set([only_there])
    shown = client_of(people["stranger"]).get(f"/identities/{mine.pk}/change").content.decode()
    assert "Dogwood" not in shown


def test_records_of_a_definition_are_those_of_public_seasons(crossed: dict[str, Any]) -> None:
    assert records_of("units", crossed["unit"]) == []
    Season.objects.update(visibility=PUBLIC)
    assert [record.season for record in records_of("units", crossed["unit"])] == ["Whispering season"]


def test_the_hall_counts_hidden_seasons_for_those_in_them(crossed: dict[str, Any], people: dict[str, User]) -> None:
    assert [held.season.name for held in honours.champions(people["owner"])] == ["Test season", "Whispering season"]
    assert [held.season.name for held in honours.champions(NOBODY)] == ["Test season"]
    assert honours.records(NOBODY) == []
    assert honours.records(people["owner"]) != []


# Choosing it ----------------------------------------------------------------------------------------------------------


def test_visibility_is_chosen_when_a_season_is_opened(release: Any, people: dict[str, User]) -> None:
    client = client_of(people["organiser"])
    form = client.get("/open-a-season/").content.decode()
    assert [f'value="{word}"' in form for word in Season.Visibility.values] == [True] * 3
    fields = {"name": "Quiet", "weight_class": "light", "ai_stables": 1, "visibility": "private", "joining": "open"}
    assert client.post("/open-a-season/", fields).status_code == 302
    assert Season.objects.get(name="Quiet").visibility == PRIVATE
    answer = client.post("/open-a-season/", {**fields, "name": "Loud", "visibility": "everyone"})
    assert answer.status_code == 400
    assert not Season.objects.filter(name="Loud").exists()


def test_only_organisers_change_it_and_the_log_tells(hidden: Season, people: dict[str, User]) -> None:
    address = reverse("stables:change_visibility", args=[hidden.slug])
    others_first = sorted(people, key=lambda name: name in ("organiser", "helper"))
    asked = {name: client_of(people[name]).post(address, {"visibility": "public"}).status_code for name in others_first}
    assert asked == {
        "organiser": 302, "helper": 302, "referee": 403, "owner": 403, "gone": 403, "program": 403, "stranger": 404,
    }  # fmt: skip
    hidden.refresh_from_db()
    assert hidden.visibility == PUBLIC
    lines = list(hidden.log.filter(code__startswith="visibility").values_list("code", "actor__username"))
    assert lines == [("visibility_public", "organiser")], "said twice, changed once"
    assert client_of(people["organiser"]).post(address, {"visibility": "x"}).status_code == 400
    console = client_of(people["organiser"]).get(f"{hidden.get_absolute_url()}organise/").content.decode()
    assert '<option value="public" selected>' in console


def test_all_in_the_season_read_the_newest_visibility(hidden: Season, people: dict[str, User]) -> None:
    for wanted in (PUBLIC, "unlisted"):
        visibility.change_visibility(season_id=hidden.pk, visibility=wanted, actor=people["organiser"])
    told = Notice.objects.filter(code__startswith="visibility_").values_list("code", "user__username", "asks")
    assert sorted(told) == [("visibility_unlisted", name, False) for name in ("helper", "owner", "referee")]


def test_toggling_the_visibility_leaves_no_notice_for_each_time_that_it_was_read(
    hidden: Season, people: dict[str, User]
) -> None:
    told = Notice.objects.filter(code__startswith="visibility_", user=people["owner"])
    for number in range(MOST_MESSAGES + 2):
        told.filter(read_at=None).update(read_at=hidden.created_at)
        wanted = (PUBLIC, "unlisted")[number % 2]
        visibility.change_visibility(season_id=hidden.pk, visibility=wanted, actor=people["organiser"])
    assert told.count() == MOST_MESSAGES
    hidden.refresh_from_db()
    assert hidden.visibility == wanted


def test_an_invitation_opens_a_private_season_to_its_bearer(release: Any, people: dict[str, User]) -> None:
    opened = opening.open_for_people(
        name="Quiet", weight_class="light", ai_stables=1, organiser=people["organiser"], visibility=PRIVATE
    )
    season = Season.objects.get(pk=opened.season_id)
    code = invite(season_id=season.pk).code
    stranger = client_of(people["stranger"])
    # Open to everybody with an account, but nobody without an invitation finds the door.
    assert stranger.post(f"{season.get_absolute_url()}found", {"name": "Moles"}).status_code == 404
    page = stranger.get(f"/join/{code}/")
    assert page.status_code == 200
    assert f'href="{season.get_absolute_url()}"' not in page.content.decode(), "a link that leads nowhere yet"
    answer = stranger.post(f"/join/{code}/", {"name": "Moles"}, follow=True)
    assert answer.status_code == 200
    assert "Moles" in answer.content.decode()
    assert stranger.get(season.get_absolute_url()).status_code == 200


def test_a_season_again_keeps_who_may_see_it_and_invites_by_a_link(hidden: Season, people: dict[str, User]) -> None:
    Season.objects.filter(pk=hidden.pk).update(state=Season.State.FINISHED)
    opened = next_season.open_next_season(season_id=hidden.pk, organiser=people["organiser"])
    assert Season.objects.get(pk=opened.season_id).visibility == PRIVATE
    notice = people["owner"].notices.get(code="season_invites_again")
    assert notice.url.startswith("/join/")
    assert client_of(people["owner"]).get(notice.url).status_code == 200


def test_a_role_taken_back_leaves_no_link_into_a_private_season(hidden: Season, people: dict[str, User]) -> None:
    for name, url in (("referee", ""), ("helper", "")):
        role = hidden.roles.get(user=people[name])
        roles.take_role(season_id=hidden.pk, role_id=role.pk)
        assert people[name].notices.get(code="role_taken_back").url == url


def test_visibility_costs_one_query(hidden: Season, people: dict[str, User], django_assert_num_queries: Any) -> None:
    for person in people.values():
        with django_assert_num_queries(1):
            may_see(person, hidden)
    hidden.visibility = PUBLIC
    with django_assert_num_queries(0):
        may_see(people["stranger"], hidden)


def test_an_unknown_visibility_is_malformed(hidden: Season) -> None:
    with pytest.raises(Malformed) as refused:
        visibility.change_visibility(season_id=hidden.pk, visibility="secret")
    assert refused.value.code == "setting_out_of_range"
