"""Importing with a preview and exporting, through pages."""

import json
from typing import Any

import pytest
from django.contrib.auth import get_user_model
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.urls import reverse
from django.utils.html import strip_tags

from catalogue.models import CatalogueRelease, Collection, ImportDraft
from catalogue.services import collections
from people.services.accounts import Limit
from rules.catalogue import Catalogue, load_builtin
from rules.catalogue.sheets import read_units, write_units
from tests.architecture.pseudo_locale import speak_pseudo, untranslated
from tests.catalogue.test_mapping import foreign
from tests.markup import closed_up

pytestmark = [pytest.mark.django_db, pytest.mark.database]
UNIT = {**load_builtin().units["SOL002"], "id": "OWN1", "name": "Own one", "statistics": "printed"}


@pytest.fixture
def keeper(client: Client, release: CatalogueRelease) -> Client:
    client.force_login(get_user_model().objects.create_user("keeper", "keeper@example.org", "a long pass phrase"))
    return client


def make(client: Client, **values: str) -> str:
    answer = client.post(reverse("catalogue:collections"), {"name": "My shelf", **values})
    assert answer.status_code == 302
    return str(answer["Location"])


def send(client: Client, address: str, content: Any, name: str = "own.json", **values: str) -> Any:
    text = content if isinstance(content, str) else json.dumps(content)
    return client.post(address, {"file": SimpleUploadedFile(name, text.encode()), **values})


def units(*found: dict[str, Any]) -> dict[str, Any]:
    return {"schema": 1, "units": list(found)}


def test_a_person_imports_looks_and_confirms(keeper: Client) -> None:
    address = make(keeper)
    preview = send(keeper, address, units(UNIT))["Location"]
    text = keeper.get(preview).content.decode()
    assert "Nothing has changed yet" in text
    assert "Own one" in text
    assert Collection.objects.get().versions.count() == 0
    assert keeper.post(preview, {"decision": "confirm"})["Location"] == address
    assert "Own one" in keeper.get("/catalogue/", {"collection": "my-shelf"}).content.decode()
    assert keeper.get("/catalogue/units/OWN1/", {"collection": "my-shelf"}).status_code == 200
    assert keeper.get("/catalogue/units/OWN1/").status_code == 404, "the game's own release has no such unit"
    assert keeper.post(preview, {"decision": "confirm"}).status_code == 409


def test_a_second_import_shows_each_changed_value(keeper: Client) -> None:
    address = make(keeper)
    keeper.post(send(keeper, address, units(UNIT))["Location"], {"decision": "confirm"})
    changed = json.loads(json.dumps(UNIT))
    changed["dial"][2]["speed"] = changed["dial"][2]["speed"] - 1
    changed["dial"][3:] = [{**click, "speed": min(click["speed"], 1)} for click in changed["dial"][3:]]
    text = keeper.get(send(keeper, address, units(changed))["Location"]).content.decode()
    assert "dial[2].speed" in text
    assert f"{UNIT['dial'][2]['speed']} → {changed['dial'][2]['speed']}" in closed_up(text)


def test_a_csv_sheet_and_a_foreign_file_come_in(keeper: Client) -> None:
    address = make(keeper)
    keeper.post(send(keeper, address, write_units([UNIT]), "own.csv")["Location"], {"decision": "confirm"})
    preview = send(keeper, address, foreign(), form="tagged_clicks")["Location"]
    text = keeper.get(preview).content.decode()
    assert "ZZ001 · front_arc: The file does not say it; 180 was used." in closed_up(strip_tags(text))
    keeper.post(preview, {"decision": "confirm"})
    exported = keeper.get("/catalogue/export.json", {"collection": "my-shelf"}).json()
    assert [unit["id"] for unit in exported["units"]] == ["OWN1", "ZZ001"]


def test_a_broken_file_is_refused_with_its_places(keeper: Client) -> None:
    address = make(keeper)
    answer = send(keeper, address, units({**UNIT, "vent": 99}))
    assert answer.status_code == 400
    assert "99 is outside the range 0 to 9" in answer.content.decode()
    assert ImportDraft.objects.count() == 0


def test_a_discarded_import_changes_nothing(keeper: Client) -> None:
    address = make(keeper)
    preview = send(keeper, address, units(UNIT))["Location"]
    assert keeper.post(preview, {"decision": "discard"})["Location"] == address
    assert Collection.objects.get().versions.count() == 0
    assert keeper.post(preview, {"decision": "maybe"}).status_code == 404


def test_a_file_that_is_the_whole_collection_takes_out_what_it_lacks(keeper: Client) -> None:
    address = make(keeper)
    keeper.post(send(keeper, address, units(UNIT))["Location"], {"decision": "confirm"})
    for values, effects in (
        ({}, []),
        ({"replaces_all": "0"}, []),
        ({"replaces_all": "false"}, []),
        ({"replaces_all": "1"}, [("OWN1", "removed")]),
    ):
        page = keeper.get(send(keeper, address, units(), **values)["Location"])
        assert [(row["change"].key, row["change"].effect) for row in page.context["changes"]] == effects


@pytest.mark.parametrize("audience", ["keeper", "everybody"])
def test_what_others_see_of_a_collection(keeper: Client, client: Client, audience: str) -> None:
    address = make(keeper, audience=audience)
    preview = send(keeper, address, units(UNIT))["Location"]
    keeper.post(preview, {"decision": "confirm"})
    other = Client()
    other.force_login(get_user_model().objects.create_user("other", "other@example.org", "a long pass phrase"))
    seen = 200 if audience == "everybody" else 404
    assert other.get(address).status_code == seen
    assert other.get("/catalogue/", {"collection": "my-shelf"}).status_code == seen
    assert Client().get("/catalogue/", {"collection": "my-shelf"}).status_code == seen
    assert other.get(preview).status_code == 404
    assert send(other, address, units(UNIT)).status_code == (409 if audience == "everybody" else 404)


def test_strangers_must_log_in_to_import(client: Client, release: CatalogueRelease) -> None:
    for address in (reverse("catalogue:collections"), reverse("catalogue:collection", args=["any"])):
        assert client.get(address).status_code == 302
        assert client.post(address).status_code == 302


def test_exports_are_read_back_equal(client: Client, release: CatalogueRelease) -> None:
    whole = client.get(reverse("catalogue:export_json"))
    assert Catalogue.from_documents([whole.json()]).content_hash == load_builtin().content_hash
    assert release.content_hash[:12] in whole["Content-Disposition"]
    assert release.content_hash in whole["ETag"]
    gear = client.get(reverse("catalogue:export_json"), {"kind": "gear"}).json()
    assert set(gear) == {"schema", "gear"}
    sheet = client.get(reverse("catalogue:export_csv")).content
    assert Catalogue.from_documents([read_units("export.csv", sheet)]).units == load_builtin().units
    for asked in ({"kind": "spaceships"}, {"release": "none"}):
        assert client.get(reverse("catalogue:export_json"), asked).status_code == 404
    assert client.get(reverse("catalogue:export_csv"), {"kind": "gear"}).status_code == 404
    assert client.post(reverse("catalogue:export_json")).status_code == 405


def test_every_text_is_translated(keeper: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    address = make(keeper)
    keeper.post(send(keeper, address, units(UNIT))["Location"], {"decision": "confirm"})
    speak_pseudo(monkeypatch)
    preview = send(keeper, address, foreign(), form="tagged_clicks")["Location"]
    pages = [keeper.get(place) for place in (address, preview, reverse("catalogue:collections"))]
    pages.append(send(keeper, address, units({**UNIT, "vent": 99})))
    found = {page.request["PATH_INFO"]: untranslated(page.content.decode()) for page in pages}
    assert {place: texts for place, texts in found.items() if texts} == {}


def test_a_collection_of_a_season_is_not_made_here(keeper: Client) -> None:
    values = {"name": "x", "audience": "season", "season": "anything"}
    page = keeper.post(reverse("catalogue:collections"), values)
    assert page.status_code == 400
    assert 'value="x"' in page.content.decode(), "the form keeps what was typed"
    assert Collection.objects.count() == 0


@pytest.mark.parametrize("key", ["", "\x00", "a b", "x" * 41, "../etc"])
def test_a_text_that_is_not_an_id_stands_on_no_shelf(keeper: Client, key: str) -> None:
    assert keeper.post(reverse("catalogue:shelf"), {"key": key}).status_code == 302
    assert collections.owned_miniatures(get_user_model().objects.get()) == set()


def test_files_an_hour_are_bounded_refused_ones_too(keeper: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(collections, "IMPORTS", Limit("catalogue_import", 2))
    address, check = make(keeper), reverse("catalogue:check")
    assert send(keeper, address, "{").status_code == 400
    assert send(keeper, check, units(UNIT)).status_code == 200
    assert [send(keeper, place, units(UNIT)).status_code for place in (address, check)] == [429, 429]
    assert ImportDraft.objects.count() == 0
