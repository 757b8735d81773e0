"""Searching, filtering and sorting the catalogue, the pages of cards and arenas, and the shelf."""

from typing import Any

import pytest
from django.contrib.auth import get_user_model
from django.db import connection
from django.http import QueryDict
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import translation
from django.utils.html import escape

from catalogue.forms.listing import PAGE_SIZE, SORTS, UnitFilter
from catalogue.models import CatalogueRelease
from catalogue.services.collections import set_owned_miniatures
from catalogue.services.releases import load_release
from catalogue.text.searching import LONGEST_SEARCH, listed_facts
from catalogue.views.browsing import ADDRESSES
from rules.catalogue import Document, load_builtin
from tests.languages import finish
from web.languages.words import sort_key

pytestmark = [pytest.mark.django_db, pytest.mark.database]
UNITS = load_builtin().units


def listed(client: Client, **asked: Any) -> list[str]:
    page = client.get(reverse("catalogue:index"), asked)
    assert page.status_code == 200
    return [unit.key for unit in page.context["units"]]


def equipment(unit: dict[str, Any]) -> set[str]:
    return {
        item if isinstance(item, str) else item["key"] for click in unit["dial"] for item in click["equipment"].values()
    }


@pytest.mark.parametrize(
    ("asked", "wanted"),
    [
        ({"q": "laser bait"}, lambda unit: unit["id"] == "SOL002"),
        ({"q": "HELLION  bait"}, lambda unit: unit["id"] == "SOL002"),
        ({"q": "sol00"}, lambda unit: unit["id"].startswith("SOL00")),
        ({"class": "heavy"}, lambda unit: unit["class"] == "heavy"),
        ({"unit_class": "heavy"}, lambda unit: unit["class"] == "heavy"),
        ({"rank": "veteran"}, lambda unit: unit["rank"] == "veteran"),
        ({"type": "melee"}, lambda unit: "melee" in (unit["primary"]["type"], unit["secondary"]["type"])),
        ({"equipment": "jump_jets"}, lambda unit: "jump_jets" in equipment(unit)),
        ({"least": "150"}, lambda unit: unit["points"] >= 150),
        ({"most": "130"}, lambda unit: unit["points"] <= 130),
        ({"reach": "12"}, lambda unit: max(unit["primary"]["range"][1], unit["secondary"]["range"][1]) >= 12),
        (
            {"class": "light", "equipment": "jump_jets"},
            lambda unit: unit["class"] == "light" and "jump_jets" in equipment(unit),
        ),
        ({"q": "no such mech"}, lambda unit: False),
    ],
)
def test_each_filter_shows_exactly_what_it_asks_for(
    client: Client, release: CatalogueRelease, asked: dict[str, str], wanted: Any
) -> None:
    expected = {key for key, unit in UNITS.items() if wanted(unit)}
    assert expected or asked == {"q": "no such mech"}
    found: set[str] = set()
    for page in range(1, len(UNITS) // PAGE_SIZE + 2):
        found |= set(listed(client, page=page, **asked))
    assert found == expected


def test_a_search_of_percent_signs_finds_only_percent_signs(client: Client, release: CatalogueRelease) -> None:
    assert listed(client, q="%") == listed(client, q="_") == []


@pytest.mark.parametrize("sort", SORTS)
def test_every_order_holds(client: Client, release: CatalogueRelease, sort: str) -> None:
    keys = listed(client, sort=sort)
    field = sort.removeprefix("-")
    if field == "class":
        order = ("light", "medium", "heavy", "assault")
        values: list[Any] = [(order.index(UNITS[key]["class"]), key) for key in keys]
    elif field == "name":
        values = [(sort_key(UNITS[key]["name"]), key) for key in keys]
    elif field == "points":
        values = [UNITS[key]["points"] for key in keys]
    else:
        values = [listed_facts("units", UNITS[key])[field] for key in keys]
    assert len(keys) == min(PAGE_SIZE, len(UNITS))
    assert values == sorted(values, reverse=sort.startswith("-"))


@pytest.mark.parametrize(
    "asked",
    [{"sort": "price"}, {"rank": "private"}, {"equipment": "laser_hat"}, {"least": "many"}, {"most": "-1"}],
)
def test_what_no_list_knows_is_no_page(client: Client, release: CatalogueRelease, asked: dict[str, str]) -> None:
    assert client.get(reverse("catalogue:index"), asked).status_code == 404


def many(number: int) -> dict[str, Any]:
    units = list(UNITS.values())
    made = [{**units[n % len(units)], "id": f"HSX{n:04d}", "name": f"House design {n}"} for n in range(number)]
    return {**load_builtin().to_json(), "units": made}


NAMES = ("Żabka", "zebra", "Łódź", "Lodz", "Äpfel", "Aepfel", "Straße")


@pytest.fixture
def foreign(db: None) -> CatalogueRelease:
    """A release whose first units have names with foreign letters."""
    units = [
        {**{key: value for key, value in unit.items() if key != "variant"}, "name": name}
        for unit, name in zip(UNITS.values(), NAMES, strict=False)
    ]
    return load_release([Document("foreign.json", {**load_builtin().to_json(), "units": units})])


def test_equipment_to_choose_stands_in_the_order_of_its_names(monkeypatch: pytest.MonkeyPatch) -> None:
    names = {"jump_jets": "Żagle", "decoy": "Zasłona", "agility": "Ćma"}
    monkeypatch.setattr("catalogue.forms.listing.labels.name", lambda key: names.get(key, f"A {key}"))
    with translation.override("pl"):
        choices = list(UnitFilter(QueryDict(), has_shelf=False).fields["equipment"].choices)
    assert [name for _, name in choices][-3:] == ["Ćma", "Zasłona", "Żagle"]


def names_of(client: Client, language: str, **asked: Any) -> list[str]:
    page = client.get(reverse("catalogue:index"), asked, headers={"accept-language": language})
    return [str(unit.name) for unit in page.context["units"]]


@pytest.mark.parametrize(
    ("question", "found"),
    [
        ("zab", {"Żabka"}), ("lodz", {"Łódź", "Lodz"}), ("ŁÓDŹ", {"Łódź", "Lodz"}), ("aepf", {"Äpfel", "Aepfel"}),
        ("apfel", {"Äpfel"}), ("äpfel", {"Äpfel", "Aepfel"}), ("strasse", {"Straße"}),
    ],
)  # fmt: skip
def test_names_are_found_without_their_marks(
    client: Client, foreign: CatalogueRelease, question: str, found: set[str]
) -> None:
    assert set(names_of(client, "en", q=question)) == found


@pytest.mark.parametrize(
    ("language", "names"),
    [
        ("pl", ["Aepfel", "Äpfel", "Lodz", "Łódź", "Straße", "zebra", "Żabka"]),
        ("de", ["Aepfel", "Äpfel", "Lodz", "Łódź", "Straße", "Żabka", "zebra"]),
    ],
)
def test_names_stand_in_the_order_of_the_readers_language(
    client: Client, foreign: CatalogueRelease, language: str, names: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    finish(monkeypatch, pl=["catalogue"], de=["catalogue"])
    assert names_of(client, language, sort="name") == names


def test_two_thousand_units_are_searched_with_few_queries_by_pages(client: Client) -> None:
    load_release([Document("many.json", many(2000))])
    with CaptureQueriesContext(connection) as queries:
        page = client.get(reverse("catalogue:index"), {"q": "house design", "class": "light", "sort": "-points"})
    assert len(queries) <= 6
    assert page.context["page"].paginator.count > 400
    assert len(page.context["units"]) == PAGE_SIZE
    assert len(page.content) < 120_000
    second = client.get(reverse("catalogue:index"), {"q": "house design", "class": "light", "page": 2})
    first = client.get(reverse("catalogue:index"), {"q": "house design", "class": "light"})
    assert not {unit.key for unit in second.context["units"]} & {unit.key for unit in first.context["units"]}


def test_a_long_name_is_searched_as_far_as_it_is_kept() -> None:
    unit = {**UNITS["SOL002"], "name": "x" * 80, "variant": "y" * 80, "id": "Z" * 40}
    assert len(listed_facts("units", unit)["search"]) <= LONGEST_SEARCH


@pytest.mark.parametrize("kind", [kind for kind in ADDRESSES if kind != "units"])
def test_the_list_and_the_page_of_every_card(client: Client, release: CatalogueRelease, kind: str) -> None:
    definitions = load_builtin().of_kind(kind)
    text = client.get(f"/catalogue/{ADDRESSES[kind]}/").content.decode()
    for key, definition in definitions.items():
        address = f"/catalogue/{ADDRESSES[kind]}/{key}/"
        assert address in text
        page = client.get(address)
        assert page.status_code == 200
        assert escape(definition["name"]) in page.content.decode()
    assert client.get(f"/catalogue/{ADDRESSES[kind]}/nothing/").status_code == 404


def test_pilots_by_kind_and_name(client: Client, release: CatalogueRelease) -> None:
    for kind in ("common", "legendary", "gunslinger"):
        rows = client.get("/catalogue/pilots/", {"kind": kind}).context["rows"]
        assert {row.key for row in rows} == {
            key for key, pilot in load_builtin().pilots.items() if pilot["kind"] == kind
        }
    rows = client.get("/catalogue/pilots/", {"q": "robinson"}).context["rows"]
    assert [row.key for row in rows] == ["P-001"]
    assert client.get("/catalogue/pilots/", {"kind": "private"}).status_code == 404


def test_a_pilot_with_an_ability_says_what_it_does(client: Client, release: CatalogueRelease) -> None:
    for key, pilot in load_builtin().pilots.items():
        if pilot["ability"]:
            assert client.get(f"/catalogue/pilots/{key}/").context["card"].text, key


def test_the_shelf_is_kept_shown_and_filtered(client: Client, release: CatalogueRelease) -> None:
    person = get_user_model().objects.create_user("collector", "collector@example.org", password="a long pass phrase")
    client.force_login(person)
    page = client.get(reverse("catalogue:unit", args=["SOL002"]))
    assert "put it on my shelf" in page.content.decode()
    answer = client.post(reverse("catalogue:shelf"), {"key": "SOL002", "next": "/catalogue/units/SOL002/"})
    assert (answer.status_code, answer["Location"]) == (302, "/catalogue/units/SOL002/")
    assert "Take it off my shelf" in client.get(reverse("catalogue:unit", args=["SOL002"])).content.decode()
    assert listed(client, shelf="on") == ["SOL002"]
    client.post(reverse("catalogue:shelf"), {"key": "SOL002", "off": "1"})
    assert listed(client, shelf="on") == []
    other = get_user_model().objects.create_user("other", "other@example.org")
    set_owned_miniatures(user=other, keys=["SOL003"], is_there=True)
    assert listed(client, shelf="on") == []


def test_the_shelf_of_a_stranger_is_no_filter_and_leads_nowhere_else(client: Client, release: CatalogueRelease) -> None:
    assert len(listed(client, shelf="on")) == min(PAGE_SIZE, len(UNITS))
    assert client.post(reverse("catalogue:shelf"), {"key": "SOL002"}).status_code == 302
    client.force_login(get_user_model().objects.create_user("collector"))
    answer = client.post(reverse("catalogue:shelf"), {"key": "SOL002", "next": "https://example.org/"})
    assert answer["Location"] == reverse("catalogue:index")
    assert client.post(reverse("catalogue:shelf"), {"key": "SOL002", "next": "nowhere"})["Location"] == "nowhere"
