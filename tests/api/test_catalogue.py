"""The catalogue for programs: releases, definitions, the file, the schemas; collections and bringing definitions in."""

from __future__ import annotations

import json
from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from jsonschema import Draft202012Validator
from referencing import Registry, Resource

from catalogue.models import CatalogueRelease, Collection, CollectionVersion, ImportDraft
from catalogue.selectors.releases import latest_release
from catalogue.services import collections
from catalogue.services.files import read_file, release_document, units_sheet
from catalogue.services.releases import load_release
from rules.catalogue.vocabulary import KINDS
from tests.web.roles.world import World

pytestmark = pytest.mark.django_db

ROOT = "catalogue/releases/latest/"
TOKEN = {"id": "T-900", "name": "Old Turret", "defense": 17, "armor": None, "method": "energy", "rp": 10, "else_rp": 5}
DOCUMENT = {"schema": 1, "target_tokens": [TOKEN]}


def _json(document: Any) -> bytes:
    return json.dumps(document).encode()


def queries(ask: Any) -> tuple[Any, int]:
    with CaptureQueriesContext(
        connection,
    ) as caught:
        answer = ask()
    return answer, len(caught)


def newest() -> CatalogueRelease:
    found = latest_release()
    assert found is not None
    return found


def collection_of(world: World, role: str = "player", **fields: Any) -> Collection:
    return collections.make_collection(name="Brought along", keeper=world.people[role], **fields)


# Releases ------------------------------------------------------------------------------------------------------------


def test_releases_are_read_by_their_hash_or_as_the_latest(api: Any) -> None:
    release = newest()
    [row] = [
        row for row in api("", "get", "catalogue/releases/").json()["results"] if row["hash"] == release.content_hash
    ]
    by_hash = api("", "get", f"catalogue/releases/{release.content_hash}/").json()
    assert by_hash == api("", "get", ROOT).json()
    assert {key: value for key, value in by_hash.items() if key != "counts"} == row
    document = release_document(release)
    assert by_hash["counts"] == {kind: len(document[kind]) for kind in KINDS}
    assert api("", "get", f"catalogue/releases/{'0' * 64}/").status_code == 404


def test_releases_of_collections_are_not_listed_but_open_by_their_hash(world: World, api: Any) -> None:
    collection = collection_of(world)
    read = read_file("tokens.json", b'{"schema":1,"target_tokens":[%s]}' % _json(TOKEN), "json")
    draft = collections.draft_import(collection=collection, user=world.people["player"], read=read)
    version = collections.confirm_import(public_id=draft.public_id, user=world.people["player"])
    release = version.release.content_hash
    assert release not in str(api("player", "get", "catalogue/releases/").json())
    answer = api("", "get", f"catalogue/releases/{release}/target_tokens/")
    assert [row["id"] for row in answer.json()["results"]] == ["T-900"]
    assert "public" not in answer.headers["Cache-Control"], "caches between keep only what everybody is offered"


def test_a_release_is_one_file_that_an_import_reads_back(api: Any) -> None:
    answer = api("", "get", f"{ROOT}file/")
    assert answer.json() == release_document(newest())
    assert answer.headers["Content-Disposition"].startswith("attachment; filename=")
    assert set(answer.json()) == {"schema", *KINDS}


@pytest.mark.parametrize("below", ["file/", "units/", "units/?rank=unique", "units/SOL002/", "arenas/", "gear/G-001/"])
def test_who_has_it_already_hears_so_with_hardly_a_query(api: Any, below: str) -> None:
    address = f"catalogue/releases/{newest().content_hash}/{below}"
    first = api("", "get", address)
    assert first.status_code == 200
    assert first.headers["Cache-Control"] == "public, max-age=31536000, immutable"
    again, asked = queries(lambda: api("", "get", address, headers={"If-None-Match": first.headers["ETag"]}))
    assert (again.status_code, again.content) == (304, b"")
    assert again.headers["ETag"] == first.headers["ETag"]
    assert again.headers["Cache-Control"] == first.headers["Cache-Control"]
    assert asked <= 2
    other = api("", "get", address, headers={"If-None-Match": '"something else"'})
    assert (other.status_code, other.content) == (200, first.content)


def test_what_the_latest_is_must_be_asked_each_time(api: Any) -> None:
    first = api("", "get", f"{ROOT}file/")
    assert first.headers["Cache-Control"] == "public, no-cache"
    document = release_document(newest())
    document["target_tokens"] = [*document["target_tokens"], TOKEN]
    load_release([read_file("more.json", _json(document), "json").document])
    after = api("", "get", f"{ROOT}file/", headers={"If-None-Match": first.headers["ETag"]})
    assert after.status_code == 200
    assert TOKEN["id"] in {row["id"] for row in after.json()["target_tokens"]}


# Definitions ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", KINDS)
def test_every_definition_has_the_form_of_its_published_schema(api: Any, kind: str) -> None:
    name = {"gear": "gear"}.get(kind, kind.removesuffix("s")).replace("_", "-")
    schema = api("", "get", f"catalogue/schemas/{name}/").json()
    checker = Draft202012Validator(schema)
    page = api("", "get", f"{ROOT}{kind}/", {"page_size": 3}).json()
    whole = {row["id"]: row for row in release_document(newest())[kind]}
    assert page["count"] == len(whole)
    for row in page["results"]:
        one = api("", "get", f"{ROOT}{kind}/{row['id']}/").json()
        checker.validate(one["definition"])
        assert one["definition"] == whole[row["id"]]
        assert one["release"] == newest().content_hash
        assert {key: one[key] for key in row} == row
    assert api("", "get", f"{ROOT}{kind}/nothing-of-the-kind/").status_code == 404


def test_the_schema_of_the_document_is_the_one_that_the_file_has(api: Any) -> None:
    names = [row["name"] for row in api("", "get", "catalogue/schemas/").json()]
    found = {name: api("", "get", f"catalogue/schemas/{name}/").json() for name in names}
    registry = Registry().with_resources((each["$id"], Resource.from_contents(each)) for each in found.values())
    Draft202012Validator(found["catalogue"], registry=registry).validate(api("", "get", f"{ROOT}file/").json())
    assert api("", "get", "catalogue/schemas/passwd/").status_code == 404


@pytest.mark.parametrize(
    ("query", "holds"),
    [
        ({"weight_class": "light"}, lambda unit: unit["weight_class"] == "light"),
        ({"rank": "veteran"}, lambda unit: unit["rank"] == "veteran"),
        ({"type": "energy"}, lambda unit: "energy" in unit["types"]),
        ({"equipment": "jump_jets"}, lambda unit: "jump_jets" in unit["equipment"]),
        ({"points_min": 120, "points_max": 160}, lambda unit: 120 <= unit["points"] <= 160),
        ({"reach_min": 12}, lambda unit: unit["reach"] >= 12),
        ({"search": "hellion"}, lambda unit: "hellion" in unit["name"].lower()),
    ],
    ids=lambda value: "-".join(value) if isinstance(value, dict) else "",
)
def test_units_are_filtered_as_on_the_list_of_the_site(api: Any, query: dict[str, Any], holds: Any) -> None:
    every = api("", "get", f"{ROOT}units/", {"page_size": 100}).json()
    assert every["pages"] == 1
    found = api("", "get", f"{ROOT}units/", {"page_size": 100, **query}).json()["results"]
    assert found == [unit for unit in every["results"] if holds(unit)]
    assert 0 < len(found) < every["count"]


def test_units_are_sorted_and_those_on_the_shelf_are_ones_own(world: World, api: Any) -> None:
    points = [row["points"] for row in api("", "get", f"{ROOT}units/", {"sort": "-points"}).json()["results"]]
    assert points == sorted(points, reverse=True)
    collections.set_owned_miniatures(user=world.people["player"], keys=["SOL002"], is_there=True)
    mine = api("player", "get", f"{ROOT}units/", {"shelf": "true"})
    assert [row["id"] for row in mine.json()["results"]] == ["SOL002"]
    assert mine.headers["Cache-Control"] == "private, no-cache"
    assert "ETag" not in mine.headers
    assert api("", "get", f"{ROOT}units/", {"shelf": "true"}).json()["count"] == 0


def test_pilots_are_filtered_by_their_kind(api: Any) -> None:
    found = api("", "get", f"{ROOT}pilots/", {"kind": "legendary"}).json()["results"]
    assert found
    assert {row["kind"] for row in found} == {"legendary"}


@pytest.mark.parametrize("query", ["weight_class=huge", "points_min=-1", "colour=red", "sort=luck", "shelf=1"])
def test_filters_that_nobody_described_are_refused(api: Any, query: str) -> None:
    answer = api("", "get", f"{ROOT}units/?{query}")
    assert (answer.status_code, answer.json()["code"]) == (400, "invalid")
    assert answer.json()["parameters"]["errors"][0]["field"] == query.partition("=")[0]


def test_lists_ask_as_often_for_many_as_for_few(world: World, api: Any) -> None:
    for number in range(3):
        collection_of(world, audience="everybody" if number else "keeper")
    for address in (f"{ROOT}units/", f"{ROOT}gear/", "catalogue/collections/", "catalogue/releases/"):
        api("player", "get", address)
        few, asked_few = queries(lambda address=address: api("player", "get", address, {"page_size": 1}))
        many, asked_many = queries(lambda address=address: api("player", "get", address, {"page_size": 100}))
        assert asked_few == asked_many, address
        assert len(few.json()["results"]) == 1
    assert many.status_code == 200


# Collections ---------------------------------------------------------------------------------------------------------


def test_collections_are_shown_to_whom_the_pages_show_them(world: World, api: Any) -> None:
    own = collection_of(world)
    of_all = collection_of(world, audience="everybody")
    of_private = collection_of(world, "organiser", audience="season", season="private-season")
    seen = {
        "player": {own.slug, of_all.slug, of_private.slug},
        "rival": {of_all.slug, of_private.slug},
        "spectator": {of_all.slug},
        "": {of_all.slug},
    }
    for role, expected in seen.items():
        listed = {
            row["slug"] for row in api(role, "get", "catalogue/collections/", {"page_size": 100}).json()["results"]
        }
        assert listed & {own.slug, of_all.slug, of_private.slug} == expected, role
        for each in (own, of_all, of_private):
            status = 200 if each.slug in expected else 404
            assert api(role, "get", f"catalogue/collections/{each.slug}/").status_code == status, (role, each.slug)


def test_a_collection_is_made_once_for_one_key(world: World, api: Any) -> None:
    first = api("player", "post", "catalogue/collections/", {"name": "My shelf"}, key="once")
    again = api("player", "post", "catalogue/collections/", {"name": "My shelf"}, key="once")
    assert (first.status_code, again.status_code) == (201, 201)
    assert first.json() == again.json()
    assert first.json()["keeper"] == "player"
    assert Collection.objects.filter(name="My shelf").count() == 1
    assert api("player", "get", first.headers["Location"]).json()["versions"] == []
    assert api("", "post", "catalogue/collections/", {"name": "My shelf"}).status_code == 401
    for wrong in ({}, {"name": " "}, {"name": "x", "audience": "season"}, {"name": "x", "colour": "red"}):
        assert api("player", "post", "catalogue/collections/", wrong).status_code == 400, wrong


def test_a_document_becomes_a_draft_then_a_version(world: World, api: Any) -> None:
    slug = collection_of(world).slug
    made = api("player", "post", f"catalogue/collections/{slug}/imports/", {"document": DOCUMENT, "file": "t.json"})
    assert made.status_code == 201
    assert made.json()["counts"] == {"added": 1, "changed": 0, "removed": 0, "unchanged": 0}
    address = made.headers["Location"]
    changes = api("player", "get", f"{address}changes/").json()["results"]
    assert [(row["id"], row["effect"]) for row in changes] == [("T-900", "added")]
    assert not CollectionVersion.objects.filter(collection__slug=slug).exists(), "nothing changes before"
    for stranger in ("rival", "organiser", "staff"):
        assert api(stranger, "get", address).status_code == 404
        assert api(stranger, "post", f"{address}confirm/").status_code == 404
    done = api("player", "post", f"{address}confirm/", key="yes")
    assert (done.status_code, done.json()["version"]) == (200, 1)
    assert api("player", "post", f"{address}confirm/", key="yes").json() == done.json()
    second = api("player", "post", f"{address}confirm/")
    assert (second.status_code, second.json()["code"]) == (409, "draft_not_open")
    shown = api("player", "get", f"catalogue/collections/{slug}/").json()
    assert shown["release"] == done.json()["release"] == shown["versions"][0]["release"]
    one = api("", "get", f"catalogue/releases/{shown['release']}/target_tokens/T-900/").json()
    assert one["definition"]["defense"] == 17
    assert api("player", "get", address).json()["counts"] is None
    assert api("player", "get", f"{address}changes/").json()["count"] == 0


def test_a_change_shows_each_value_before_and_after(world: World, api: Any) -> None:
    slug = collection_of(world).slug
    first = api("player", "post", f"catalogue/collections/{slug}/imports/", {"document": DOCUMENT})
    api("player", "post", f"{first.headers['Location']}confirm/")
    changed = {"schema": 1, "target_tokens": [{**TOKEN, "defense": 18}]}
    second = api("player", "post", f"catalogue/collections/{slug}/imports/", {"document": changed})
    [row] = api("player", "get", f"{second.headers['Location']}changes/", {"effect": "changed"}).json()["results"]
    assert row["differences"] == [{"path": "defense", "before": 17, "after": 18}]


def test_a_draft_is_thrown_away_once(world: World, api: Any) -> None:
    slug = collection_of(world).slug
    address = api("player", "post", f"catalogue/collections/{slug}/imports/", {"document": DOCUMENT}).headers[
        "Location"
    ]
    assert address.removeprefix("/api/v1/catalogue/imports/").rstrip("/") in {
        row["public_id"] for row in api("player", "get", "catalogue/imports/").json()["results"]
    }
    assert api("rival", "delete", address).status_code == 404
    assert api("player", "delete", address).status_code == 204
    assert api("player", "delete", address).json()["code"] == "draft_not_open"
    assert ImportDraft.objects.get(collection__slug=slug).state == "discarded"


def test_a_file_that_is_no_catalogue_is_refused_with_every_fault(world: World, api: Any) -> None:
    slug = collection_of(world).slug
    faulty = {"schema": 1, "target_tokens": [{**TOKEN, "defense": 99}, {**TOKEN, "id": "T-901", "method": "luck"}]}
    answer = api("player", "post", f"catalogue/collections/{slug}/imports/", {"document": faulty})
    assert (answer.status_code, answer.json()["code"]) == (409, "catalogue_invalid")
    problems = answer.json()["parameters"]["problems"]
    assert {(row["id"], row["field"]) for row in problems} == {("T-900", "defense"), ("T-901", "method")}
    assert all(row["detail"] for row in problems)
    assert answer.json()["parameters"]["is_cut"] is False
    many = {"schema": 1, "target_tokens": [{}] * 100}
    cut = api("player", "post", f"catalogue/collections/{slug}/imports/", {"document": many}).json()
    assert (cut["parameters"]["count"], cut["parameters"]["is_cut"]) == (200, True)
    assert cut["detail"].endswith("there may be more.")
    assert not ImportDraft.objects.filter(collection__slug=slug).exists()
    sheet = api("player", "post", f"catalogue/collections/{slug}/sheets/", {"sheet": "nonsense"})
    assert (sheet.status_code, sheet.json()["code"]) == (409, "catalogue_invalid")


def test_units_come_in_as_a_sheet(world: World, api: Any) -> None:
    slug = collection_of(world).slug
    units = release_document(newest(), ["units"])["units"][:2]
    made = api("player", "post", f"catalogue/collections/{slug}/sheets/", {"sheet": units_sheet(units)})
    assert made.status_code == 201, made.content
    assert made.json()["counts"]["added"] == 2


def test_only_the_keeper_brings_in(world: World, api: Any) -> None:
    slug = collection_of(world, audience="everybody").slug
    answer = api("rival", "post", f"catalogue/collections/{slug}/imports/", {"document": DOCUMENT})
    assert (answer.status_code, answer.json()["code"]) == (409, "not_the_keeper")
    hidden = collection_of(world).slug
    assert api("rival", "post", f"catalogue/collections/{hidden}/imports/", {"document": DOCUMENT}).status_code == 404
    scoped = api("player", "post", f"catalogue/collections/{slug}/imports/", {"document": DOCUMENT}, scopes=("read",))
    assert (scoped.status_code, scoped.json()["code"]) == (403, "scope_missing")


def test_a_character_that_no_database_keeps_is_refused_and_the_refusal_kept(world: World, api: Any) -> None:
    slug = collection_of(world).slug
    for document in ({"schema": 1, "\0": 1}, {"schema": 1, "target_tokens": [{**TOKEN, "name": "a\0b"}]}):
        address = f"catalogue/collections/{slug}/imports/"
        first = api("player", "post", address, {"document": document}, key=f"with-{max(document)!r}".replace("\\", ""))
        assert (first.status_code, first.json()["code"]) == (409, "catalogue_invalid")
        assert [row["code"] for row in first.json()["parameters"]["problems"]] == ["unprintable_text"]
    for wrong in ({"sheet": "id\0"}, {"sheet": "id", "file": "a\0"}, {"sheet": "id", "file": " "}):
        assert api("player", "post", f"catalogue/collections/{slug}/sheets/", wrong).status_code == 400, wrong


def test_a_search_for_nothing_finds_all(api: Any) -> None:
    every = api("", "get", f"{ROOT}units/").json()["count"]
    for words in ("", "  "):
        assert api("", "get", f"{ROOT}units/", {"search": words}).json()["count"] == every
