"""The catalogue's pages and the check of a file."""

import copy
import json
from html import unescape
from typing import Any

import pytest
from django.contrib.auth import get_user_model
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils.html import strip_tags

from catalogue.models import CatalogueRelease
from catalogue.services.files import LARGEST_FILE
from catalogue.services.releases import load_release
from catalogue.views.browsing import ADDRESSES
from rules.catalogue import Catalogue, Document, load_builtin
from rules.catalogue.bounds import MOST_PROBLEMS
from tests.architecture.pseudo_locale import speak_pseudo, untranslated
from tests.markup import closed_up

pytestmark = pytest.mark.django_db


@pytest.fixture
def player(client: Client) -> Client:
    """A client who is logged in."""
    client.force_login(get_user_model().objects.create_user("player", password="a long pass phrase"))
    return client


@pytest.fixture
def staff(client: Client) -> Client:
    """A client who may see the admin."""
    client.force_login(get_user_model().objects.create_superuser("staff", password="a long pass phrase"))
    return client


def upload(client: Client, content: bytes | str) -> Any:
    data = content.encode() if isinstance(content, str) else content
    return client.post(reverse("catalogue:check"), {"file": SimpleUploadedFile("mine.json", data)})


def test_the_list_shows_every_unit_and_says_whose_numbers_they_are(client: Client, release: CatalogueRelease) -> None:
    page = client.get(reverse("catalogue:index"))
    assert page.status_code == 200
    count = page.context["page"].paginator.num_pages
    pages = [client.get(reverse("catalogue:index"), {"page": number}) for number in range(1, count + 1)]
    text = "".join(page.content.decode() for page in pages)
    for unit in load_builtin().units.values():
        assert reverse("catalogue:unit", args=[unit["id"]]) in text
    assert text.count('<span class="tag">House statistics</span>') == len(load_builtin().units)


def test_the_list_of_one_class(client: Client, release: CatalogueRelease) -> None:
    text = client.get(reverse("catalogue:index"), {"class": "assault"}).content.decode()
    assert "Kodiak" in text
    assert "Hellion" not in text
    assert client.get(reverse("catalogue:index"), {"class": "colossal"}).status_code == 404


def test_the_list_before_anything_is_loaded(client: Client) -> None:
    page = client.get(reverse("catalogue:index"))
    assert page.status_code == 200
    assert "load_catalogue" in page.content.decode()
    assert client.get(reverse("catalogue:unit", args=["SOL002"])).status_code == 404


@pytest.mark.parametrize("key", sorted(load_builtin().units))
def test_a_unit_page_shows_its_whole_dial(client: Client, release: CatalogueRelease, key: str) -> None:
    page = client.get(reverse("catalogue:unit", args=[key]))
    unit = load_builtin().units[key]
    assert page.status_code == 200
    assert "House statistics" in page.content.decode()
    shown = [[cell.number for cell in row.cells] for row in page.context["dial"]]
    values = ("primary", "secondary", "speed", "attack", "defense")
    assert shown == [[click[value] for value in values] for click in unit["dial"]]
    assert [row.click for row in page.context["dial"] if row.has_repair_marker] == [
        number for number, click in enumerate(unit["dial"], 1) if click["repair_marker"]
    ]
    assert len(page.context["heat"]) == len(unit["heat"])


def test_equipment_effects_and_shutdown_are_named(client: Client, release: CatalogueRelease) -> None:
    text = client.get(reverse("catalogue:unit", args=["SOL002"])).content.decode()
    for words in ("Jump Jets", "Armor Piercing", "Salvage", "Avoid Heat Sink Overload", "Shutdown", "Repair marker"):
        assert words in text
    rifleman = client.get(reverse("catalogue:unit", args=["SOL016"])).content.decode()
    assert "No rear arc." in rifleman


def test_single_use_equipment_is_marked(client: Client, builtin: Catalogue) -> None:
    document = copy.deepcopy(builtin.to_json())
    unit = next(item for item in document["units"] if item["id"] == "SOL002")
    unit["dial"][0]["equipment"]["speed"] = {"key": "evade", "single_use": True}
    load_release([Document("mine.json", document)])
    shown = client.get(reverse("catalogue:unit", args=["SOL002"])).content.decode()
    assert "Evade (single use)" in closed_up(shown)


def test_an_older_release_stays_readable_by_its_hash(client: Client, release: CatalogueRelease) -> None:
    document = copy.deepcopy(load_builtin().to_json())
    document["units"] = [unit for unit in document["units"] if unit["id"] != "SOL002"]
    load_release([Document("mine.json", document)])
    address = reverse("catalogue:unit", args=["SOL002"])
    assert client.get(address).status_code == 404
    old = client.get(address, {"release": release.content_hash})
    assert old.status_code == 200
    assert f"?release={release.content_hash}" in old.content.decode()
    assert client.get(address, {"release": "0" * 64}).status_code == 404
    assert client.get(reverse("catalogue:index"), {"release": "nonsense"}).status_code == 404


def test_a_unit_that_is_not_there(client: Client, release: CatalogueRelease) -> None:
    assert client.get(reverse("catalogue:unit", args=["SOL999"])).status_code == 404


def test_the_number_of_queries_does_not_grow_with_the_units(client: Client, release: CatalogueRelease) -> None:
    from django.db import connection

    def queries(**parameters: str) -> int:
        with CaptureQueriesContext(
            connection,
        ) as captured:
            assert client.get(reverse("catalogue:index"), parameters).status_code == 200
        return len(captured)

    document = copy.deepcopy(load_builtin().to_json())
    for number in range(60):
        document["units"].append({**document["units"][0], "id": f"MANY{number:03d}"})
    before = queries()
    load_release([Document("many.json", document)])
    assert queries() == before <= 4
    assert queries(release=release.content_hash) == before


def test_pages_answer_only_to_reading(player: Client, release: CatalogueRelease) -> None:
    assert player.post(reverse("catalogue:index")).status_code == 405
    assert player.post(reverse("catalogue:unit", args=["SOL002"])).status_code == 405
    assert player.put(reverse("catalogue:check")).status_code == 405


def test_only_people_who_are_logged_in_may_check_a_file(client: Client) -> None:
    for answer in (client.get(reverse("catalogue:check")), upload(client, "{}")):
        assert answer.status_code == 302
        assert reverse("people:log_in") in answer.headers["Location"]


def test_the_form_to_check_a_file(player: Client) -> None:
    page = player.get(reverse("catalogue:check"))
    assert page.status_code == 200
    assert 'enctype="multipart/form-data"' in page.content.decode()


def test_a_good_file_is_counted_and_previewed_and_changes_nothing(player: Client, builtin: Catalogue) -> None:
    page = upload(player, json.dumps(builtin.to_json()))
    assert page.status_code == 200
    assert [count for _, count in page.context["counts"]] == list(builtin.counts().values())
    assert page.context["content_hash"] == builtin.content_hash
    first = next(iter(builtin.units.values()))
    assert page.context["preview"][0] == {"kind_name": "Units", **{key: first[key] for key in ("id", "name", "points")}}
    assert "This file can be used" in page.content.decode()
    assert CatalogueRelease.objects.count() == 0


def test_a_file_with_nothing_in_it_is_not_called_usable(player: Client) -> None:
    page = upload(player, json.dumps({"schema": 1, "units": []}))
    assert page.status_code == 200
    assert "This file can be used" not in page.content.decode()
    assert "There is nothing in this file" in page.content.decode()


def test_a_faulty_file_is_answered_with_coded_problems(player: Client, hellion: dict[str, Any]) -> None:
    hellion["dial"][3]["attack"] = 19
    page = upload(player, json.dumps({"schema": 1, "units": [hellion]}))
    assert (page.status_code, page.context["problem_count"]) == (400, 1)
    [(problem, kind, sentence)] = page.context["problems"]
    assert problem.to_json() == {
        "file": "mine.json",
        "kind": "units",
        "id": "SOL002",
        "click": 4,
        "field": "attack",
        "code": "value_rises",
        "parameters": {"value": "attack", "before": 10, "here": 19},
    }
    assert (kind, sentence) == ("Units", "Attack: it rises from 10 to 19; on a dial a value may only fall.")
    shown = " ".join(strip_tags(page.content.decode()).split())
    assert "mine.json · Units SOL002 · click 4 · attack" in shown
    assert CatalogueRelease.objects.count() == 0


@pytest.mark.parametrize(
    ("content", "code"),
    [
        (b"\x89PNG\r\n", "not_json"),
        (b"{}", "not_a_catalogue"),
        (b'{"a": 1, "a": 2}', "repeated_key"),
        (b" " * (LARGEST_FILE + 1), "file_too_large"),
    ],
)
def test_a_file_that_is_no_catalogue(player: Client, content: bytes, code: str) -> None:
    answer = upload(player, content)
    assert answer.status_code == 400
    assert [problem.code for problem, _, _ in answer.context["problems"]] == [code]


def test_no_file(player: Client) -> None:
    answer = player.post(reverse("catalogue:check"), {"form": "csv"})
    assert answer.status_code == 400
    assert answer.context["form"]["form"].value() == "csv"
    assert [problem.code for problem, _, _ in answer.context["problems"]] == ["file_missing"]


def test_a_file_with_very_many_problems_is_cut_and_says_so(player: Client, hellion: dict[str, Any]) -> None:
    units = [{**hellion, "id": f"HSE{number:03d}", "colour": "red"} for number in range(MOST_PROBLEMS + 1)]
    for count, is_cut in ((MOST_PROBLEMS, False), (MOST_PROBLEMS + 1, True)):
        text = json.dumps({"schema": 1, "units": units[:count]})
        page = upload(player, text)
        assert page.context["problem_count"] == len(page.context["problems"]) == MOST_PROBLEMS
        assert ("there may be more" in page.content.decode()) is is_cut


def test_names_in_a_file_are_shown_as_text_not_as_markup(player: Client, hellion: dict[str, Any]) -> None:
    hellion["name"] = "<script>alert(1)</script>"
    text = upload(player, json.dumps({"schema": 1, "units": [hellion]})).content.decode()
    assert "<script>alert(1)" not in text
    assert "&lt;script&gt;" in text


def test_the_admin_reads_and_changes_nothing(staff: Client, release: CatalogueRelease) -> None:
    entry = release.entries.get(kind="units", key="SOL002")
    for model, row in (("cataloguerelease", release), ("catalogueentry", entry)):
        assert staff.get(reverse(f"admin:catalogue_{model}_changelist")).status_code == 200
        assert staff.get(reverse(f"admin:catalogue_{model}_change", args=[row.pk])).status_code == 200
        assert staff.get(reverse(f"admin:catalogue_{model}_add")).status_code == 403
        assert staff.post(reverse(f"admin:catalogue_{model}_change", args=[row.pk]), {}).status_code == 403
        assert staff.post(reverse(f"admin:catalogue_{model}_delete", args=[row.pk]), {"post": "yes"}).status_code == 403
    assert release.entries.count() == sum(load_builtin().counts().values())


def test_every_text_of_the_pages_is_translated(
    player: Client, release: CatalogueRelease, hellion: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    speak_pseudo(monkeypatch)
    pages = [player.get(reverse("catalogue:index")), player.get(reverse("catalogue:index"), {"class": "light"})]
    pages += [player.get(reverse("catalogue:unit", args=[key])) for key in load_builtin().units]
    pages += [player.get(reverse("catalogue:check")), upload(player, json.dumps(load_builtin().to_json()))]
    hellion["dial"][3]["attack"] = 19
    pages.append(upload(player, json.dumps({"schema": 1, "units": [hellion]})))
    pages += [player.get(f"/catalogue/{ADDRESSES[kind]}/") for kind in ADDRESSES if kind != "units"]
    for kind in ("pilots", "gear", "rally_cards", "target_tokens", "arenas"):
        pages += [player.get(f"/catalogue/{ADDRESSES[kind]}/{key}/") for key in load_builtin().of_kind(kind)]
    assert {page.status_code for page in pages} == {200, 400}
    assert {page.request["PATH_INFO"]: found for page in pages if (found := untranslated(page.content.decode()))} == {}


def test_a_pilots_other_cost_names_its_unit(client: Client, release: CatalogueRelease) -> None:
    asked = {"q": "Tormark"}
    pages = (reverse("catalogue:pilots"), reverse("catalogue:pilots_page", args=["L-026"]))
    for address in pages:
        text = unescape(strip_tags(client.get(address, asked).content.decode()))
        assert f"21 with {load_builtin().units['SOL004']['name']}" in text
        assert "with SOL004" not in text
