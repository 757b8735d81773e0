"""Catalogue releases in the database: stored once, whole, and for good."""

import copy
from typing import Any

import pytest
from django.db import IntegrityError, transaction

from catalogue.models import CatalogueEntry, CatalogueRelease, ImmutableRow
from catalogue.selectors import releases
from catalogue.services.releases import PART, load_release
from rules.catalogue import Catalogue, CatalogueError, Document, load_builtin
from rules.core.codec import content_hash

pytestmark = [pytest.mark.django_db, pytest.mark.database]


def test_the_builtin_release_holds_every_definition(release: CatalogueRelease, builtin: Catalogue) -> None:
    assert release.is_builtin
    assert release.is_complete
    assert release.content_hash == builtin.content_hash
    assert CatalogueEntry.objects.filter(release=release).count() == sum(builtin.counts().values())
    for entry in releases.entries(release, "units"):
        entry.refresh_from_db()
        assert entry.definition == builtin.units[entry.key]
        assert entry.content_hash == content_hash(entry.definition) == builtin.hash_of("units", entry.key)


def test_loading_again_changes_nothing(release: CatalogueRelease) -> None:
    again = load_release(label="another label")
    assert again.pk == release.pk
    assert again.label == release.label
    assert CatalogueRelease.objects.count() == 1
    from_files = load_release([Document("all.json", load_builtin().to_json())])
    assert from_files.pk == release.pk


def test_a_changed_catalogue_is_another_release(release: CatalogueRelease) -> None:
    document = copy.deepcopy(load_builtin().to_json())
    document["units"][0]["points"] += 1
    other = load_release([Document("mine.json", document)])
    assert other.pk != release.pk
    assert not other.is_builtin
    assert other.label == "mine.json"
    assert releases.latest_release() == other
    assert releases.entry(release, "units", document["units"][0]["id"]).points == document["units"][0]["points"] - 1


def test_a_bad_file_stores_nothing() -> None:
    document = copy.deepcopy(load_builtin().to_json())
    del document["units"][0]["dial"][0]["attack"]
    good = Document("good.json", {"schema": 1, "pilots": load_builtin().to_json()["pilots"]})
    with pytest.raises(CatalogueError):
        load_release([good, Document("bad.json", document)])
    assert CatalogueRelease.objects.count() == 0
    assert CatalogueEntry.objects.count() == 0


def test_a_fault_while_storing_leaves_no_half_release(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*arguments: Any, **options: Any) -> None:
        raise RuntimeError("the disk is full")

    monkeypatch.setattr(CatalogueEntry.objects, "bulk_create", fail)
    with pytest.raises(RuntimeError):
        load_release()
    assert CatalogueRelease.objects.count() == 0


def test_a_release_is_stored_in_parts_and_seen_when_it_is_whole(monkeypatch: pytest.MonkeyPatch) -> None:
    """A process that is killed between two parts leaves what the next call completes."""
    bulk_create, parts = CatalogueEntry.objects.bulk_create, []

    def killed(rows: list[CatalogueEntry], **options: Any) -> None:
        if len(parts) == 1:
            raise KeyboardInterrupt
        parts.append(len(rows))
        bulk_create(rows, **options)

    monkeypatch.setattr(CatalogueEntry.objects, "bulk_create", killed)
    with pytest.raises(KeyboardInterrupt):
        load_release()
    assert parts == [PART]
    assert CatalogueEntry.objects.count() == PART < sum(load_builtin().counts().values())
    assert releases.latest_release() is None
    with pytest.raises(CatalogueRelease.DoesNotExist):
        releases.release(load_builtin().content_hash)
    monkeypatch.undo()
    whole = load_release()
    assert releases.release(load_builtin().content_hash) == whole
    assert CatalogueEntry.objects.count() == sum(load_builtin().counts().values())


def test_a_release_without_arenas_is_not_the_latest_for_seasons(release: CatalogueRelease) -> None:
    units = load_release([Document("units.json", {"schema": 1, "units": load_builtin().to_json()["units"]})])
    assert not units.is_complete
    assert releases.latest_release() == release


def test_no_release_yet() -> None:
    assert releases.latest_release() is None


def test_rows_are_immutable(release: CatalogueRelease) -> None:
    release.label = "other"
    entry = releases.entry(release, "units", "SOL002")
    entry.points = 1
    for row in (release, entry):
        with pytest.raises(ImmutableRow):
            row.save()
        with pytest.raises(ImmutableRow):
            row.delete()
    for model in (CatalogueRelease, CatalogueEntry):
        with pytest.raises(ImmutableRow):
            model.objects.all().delete()
    with pytest.raises(ImmutableRow):
        CatalogueEntry.objects.filter(key="SOL002").update(points=1)
    with pytest.raises(ImmutableRow):
        CatalogueEntry.objects.bulk_update([entry], ["points"])
    assert releases.entry(release, "units", "SOL002").points == load_builtin().units["SOL002"]["points"]


def test_the_database_refuses_a_second_entry_of_one_id(release: CatalogueRelease) -> None:
    entry = releases.entry(release, "units", "SOL002")
    twin = CatalogueEntry(
        release=release, kind="units", key="SOL002", name="Twin", definition={}, content_hash=entry.content_hash
    )
    with pytest.raises(IntegrityError), transaction.atomic():
        twin.save()


def test_selectors_filter_by_class_and_points(release: CatalogueRelease) -> None:
    light = releases.entries(release, "units", unit_class="light")
    units = [unit for unit in load_builtin().units.values() if unit["class"] == "light"]
    assert [entry.key for entry in light] == sorted(unit["id"] for unit in units)
    limit = min(unit["points"] for unit in units)
    cheapest = releases.entries(release, "units", unit_class="light", points__lte=limit)
    assert {entry.key for entry in cheapest} == {unit["id"] for unit in units if unit["points"] == limit}
    assert releases.entries(release, "rally_cards").count() == len(load_builtin().rally_cards)
    with pytest.raises(CatalogueEntry.DoesNotExist):
        releases.entry(release, "units", "SOL999")
    assert releases.release(release.content_hash) == release


def test_r_bld_14_and_r_ast_01_classes_and_prices_that_no_definition_writes() -> None:
    unit = copy.deepcopy(load_builtin().units["SOL002"])
    del unit["variant"], unit["class"]
    unit["points"] = 200
    card = {"id": "R-900", "name": "Last Stand", "requires": {"state": "salvage"}, "ability": "last_stand"}
    stored = load_release([Document("old.json", [unit, card])])
    assert releases.entry(stored, "units", "SOL002").unit_class == "medium"
    assert releases.entry(stored, "rally_cards", "R-900").points == 10
