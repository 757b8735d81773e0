"""Collections: drafts, previews, confirmations, what a season plays with, shelves."""

import json
from concurrent.futures import ThreadPoolExecutor
from copy import deepcopy
from typing import Any
from uuid import uuid4

import pytest
from django.contrib.auth import get_user_model
from django.core.exceptions import ValidationError
from django.core.management import CommandError, call_command
from django.db import IntegrityError, connection, transaction

from catalogue.models import CatalogueRelease, Collection, CollectionVersion, ImportDraft
from catalogue.selectors.releases import latest_release
from catalogue.services import collections
from catalogue.services.differences import Difference
from catalogue.services.files import ReadFile, read_file, release_document
from catalogue.services.releases import load_release
from rules.catalogue import Catalogue, CatalogueError, Document, load_builtin
from rules.core.refusals import Malformed, Refused

pytestmark = [pytest.mark.django_db, pytest.mark.database]

UNIT = next(iter(load_builtin().units.values()))


def document(*units: dict[str, Any]) -> ReadFile:
    return ReadFile(Document("own.json", {"schema": 1, "units": list(units)}), [])


def variant(key: str = "OWN1", **changes: Any) -> dict[str, Any]:
    return {**deepcopy(UNIT), "id": key, "name": f"Own {key}", "statistics": "printed", **changes}


@pytest.fixture
def keeper() -> Any:
    return get_user_model().objects.create_user(username="keeper", email="keeper@example.org", password="a-long-word-7")


@pytest.fixture
def collection(keeper: Any) -> Collection:
    return collections.make_collection(name="My shelf", keeper=keeper)


def confirmed(collection: Collection, keeper: Any, *units: dict[str, Any], **options: Any) -> CollectionVersion:
    draft = collections.draft_import(collection=collection, user=keeper, read=document(*units), **options)
    return collections.confirm_import(public_id=draft.public_id, user=keeper)


def test_a_draft_changes_nothing_and_its_preview_names_every_effect(collection: Collection, keeper: Any) -> None:
    confirmed(collection, keeper, variant("A1"), variant("A2"), variant("A3"))
    releases = CatalogueRelease.objects.count()
    draft = collections.draft_import(
        collection=collection, user=keeper, read=document(variant("A1"), variant("A2", points=99), variant("A4"))
    )
    changes = {change.key: change for change in collections.changes_of(draft)}
    assert {key: change.effect for key, change in changes.items()} == {
        "A1": "unchanged",
        "A2": "changed",
        "A3": "unchanged",
        "A4": "added",
    }
    assert changes["A2"].differences == (Difference("points", UNIT["points"], 99),)
    assert CatalogueRelease.objects.count() == releases
    assert collections.latest_version(collection).number == 1  # type: ignore[union-attr]


def test_a_replacing_import_removes_what_it_does_not_hold(collection: Collection, keeper: Any) -> None:
    confirmed(collection, keeper, variant("A1"), variant("A2"))
    draft = collections.draft_import(
        collection=collection, user=keeper, read=document(variant("A2")), replaces_all=True
    )
    assert [(change.key, change.effect) for change in collections.changes_of(draft)] == [
        ("A1", "removed"),
        ("A2", "unchanged"),
    ]
    version = collections.confirm_import(public_id=draft.public_id, user=keeper)
    assert [unit["id"] for unit in release_document(version.release)["units"]] == ["A2"]


def test_a_draft_is_confirmed_once_and_keeps_no_document(collection: Collection, keeper: Any) -> None:
    draft = collections.draft_import(collection=collection, user=keeper, read=document(variant()))
    collections.confirm_import(public_id=draft.public_id, user=keeper)
    with pytest.raises(Refused) as caught:
        collections.confirm_import(public_id=draft.public_id, user=keeper)
    assert caught.value.code == "draft_not_open"
    draft.refresh_from_db()
    assert (draft.state, draft.document) == ("confirmed", {})
    assert collection.versions.count() == 1


def test_a_preview_that_another_version_overtook_is_not_confirmed(collection: Collection, keeper: Any) -> None:
    late = collections.draft_import(collection=collection, user=keeper, read=document(variant("A1")))
    confirmed(collection, keeper, variant("A2"))
    with pytest.raises(Refused) as caught:
        collections.confirm_import(public_id=late.public_id, user=keeper)
    assert caught.value.code == "collection_moved_on"
    late.refresh_from_db()
    assert late.state == ImportDraft.State.OPEN
    assert collection.versions.count() == 1


def test_a_discarded_draft_is_gone(collection: Collection, keeper: Any) -> None:
    draft = collections.draft_import(collection=collection, user=keeper, read=document(variant()))
    collections.discard_import(public_id=draft.public_id, user=keeper)
    for service in (collections.discard_import, collections.confirm_import):
        with pytest.raises(Refused) as caught:
            service(public_id=draft.public_id, user=keeper)
        assert caught.value.code == "draft_not_open"


def test_a_broken_file_leaves_nothing(collection: Collection, keeper: Any) -> None:
    with pytest.raises(CatalogueError):
        collections.draft_import(collection=collection, user=keeper, read=document(variant(), variant("A2", vent=99)))
    assert ImportDraft.objects.count() == 0


def test_nobody_else_imports_confirms_or_discards(collection: Collection, keeper: Any) -> None:
    other = get_user_model().objects.create_user(username="other", email="other@example.org", password="a-long-word-7")
    draft = collections.draft_import(collection=collection, user=keeper, read=document(variant()))
    with pytest.raises(Refused) as caught:
        collections.draft_import(collection=collection, user=other, read=document(variant()))
    assert caught.value.code == "not_the_keeper"
    for service in (collections.discard_import, collections.confirm_import):
        with pytest.raises(Refused) as caught:
            service(public_id=draft.public_id, user=other)
        assert caught.value.code == "no_such_draft"
    with pytest.raises(Refused) as caught:
        collections.confirm_import(public_id=uuid4(), user=keeper)
    assert caught.value.code == "no_such_draft"


def test_earlier_versions_stay_as_they_were(collection: Collection, keeper: Any) -> None:
    first = confirmed(collection, keeper, variant("A1"))
    second = collections.put_definition(
        collection=collection, user=keeper, kind="units", definition=variant("A1", points=77)
    )
    assert [release_document(version.release)["units"][0]["points"] for version in (first, second)] == [
        UNIT["points"],
        77,
    ]


def test_a_season_plays_with_the_collection_over_the_games_own_units(collection: Collection, keeper: Any) -> None:
    base = load_release()
    version = confirmed(collection, keeper, variant(UNIT["id"], points=UNIT["points"] - 1), variant("A9"))
    playable = collections.overlay(base, version)
    units = {unit["id"]: unit for unit in release_document(playable)["units"]}
    assert units[UNIT["id"]]["statistics"] == "printed"
    assert units.keys() == {*load_builtin().units, "A9"}
    assert playable.is_complete
    assert latest_release() == base, "what a collection plays with is not offered to other seasons"
    Catalogue.from_documents([release_document(playable)])


@pytest.mark.parametrize(
    ("values", "code"),
    [
        ({"name": "  "}, "collection_name_missing"),
        ({"name": "x" * 81}, "collection_name_missing"),
        ({"name": "\u200b"}, "collection_name_missing"),
        ({"audience": "friends"}, "collection_audience"),
        ({"audience": "season"}, "collection_audience"),
        ({"audience": "everybody", "season": "a-season"}, "collection_audience"),
    ],
)
def test_a_collection_has_a_name_and_an_audience(keeper: Any, values: dict[str, str], code: str) -> None:
    with pytest.raises(Malformed) as caught:
        collections.make_collection(**{"name": "My shelf", "keeper": keeper, **values})
    assert caught.value.code == code


def test_a_person_keeps_only_so_many(keeper: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(collections, "MOST_COLLECTIONS", 2)
    made = [collections.make_collection(name="Twice", keeper=keeper) for _ in range(2)]
    assert [collection.slug for collection in made] == ["twice", "twice-2"]
    with pytest.raises(Refused) as caught:
        collections.make_collection(name="Thrice", keeper=keeper)
    assert caught.value.code == "too_many_collections"


def test_who_may_use_and_see_which_collection(keeper: Any) -> None:
    other = get_user_model().objects.create_user(username="other", email="other@example.org", password="a-long-word-7")
    made = {
        "own": collections.make_collection(name="Own", keeper=keeper),
        "public": collections.make_collection(name="Public", keeper=keeper, audience="everybody"),
        "season": collections.make_collection(name="Of a season", keeper=keeper, audience="season", season="spring"),
    }
    collections.make_collection(name="Empty", keeper=keeper, audience="everybody")
    for name, collection in made.items():
        confirmed(collection, keeper, variant(name))

    def slugs(found: Any) -> set[str]:
        return {collection.slug for collection in found}

    assert slugs(collections.usable_by(keeper)) == {"own", "public"}
    assert slugs(collections.usable_by(other)) == {"public"}
    assert slugs(collections.usable_by(other, "spring")) == {"public", "of-a-season"}
    assert slugs(collections.visible_to(other)) == {"public", "of-a-season", "empty"}
    assert slugs(collections.visible_to(keeper)) == {"own", "public", "of-a-season", "empty"}


def test_the_database_holds_a_season_collection_to_its_season(keeper: Any) -> None:
    with pytest.raises((IntegrityError, ValidationError)), transaction.atomic():
        Collection.objects.create(name="x", slug="x", keeper=keeper, audience="season", season="")


def test_the_shelf(keeper: Any) -> None:
    collections.set_owned_miniatures(user=keeper, keys=["SOL001", "SOL002"], is_there=True)
    collections.set_owned_miniatures(user=keeper, keys=["SOL002"], is_there=True)
    collections.set_owned_miniatures(user=keeper, keys=["SOL001", "SOL009"], is_there=False)
    assert collections.owned_miniatures(keeper) == {"SOL002"}
    assert collections.owned_miniatures(None) == set()


@pytest.mark.parametrize(
    ("name", "content", "form", "code"),
    [
        ("own.json", b"[]", "sideways", "unknown_form"),
        ("own.json", b"{", "", "not_json"),
        ("own.csv", b"", "", "not_a_sheet"),
        ("own.json", b'{"units": []}', "tagged_clicks", "nothing_to_map"),
    ],
)
def test_files_that_cannot_be_read(name: str, content: bytes, form: str, code: str) -> None:
    with pytest.raises(CatalogueError) as caught:
        read_file(name, content, form)
    assert [problem.code for problem in caught.value.problems] == [code]


def test_an_export_is_read_back_equal(collection: Collection, keeper: Any) -> None:
    release = load_release()
    exported = json.dumps(release_document(release)).encode()
    again = Catalogue.from_documents([read_file("export.json", exported).document])
    assert again.content_hash == release.content_hash


@pytest.mark.django_db(transaction=True)
def test_confirmations_at_the_same_moment_make_one_version() -> None:
    keeper = get_user_model().objects.create_user(
        username="keeper", email="keeper@example.org", password="a-long-word-7"
    )
    collection = collections.make_collection(name="My shelf", keeper=keeper)
    draft = collections.draft_import(collection=collection, user=keeper, read=document(variant()))

    def confirm(_: int) -> str:
        try:
            collections.confirm_import(public_id=draft.public_id, user=keeper)
            return "confirmed"
        except Refused as refused:
            return refused.code
        finally:
            connection.close()

    with ThreadPoolExecutor(4) as pool:
        outcomes = sorted(pool.map(confirm, range(4)))
    assert outcomes == ["confirmed", "draft_not_open", "draft_not_open", "draft_not_open"]
    assert collection.versions.count() == 1


def test_an_operator_fills_a_collection_from_a_file(collection: Collection, keeper: Any, tmp_path: Any) -> None:
    file = tmp_path / "own.json"
    file.write_text(json.dumps({"schema": 1, "units": [variant("A1")]}), encoding="utf-8")
    call_command("load_catalogue", str(file), "--collection", collection.slug, verbosity=0)
    version = collections.latest_version(collection)
    assert version is not None
    assert [unit["id"] for unit in release_document(version.release)["units"]] == ["A1"]
    with pytest.raises(CommandError, match="no_such_collection"):
        call_command("load_catalogue", str(file), "--collection", "nowhere", verbosity=0)


def test_a_private_import_of_the_next_release_does_not_keep_it_from_being_offered(
    collection: Collection, keeper: Any
) -> None:
    first = load_release()
    document = load_builtin().to_json()
    document["units"] = document["units"][1:]
    read = ReadFile(Document("next.json", document), [])
    draft = collections.draft_import(collection=collection, user=keeper, read=read)
    collections.confirm_import(public_id=draft.public_id, user=keeper)
    assert latest_release() == first
    second = load_release([read.document])
    assert latest_release() == second != first
    load_release()
    assert latest_release() == first, "loading a release again offers it again"


def test_a_shelf_has_an_end(keeper: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(collections, "LARGEST_SHELF", 2)
    collections.set_owned_miniatures(user=keeper, keys=["SOL001"], is_there=True)
    with pytest.raises(Refused) as caught:
        collections.set_owned_miniatures(user=keeper, keys=["SOL002", "SOL003"], is_there=True)
    assert caught.value.code == "shelf_full"
    assert collections.owned_miniatures(keeper) == {"SOL001"}
    collections.set_owned_miniatures(user=keeper, keys=["SOL001", "SOL002", "SOL002"], is_there=True)
    # Units that are there already fit on a full shelf.
    collections.set_owned_miniatures(user=keeper, keys=["SOL001"], is_there=True)
    assert collections.owned_miniatures(keeper) == {"SOL001", "SOL002"}


@pytest.mark.parametrize("name", [" ", "\u00a0", "A\u202eB", "\u200b", ""])
def test_a_name_that_nobody_can_see_is_refused(name: str) -> None:
    with pytest.raises(CatalogueError):
        Catalogue.from_documents([{"schema": 1, "units": [variant("A1", name=name)]}])


def test_a_person_who_leaves_takes_the_name_of_their_collections_along(collection: Collection, keeper: Any) -> None:
    empty = collections.make_collection(name="Nothing yet", keeper=keeper)
    shared = collections.make_collection(name="For all", keeper=keeper, audience="everybody")
    version = confirmed(collection, keeper, variant("A1"))
    collections.forget(keeper)
    collection.refresh_from_db()
    assert (collection.name, collection.slug, collection.keeper, version.release.pk) == (
        *("", "collection", None),
        collection.versions.get().release_id,
    )
    assert not Collection.objects.filter(pk=empty.pk).exists()
    assert Collection.objects.get(pk=shared.pk).name == "For all"
