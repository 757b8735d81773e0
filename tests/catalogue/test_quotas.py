"""What one person may bring to collections: definitions, versions, bytes, open imports, files and edits an hour."""

from __future__ import annotations

from typing import Any

import pytest
from django.contrib.auth import get_user_model

from catalogue.models import CatalogueEntry, CatalogueRelease, Collection, ImportDraft
from catalogue.services import collections
from catalogue.services.files import release_document
from catalogue.services.releases import load_release
from people.services.accounts import Limit
from rules.catalogue import load_builtin
from rules.catalogue.bounds import MOST_DEFINITIONS
from rules.core.refusals import Refused
from tests.catalogue.test_collections import confirmed, document, variant

pytestmark = [pytest.mark.django_db, pytest.mark.database]


@pytest.fixture
def keeper() -> Any:
    return get_user_model().objects.create_user(username="keeper", email="keeper@example.org", password="a-long-word-7")


@pytest.fixture
def collection(keeper: Any) -> Collection:
    return collections.make_collection(name="My shelf", keeper=keeper)


def refused(act: Any) -> str:
    with pytest.raises(Refused) as caught:
        act()
    return caught.value.code


def test_several_files_bring_no_more_than_one_may(
    collection: Collection, keeper: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    confirmed(collection, keeper, variant("A1"), variant("A2"))
    monkeypatch.setitem(MOST_DEFINITIONS, "units", 2)  # type: ignore[arg-type]
    one_more = {"collection": collection, "user": keeper}
    assert refused(lambda: collections.draft_import(**one_more, read=document(variant("A3")))) == "too_many_definitions"
    edit = {**one_more, "kind": "units", "definition": variant("A3")}
    assert refused(lambda: collections.put_definition(**edit)) == "too_many_definitions"
    assert ImportDraft.objects.filter(state=ImportDraft.State.OPEN).count() == 0
    assert collection.versions.count() == 1
    collections.put_definition(**{**edit, "definition": variant("A2", points=77)})


def test_a_season_takes_no_more_than_a_file_holds(
    collection: Collection, keeper: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A larger catalogue could not be read back from the season's document."""
    base, version = load_release(), confirmed(collection, keeper, variant("A1"))
    monkeypatch.setitem(MOST_DEFINITIONS, "units", len(load_builtin().units))  # type: ignore[arg-type]
    assert refused(lambda: collections.overlay(base, version)) == "too_many_definitions"


def test_the_oldest_versions_go_with_their_definitions(
    collection: Collection, keeper: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(collections, "MOST_VERSIONS", 2)
    first = confirmed(collection, keeper, variant("A1"))
    playable = collections.overlay(load_release(), first)
    late = collections.draft_import(collection=collection, user=keeper, read=document(variant("A9")))
    for points in (71, 72):
        confirmed(collection, keeper, variant("A1", points=points))
    assert [version.number for version in collection.versions.all()] == [3, 2]
    assert not CatalogueRelease.objects.filter(pk=first.release_id).exists()
    assert not CatalogueEntry.objects.filter(release_id=first.release_id).exists()
    assert release_document(playable)["units"], "what a season plays with stays"
    confirm = {"public_id": late.public_id, "user": keeper}
    assert refused(lambda: collections.confirm_import(**confirm)) == "collection_moved_on"


def test_the_bytes_of_a_person_are_bounded_and_a_refused_version_leaves_nothing(
    collection: Collection, keeper: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    first = confirmed(collection, keeper, variant("A1"))
    other = collections.make_collection(name="Another", keeper=keeper)
    draft = collections.draft_import(collection=other, user=keeper, read=document(variant("A2")))
    stored = CatalogueRelease.objects.count(), CatalogueEntry.objects.count()
    monkeypatch.setattr(collections, "MOST_BYTES_KEPT", first.release.size + 10)
    confirm = {"public_id": draft.public_id, "user": keeper}
    assert refused(lambda: collections.confirm_import(**confirm)) == "collections_too_large"
    assert (CatalogueRelease.objects.count(), CatalogueEntry.objects.count()) == stored
    draft.refresh_from_db()
    assert (draft.state, other.versions.count()) == (ImportDraft.State.OPEN, 0)
    second = confirmed(collection, keeper, variant("A1", points=71))
    assert list(collection.versions.all()) == [second], "its own older versions make room"


def test_a_person_has_so_many_open_imports(
    collection: Collection, keeper: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(collections, "MOST_DRAFTS", 2)
    made = [
        collections.draft_import(collection=collection, user=keeper, read=document(variant(f"A{number}")))
        for number in range(3)
    ]
    assert set(ImportDraft.objects.all()) == set(made[1:])


def test_edits_an_hour_are_bounded(collection: Collection, keeper: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(collections, "EDITS", Limit("catalogue_edit", 1))
    edit = {"user": keeper, "kind": "units", "definition": variant("A1")}
    collections.put_definition(collection=collection, **edit)
    assert refused(lambda: collections.put_definition(collection=collection, **edit)) == "too_often"


def test_a_version_of_another_request_comes_first(
    collection: Collection, keeper: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Two edits at once both stay, although the second has looked at the version before the first."""
    store, edit = collections.store_release, {"collection": collection, "user": keeper, "kind": "units"}

    def meanwhile(*arguments: Any, **options: Any) -> CatalogueRelease:
        monkeypatch.setattr(collections, "store_release", store)
        collections.put_definition(**edit, definition=variant("A1"))
        return store(*arguments, **options)

    monkeypatch.setattr(collections, "store_release", meanwhile)
    version = collections.put_definition(**edit, definition=variant("A2"))
    assert [unit["id"] for unit in release_document(version.release)["units"]] == ["A1", "A2"]
    assert CatalogueRelease.objects.count() == collection.versions.count() == 2
