"""Seasons with printed dials and with collections, the market's shelf, and the sheets of a match."""

from __future__ import annotations

from typing import Any

import pytest
from django.contrib.auth import get_user_model
from django.test import Client
from django.urls import reverse

from catalogue.models import CatalogueRelease, Collection
from catalogue.services.collections import confirm_import, draft_import, make_collection, set_owned_miniatures
from catalogue.services.files import ReadFile
from jobs.services import run_pending
from matches.models import Match
from rules.campaign.market.prices import is_offered
from rules.catalogue import Document, load_builtin
from rules.core.refusals import Malformed, SeasonRefused
from stables.models import Asset, Season, Stable
from stables.selectors.definitions import catalogue_of, offered_units
from stables.services.market import trading
from stables.services.season import catalogues, opening, seasons

pytestmark = pytest.mark.django_db

LIGHT = [unit for unit in load_builtin().units.values() if unit["class"] == "light"]


@pytest.fixture
def person(release: Any) -> Any:
    return get_user_model().objects.create_user("organiser", "organiser@example.org", "a long pass phrase")


def bring(keeper: Any, *units: dict[str, Any], **options: Any) -> Collection:
    collection = make_collection(name="Miniatures", keeper=keeper, **options)
    read = ReadFile(Document("own.json", {"schema": 1, "units": list(units)}), [])
    draft = draft_import(collection=collection, user=keeper, read=read)
    confirm_import(public_id=draft.public_id, user=keeper)
    return collection


def printed(unit: dict[str, Any], key: str) -> dict[str, Any]:
    return {**unit, "id": key, "name": f"Printed {key}", "statistics": "printed", "points": 90}


def opened(organiser: Any, **options: Any) -> Season:
    values = {"name": "Table night", "weight_class": "light", "ai_stables": 3, "organiser": organiser, **options}
    values["settings"] = {"dials": values.pop("dials", "house")}
    return Season.objects.select_related("release").get(pk=opening.open_for_people(**values).season_id)


@pytest.mark.parametrize(
    ("kind", "statistics", "dials", "offered"),
    [
        ("unit", "house", "house", True),
        ("unit", "house", "printed", False),
        ("unit", "printed", "printed", True),
        ("unit", None, "printed", True),
        ("pilot", None, "printed", True),
    ],
)
def test_what_a_market_with_printed_dials_has(kind: str, statistics: Any, dials: str, offered: bool) -> None:
    assert is_offered(kind, {"statistics": statistics} if statistics else {}, dials) is offered


def test_a_season_plays_with_a_collection_over_the_games_own(person: Any) -> None:
    bring(person, printed(LIGHT[0], LIGHT[0]["id"]), printed(LIGHT[1], "OWN1"))
    season = opened(person, collection="miniatures")
    units = catalogue_of(season).units
    assert units[LIGHT[0]["id"]]["name"] == f"Printed {LIGHT[0]['id']}"
    assert units.keys() == {*load_builtin().units, "OWN1"}


def test_a_later_version_of_the_collection_changes_nothing_in_the_season(person: Any) -> None:
    collection = bring(person, printed(LIGHT[0], "OWN1"))
    season = opened(person, collection="miniatures")
    read = ReadFile(Document("own.json", {"schema": 1, "units": [printed(LIGHT[1], "OWN2")]}), [])
    confirm_import(public_id=draft_import(collection=collection, user=person, read=read).public_id, user=person)
    assert "OWN2" not in catalogue_of(Season.objects.select_related("release").get(pk=season.pk)).units


def test_with_printed_dials_house_units_are_neither_shown_nor_sold(person: Any) -> None:
    bring(person, *(printed(unit, f"OWN{number}") for number, unit in enumerate(LIGHT[:4])))
    season = opened(person, collection="miniatures", dials="printed")
    assert [unit["id"] for unit in offered_units(season)] == ["OWN0", "OWN1", "OWN2", "OWN3"]
    stable = Stable.objects.get(pk=seasons.found_stable(season_id=season.pk, name="Collectors", owner=person).stable_id)
    with pytest.raises(SeasonRefused) as caught:
        trading.buy(stable_id=stable.pk, kind="unit", key=LIGHT[0]["id"])
    assert caught.value.code == "unit_not_printed"
    stable.refresh_from_db()
    assert (stable.capital, stable.assets.count()) == (season.rules.capital, 0)
    assert trading.buy(stable_id=stable.pk, kind="unit", key="OWN0").name == "Printed OWN0"
    client = Client()
    client.force_login(person)
    shown = client.get(f"{stable.get_absolute_url()}market/").context["shelf"]
    assert {offer["key"] for offer in shown if offer["kind"] == "unit"} == {"OWN0", "OWN1", "OWN2", "OWN3"}


def test_stables_of_the_ai_buy_printed_units_only_and_play(person: Any) -> None:
    bring(person, *(printed(unit, f"OWN{number}") for number, unit in enumerate(LIGHT[:4])))
    season = opened(person, collection="miniatures", dials="printed", ai_stables=4)
    seasons.start_season(season_id=season.pk)
    run_pending()
    bought = set(Asset.objects.filter(kind="unit").values_list("catalogue_key", flat=True))
    assert bought
    assert bought <= {"OWN0", "OWN1", "OWN2", "OWN3"}
    assert Match.objects.exists()


@pytest.mark.parametrize(
    ("options", "error", "code"),
    [
        ({"dials": "printed"}, SeasonRefused, "printed_dials_missing"),
        ({"dials": "paper"}, Malformed, "setting_out_of_range"),
        ({"collection": "of-nobody"}, Malformed, "unknown_collection"),
    ],
)
def test_what_cannot_be_opened_leaves_nothing(person: Any, options: dict[str, str], error: Any, code: str) -> None:
    with pytest.raises(error) as caught:
        opened(person, **options)
    assert caught.value.code == code
    assert Season.objects.count() == 0


def test_a_collection_of_another_person_cannot_be_used(person: Any) -> None:
    other = get_user_model().objects.create_user("other", "other@example.org", "a long pass phrase")
    bring(other, printed(LIGHT[0], "OWN1"))
    with pytest.raises(Malformed) as caught:
        opened(person, collection="miniatures")
    assert caught.value.code == "unknown_collection"


def test_the_form_opens_with_a_collection(person: Any) -> None:
    bring(person, *(printed(unit, f"OWN{number}") for number, unit in enumerate(LIGHT[:4])))
    client = Client()
    client.force_login(person)
    assert "The game’s own and Miniatures" in client.get("/open-a-season/").content.decode()
    fields = {"name": "Table night", "weight_class": "light", "ai_stables": "3"}
    client.post("/open-a-season/", {**fields, "collection": "miniatures", "dials": "printed"})
    season = Season.objects.select_related("release").get()
    assert season.rules.dials == "printed"
    assert "OWN0" in catalogue_of(season).units


def test_the_market_shows_what_stands_on_the_shelf(person: Any) -> None:
    season = opened(person)
    stable = Stable.objects.select_related("season").get(
        pk=seasons.found_stable(season_id=season.pk, name="Collectors", owner=person).stable_id
    )
    client = Client()
    client.force_login(person)
    assert "Only units on my shelf" not in client.get(f"{stable.get_absolute_url()}market/").content.decode()
    set_owned_miniatures(user=person, keys=[LIGHT[1]["id"]], is_there=True)
    page = client.get(f"{stable.get_absolute_url()}market/", {"shelf": "on", "kind": "all", "sort": "price"})
    assert [offer["key"] for offer in page.context["shelf"] if offer["kind"] == "unit"] == [LIGHT[1]["id"]]
    assert any(offer["kind"] == "pilot" for offer in page.context["shelf"])
    everything = client.get(f"{stable.get_absolute_url()}market/")
    assert {offer["key"] for offer in everything.context["shelf"] if offer["is_mine"]} == {LIGHT[1]["id"]}
    assert "Only units on my shelf" in everything.content.decode()


@pytest.mark.parametrize("statistics", ["house", "printed"])
def test_a_match_warns_of_house_statistics_and_has_sheets(person: Any, client: Client, statistics: str) -> None:
    options = {"ai_stables": 4}
    if statistics == "printed":
        bring(person, *(printed(unit, f"OWN{number}") for number, unit in enumerate(LIGHT[:4])))
        options |= {"collection": "miniatures", "dials": "printed"}
    season = opened(person, **options)
    seasons.start_season(season_id=season.pk)
    while not Match.objects.exists():
        assert run_pending(limit=1), "nothing is left to do, and there is no match"
    match = Match.objects.get()
    page = client.get(match.get_absolute_url()).content.decode()
    assert ("use house statistics" in page) is (statistics == "house")
    sheets = reverse("matches:sheets", args=[match.public_id])
    assert sheets in page
    printed_sheets = client.get(sheets)
    assert printed_sheets.status_code == 200
    names = [loadout["unit"]["name"] for side in match.setup["sides"] for loadout in side["units"]]
    assert [card["unit"].name for card in printed_sheets.context["cards"]] == names
    assert [item["arena"].name for item in printed_sheets.context["maps"]] == [match.setup["arena"]["name"]]


def test_the_organiser_makes_a_collection_for_the_season_and_takes_it_up(person: Any) -> None:
    season = opened(person, ai_stables=0)
    client = Client()
    client.force_login(person)
    place = client.post(reverse("stables:make_collection", args=[season.slug]), {"name": "Ours"})["Location"]
    collection = Collection.objects.get()
    assert (place, collection.season) == (reverse("catalogue:collection", args=["ours"]), season.slug)
    read = ReadFile(Document("own.json", {"schema": 1, "units": [printed(LIGHT[0], "OWN1")]}), [])
    confirm_import(public_id=draft_import(collection=collection, user=person, read=read).public_id, user=person)
    assert "The game’s own and Ours" in client.get(season.get_absolute_url()).content.decode()
    with pytest.raises(Malformed):
        opened(person, name="Another", collection="ours")
    take_up = reverse("stables:take_up_collection", args=[season.slug])
    assert client.post(take_up, {"collection": "ours"}).status_code == 302
    assert "OWN1" in catalogue_of(Season.objects.select_related("release").get(pk=season.pk)).units
    stable = seasons.found_stable(season_id=season.pk, name="Collectors", owner=person)
    trading.buy(stable_id=stable.stable_id, kind="unit", key="OWN1")
    assert client.post(take_up, {"collection": ""}).context["code"] == ("catalogue_in_use")
    assert "OWN1" in catalogue_of(Season.objects.select_related("release").get(pk=season.pk)).units


def test_the_catalogues_of_an_organisers_seasons_are_bounded(person: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each is stored whole and for good. One that a season plays with already costs nothing."""
    bring(person, printed(LIGHT[0], "OWN1"))
    first = opened(person, ai_stables=0, collection="miniatures")
    monkeypatch.setattr(catalogues, "MOST_BYTES_PLAYED", first.release.size)
    assert opened(person, name="Same", ai_stables=0, collection="miniatures").release == first.release
    bring(person, printed(LIGHT[0], "OWN2"))
    stored = CatalogueRelease.objects.count()
    with pytest.raises(SeasonRefused, match="catalogues_too_large"):
        opened(person, name="More", ai_stables=0, collection="miniatures-2")
    assert CatalogueRelease.objects.count() == stored


def test_nobody_but_the_organiser_changes_what_a_season_plays_with(person: Any) -> None:
    season = opened(person, ai_stables=0)
    other = Client()
    other.force_login(get_user_model().objects.create_user("other", "other@example.org", "a long pass phrase"))
    for name, values in (("make_collection", {"name": "Theirs"}), ("take_up_collection", {"collection": ""})):
        assert other.post(reverse(f"stables:{name}", args=[season.slug]), values).status_code == 403
        assert Client().post(reverse(f"stables:{name}", args=[season.slug]), values).status_code == 302
    assert Collection.objects.count() == 0
