"""What a stable keeps from season to season, how two of them fared, and the hall of champions."""

from __future__ import annotations

from typing import Any

import pytest
from django.contrib.auth import get_user_model
from django.contrib.auth.models import AnonymousUser
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import translation

from rules.core.refusals import Malformed, SeasonRefused
from stables.models import Asset, ReputationEntry, Season, Stable, StableIdentity, Title
from stables.models.emblems import EMBLEMS, first_look
from stables.selectors import honours
from stables.services.results import settlement
from stables.services.season import seasons
from stables.services.season.identities import change_identity
from tests.stables.conftest import open_with, pair, type_in
from tests.stables.shown_again import says

pytestmark = [pytest.mark.django_db, pytest.mark.database]

LOOK: dict[str, Any] = {"colour": "#112233", "second_colour": "#EEDDCC", "emblem": "bolt"}


@pytest.fixture
def people(db: None) -> dict[str, Any]:
    return {name: get_user_model().objects.create_user(name, f"{name}@example.org") for name in ("ada", "ben")}


def found(season: Season, name: str, owner: Any = None) -> Stable:
    return Stable.objects.get(pk=seasons.found_stable(season_id=season.pk, name=name, owner=owner).stable_id)


def test_a_stable_is_taken_up_again_by_its_name_and_money_stays_behind(release: Any, people: dict[str, Any]) -> None:
    first, second = open_with(release, []), open_with(release, [])
    before = found(first, "Kestrel Row", people["ada"])
    assert before.identity is not None
    change_identity(identity_id=before.identity.pk, name="Kestrel Row", **LOOK)
    after = found(second, "kestrel row", people["ada"])
    assert after.identity is not None
    assert after.identity == before.identity
    assert (after.identity.colour, after.identity.second_colour, after.identity.emblem) == (
        "#112233",
        "#eeddcc",
        "bolt",
    )
    assert after.capital == second.rules.capital
    assert not Asset.objects.filter(stable=after).exists()
    other = found(second, "Another", people["ben"])
    assert other.identity != after.identity
    with pytest.raises(SeasonRefused) as caught:
        found(second, "Kestrel Row")
    assert caught.value.code == "stable_name_taken"


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("Iron Parish", "Iron\u200b Parish"),
        ("Iron Parish", "\u202eIron Parish"),
        ("A\u030angstrom", "Ångstrom"),
        ("Iron Parish", "Ir\u043en Parish"),
        ("BEAR", "\u0392EAR"),
        ("North", "\u039dorth"),
        ("\u03b2\u03b5\u03c4\u03b1", "\u0392\u0395\u03a4\u0391"),
    ],
)
def test_no_two_stables_of_a_season_have_names_that_look_the_same(release: Any, first: str, second: str) -> None:
    season = open_with(release, [])
    assert found(season, first).name == first
    with pytest.raises(SeasonRefused) as caught:
        found(season, second)
    assert caught.value.code == "stable_name_taken"
    with pytest.raises(Malformed) as unseen:
        found(season, "\u200b")
    assert unseen.value.code == "stable_name_missing"


def test_the_newest_season_of_a_stable_stands_first(release: Any, people: dict[str, Any]) -> None:
    first, second = open_with(release, []), open_with(release, [])
    identity = found(first, "Kestrel Row", people["ada"]).identity
    found(second, "Kestrel Row", people["ada"])
    assert identity is not None
    assert [past.stable.season for past in honours.seasons_of(identity, AnonymousUser())] == [second, first]


def test_the_same_name_of_somebody_else_is_another_stable(release: Any, people: dict[str, Any]) -> None:
    mine = found(open_with(release, []), "Ash", people["ada"])
    theirs = found(open_with(release, []), "Ash", people["ben"])
    machines = found(open_with(release, []), "Ash")
    assert len({mine.identity_id, theirs.identity_id, machines.identity_id}) == 3
    assert machines.identity == StableIdentity.objects.get(owner=None)


def test_stables_of_the_ai_go_on_by_name(release: Any) -> None:
    first, second = (open_with(release, ["Ash", "Birch"]) for _ in range(2))
    assert [stable.identity_id for stable in first.stables.order_by("number")] == [
        stable.identity_id for stable in second.stables.order_by("number")
    ]


def test_names_look_different_from_the_start() -> None:
    looks = {name: first_look(name) for name in ("Iron Parish", "Kestrel Row", "Northlight", "Ash", "Birch", "Cedar")}
    assert len({tuple(look.values()) for look in looks.values()}) == len(looks)
    assert all(look["emblem"] in EMBLEMS for look in looks.values())
    assert first_look("ASH") == looks["Ash"]


@pytest.mark.parametrize(
    ("change", "code"),
    [
        ({"name": " "}, "stable_name_missing"),
        ({"name": "x" * 61}, "stable_name_missing"),
        ({"name": "\u200b"}, "stable_name_missing"),
        ({"colour": "red"}, "colour_malformed"),
        ({"second_colour": "#12345g"}, "colour_malformed"),
        ({"colour": "#123456;url(x)"}, "colour_malformed"),
        ({"emblem": "skull"}, "unknown_emblem"),
        ({"rivals": [999_999]}, "unknown_identity"),
        ({"rivals": [10**30]}, "unknown_identity"),
        ({"rivals": list(range(30))}, "bad_field"),
    ],
)
def test_what_cannot_be_changes_nothing(
    release: Any, people: dict[str, Any], change: dict[str, Any], code: str
) -> None:
    identity = found(open_with(release, []), "Ash", people["ada"]).identity
    assert identity is not None
    before = StableIdentity.objects.values().get(pk=identity.pk)
    with pytest.raises(Malformed) as caught:
        change_identity(identity_id=identity.pk, **{"name": "Ash", **LOOK, **change})
    assert caught.value.code == code
    assert StableIdentity.objects.values().get(pk=identity.pk) == before


def test_a_person_has_each_name_once(release: Any, people: dict[str, Any]) -> None:
    first = found(open_with(release, []), "Ash", people["ada"]).identity
    assert first is not None
    second = found(open_with(release, []), "Birch", people["ada"]).identity
    assert second is not None
    for name in ("ASH", "\u0410sh"):
        with pytest.raises(SeasonRefused) as caught:
            change_identity(identity_id=second.pk, name=name, **LOOK)
        assert caught.value.code == "identity_name_taken"
    third = found(open_with(release, []), "A\u200bsh", people["ada"])
    assert (third.name, third.identity) == ("A\u200bsh", first), "it is taken up again by what it looks like"
    changed = change_identity(identity_id=second.pk, name="Beech", **LOOK, rivals=[first.pk])
    assert changed.rivals == (first.pk,)
    assert Stable.objects.get(identity=second).name == "Birch", "a season that was played keeps its names"


# Pages ---------------------------------------------------------------------------------------------------------------


@pytest.fixture
def settled(stocked: Season, people: dict[str, Any]) -> Season:
    Stable.objects.filter(season=stocked, number=1).update(owner=people["ada"], is_ai=False)
    StableIdentity.objects.filter(stables__season=stocked, stables__number=1).update(owner=people["ada"])
    for fixture in pair(stocked):
        type_in(fixture, units={"red": {"kills": 1}})
        settlement.settle_fixture(fixture_id=fixture.pk)
    return stocked


def identity_of(season: Season, number: int) -> StableIdentity:
    identity = season.stables.get(number=number).identity
    assert identity is not None
    return identity


def post(person: Any, identity: StableIdentity, **changes: Any) -> Any:
    client = Client()
    if person is not None:
        client.force_login(person)
    fields = {"name": "Ash", **LOOK, **changes}
    address = reverse("stables:edit_identity", args=[identity.pk])
    return client.post(address, fields)


def test_only_its_owner_changes_a_stable(settled: Season, people: dict[str, Any]) -> None:
    mine, machines = identity_of(settled, 1), identity_of(settled, 2)
    assert [post(who, mine).status_code for who in (None, people["ben"], people["ada"])] == [302, 403, 302]
    assert post(people["ada"], machines).status_code == 403
    mine.refresh_from_db()
    assert mine.emblem == "bolt"
    client = Client()
    address = reverse("stables:edit_identity", args=[mine.pk])
    assert client.get(address).status_code == 302
    client.force_login(people["ben"])
    assert client.get(address).status_code == 403
    client.force_login(people["ada"])
    assert "Birch" in client.get(address).content.decode(), "whom it met may be called a rival"
    assert client.post(address, {"name": "Ash", **LOOK, "rivals": [machines.pk]}).status_code == 302
    assert list(mine.rivals.all()) == [machines]
    assert client.put(address).status_code == 405
    assert client.get("/identities/999999/change").status_code == 404


@pytest.mark.parametrize(
    ("change", "code"),
    [
        ({"rivals": ["x"]}, "not_a_number"),
        ({"rivals": ["999999"]}, "unknown_identity"),
        ({"emblem": "skull"}, "unknown_emblem"),
        ({"colour": "red"}, "colour_malformed"),
        ({"name": " "}, "stable_name_missing"),
    ],
)
def test_a_refused_form_is_shown_again_as_it_was_typed(
    settled: Season, people: dict[str, Any], change: dict[str, Any], code: str
) -> None:
    mine = identity_of(settled, 1)
    page = post(people["ada"], mine, second_colour="#123456", **change)
    assert (page.status_code, says(page, code)) == (400, True)
    assert 'value="#123456"' in page.content.decode()
    before = (mine.name, mine.colour, mine.second_colour, mine.emblem)
    mine.refresh_from_db()
    assert (mine.name, mine.colour, mine.second_colour, mine.emblem) == before


def test_an_identity_shows_its_seasons_honours_and_record(settled: Season, people: dict[str, Any]) -> None:
    stable = settled.stables.get(number=1)
    Title.objects.create(season=settled, kind="stable", stable=stable, reputation=95, kills=1, decided_by="reputation")
    [past] = honours.seasons_of(identity_of(settled, 1), AnonymousUser())
    assert (past.stable, past.matches, past.titles) == (stable, 1, ["champion stable"])
    page = Client().get(identity_of(settled, 1).get_absolute_url()).content.decode()
    assert "Champion stable" in page
    assert settled.name in page


def test_head_to_head_counts_the_matches_of_two(settled: Season) -> None:
    fixture = ReputationEntry.objects.filter(stable__season=settled, asset=None, wins=1)[0].fixture
    assert fixture is not None
    winner, loser = (fixture.sides.get(side=side).stable.identity for side in ("red", "blue"))
    assert winner is not None
    assert loser is not None
    [meeting] = honours.meetings(winner, loser, AnonymousUser())
    assert (meeting.fixture, meeting.winner) == (fixture, 1)
    assert meeting.reputation[0] > meeting.reputation[1]
    assert [each.winner for each in honours.meetings(loser, winner, AnonymousUser())] == [2]
    third = next(
        identity for number in range(1, 5) if (identity := identity_of(settled, number)) not in (winner, loser)
    )
    assert honours.meetings(winner, third, AnonymousUser()) == []
    page = Client().get(reverse("stables:against", args=[winner.pk, loser.pk])).content.decode()
    assert winner.name in page
    assert Client().get(reverse("stables:against", args=[winner.pk, 999_999])).status_code == 404


@pytest.mark.parametrize(("wins", "longest"), [([], 0), ([False], 0), ([True, True, False, True], 2), ([True] * 3, 3)])
def test_the_longest_row_of_wins(wins: list[bool], longest: int) -> None:
    assert honours.longest_row(wins) == longest


def test_the_hall_shows_champions_and_records_of_finished_seasons(settled: Season) -> None:
    assert honours.records(AnonymousUser()) == []
    assert "No champion yet" in Client().get(reverse("stables:champions")).content.decode()
    Season.objects.filter(pk=settled.pk).update(state=Season.State.FINISHED)
    stable = settled.stables.get(number=1)
    Title.objects.create(season=settled, kind="stable", stable=stable, reputation=95, kills=1, decided_by="kills")
    records = {str(best.label): best for best in honours.records(AnonymousUser())}
    assert records["Most reputation in a match"].value == 95
    assert records["Most kills of a pilot or ’Mech"].value == 1
    assert records["Longest winning streak in a season"].value == 1
    page = Client().get(reverse("stables:champions")).content.decode()
    assert stable.name in page
    assert "Records" in page


def test_the_hall_takes_as_many_queries_for_many_seasons(release: Any) -> None:
    counts = []
    for number in range(3):
        season = open_with(release, ["Ash", "Birch"])
        Season.objects.filter(pk=season.pk).update(state=Season.State.FINISHED)
        for stable in season.stables.all():
            ReputationEntry.objects.create(
                stable=stable,
                cycle=season.cycles.get(),
                amount=10 + number,
                kills=1,
                cause="win",
                idempotency_key=f"{stable.pk}",
            )
            Title.objects.create(
                season=season, kind="stable", stable=stable, reputation=10, kills=1, decided_by="shared"
            )
        with CaptureQueriesContext(connection) as queries:
            assert Client().get(reverse("stables:champions")).status_code == 200
        counts.append(len(queries))
    assert counts[0] == counts[-1] <= 15


def test_own_names_stand_in_the_order_of_the_readers_alphabet(db: None, people: dict[str, Any]) -> None:
    for name in ("Zorza", "Żuraw", "Łania", "Lis"):
        StableIdentity.objects.create(owner=people["ada"], name=name)
    with translation.override("pl"):
        assert honours.own_names(people["ada"]) == ["Lis", "Łania", "Zorza", "Żuraw"]


def test_own_stables_are_listed_for_their_owner(settled: Season, people: dict[str, Any]) -> None:
    client = Client()
    address = reverse("stables:own_identities")
    assert client.get(address).status_code == 302
    client.force_login(people["ada"])
    assert settled.stables.get(number=1).name in client.get(address).content.decode()
    assert honours.own_names(people["ada"]) == [settled.stables.get(number=1).name]
    client.force_login(people["ben"])
    assert "no stable yet" in client.get(address).content.decode()
