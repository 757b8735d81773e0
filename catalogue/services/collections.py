"""Collections: imports with a preview and a confirmation, and releases in which they replace the game's definitions.

A draft is confirmed at most once, and only against the version that its preview showed. A stored version never changes:
each confirmation makes a new version with a release of its own. The oldest versions go when they are too many.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from typing import Any
from uuid import UUID

from django.contrib.auth import get_user_model
from django.db import transaction
from django.db.models import Q, QuerySet, Sum
from django.utils import timezone

from catalogue.host import hidden_seasons
from catalogue.models import CatalogueRelease, Collection, CollectionVersion, ImportDraft, MiniaturePhoto, ShelfUnit
from catalogue.services.differences import Change, differences, losing_dials
from catalogue.services.files import ReadFile, release_document
from catalogue.services.releases import drop_release, store_release
from people.services.accounts import Limit, count_attempt
from rules.catalogue import Catalogue, Document
from rules.catalogue.bounds import MOST_DEFINITIONS
from rules.catalogue.vocabulary import CATALOGUE_SCHEMA, KINDS
from rules.core.refusals import Malformed, Refused
from web.bounds import (
    LARGEST_SHELF,
    MOST_BYTES_KEPT,
    MOST_COLLECTIONS,
    MOST_DRAFTS,
    MOST_EDITS,
    MOST_IMPORTS,
    MOST_VERSIONS,
)
from web.names import proper_name
from web.retention import IMPORT_DRAFTS
from web.slugs import free_slug_among, slug_of

LONGEST_NAME = 80
IMPORTS = Limit("catalogue_import", MOST_IMPORTS)
EDITS = Limit("catalogue_edit", MOST_EDITS)


class ImportRefused(Refused):
    """A refused change of a collection, a draft or a shelf; nothing was changed."""


@transaction.atomic
def make_collection(*, name: str, keeper: Any, audience: str = "keeper", season: str = "") -> Collection:
    """Make an empty collection.

    Raises Malformed (collection_name_missing, collection_audience) or ImportRefused (too_many_collections).
    """
    name = proper_name(name, LONGEST_NAME)
    if not name:
        raise Malformed("collection_name_missing", longest=LONGEST_NAME)
    if audience not in Collection.Audience.values or (audience == Collection.Audience.SEASON) != bool(season):
        raise Malformed("collection_audience", audience=audience)
    # The keeper's row is locked, so that two requests at once are counted one after the other.
    get_user_model().objects.select_for_update().get(pk=keeper.pk)
    if Collection.objects.filter(keeper=keeper).count() >= MOST_COLLECTIONS:
        raise ImportRefused("too_many_collections", most=MOST_COLLECTIONS)
    slug = free_slug_among(Collection.objects, slug_of(name, "collection"))
    return Collection.objects.create(name=name, slug=slug, keeper=keeper, audience=audience, season=season)


def usable_by(user: Any, season: str = "") -> QuerySet[Collection]:
    """Return the collections with a version that a person may choose for a season.

    `season` is its address, "" for one not opened yet.
    """
    allowed = Q(audience=Collection.Audience.EVERYBODY)
    if season:
        allowed |= Q(audience=Collection.Audience.SEASON, season=season)
    if user is not None and user.is_authenticated:
        allowed |= Q(keeper=user, audience=Collection.Audience.KEEPER)
    return Collection.objects.filter(allowed, versions__isnull=False).distinct()


def visible_to(user: Any) -> QuerySet[Collection]:
    """Return the collections whose content a person may see: everybody's, those of seasons that they may see, and their
    own.
    """
    return _shown_to(user, in_lists=False)


def listed_to(user: Any) -> QuerySet[Collection]:
    """Return the collections that lists show a person: everybody's, those of seasons that lists show them, and their
    own.
    """
    return _shown_to(user, in_lists=True)


def _shown_to(user: Any, in_lists: bool) -> QuerySet[Collection]:
    of_seasons = Q(audience=Collection.Audience.SEASON) & ~Q(season__in=hidden_seasons(user, in_lists))
    allowed = Q(audience=Collection.Audience.EVERYBODY) | of_seasons
    if user.is_authenticated:
        allowed |= Q(keeper=user)
    return Collection.objects.filter(allowed)


def drafts_of(user: Any) -> QuerySet[ImportDraft]:
    """Return a person's own drafts in any state, the newest first, with their collections."""
    return ImportDraft.objects.filter(user=user).select_related("collection")


def latest_version(collection: Collection) -> CollectionVersion | None:
    """Return the newest version, with its release; None for a collection without a version. One query."""
    found: CollectionVersion | None = collection.versions.select_related("release").order_by("-number").first()
    return found


def count_import(user: Any) -> None:
    """Count a file that a person sends, before it is read. Raises TooOften (too_often)."""
    count_attempt(IMPORTS, str(user.pk))


def draft_import(*, collection: Collection, user: Any, read: ReadFile, replaces_all: bool = False) -> ImportDraft:
    """Validate a file and keep it as a draft for confirmation. Drafts of this person that are older than a week are
    deleted, and open ones beyond the newest MOST_DRAFTS.

    Raises CatalogueError (with the problems of the file) or ImportRefused (not_the_keeper, too_many_definitions).
    """
    _keeps(collection, user)
    catalogue = Catalogue.from_documents([read.document])
    latest = latest_version(collection)
    _merged(_catalogue(latest), catalogue, replaces_all)
    draft = ImportDraft.objects.create(
        user=user,
        collection=collection,
        based_on=latest,
        file=read.document.file[:80],
        document=catalogue.to_json(),
        notes=[note.to_json() for note in read.notes],
        replaces_all=replaces_all,
    )
    ImportDraft.objects.filter(user=user, created_at__lt=timezone.now() - IMPORT_DRAFTS).delete()
    open_ones = ImportDraft.objects.filter(user=user, state=ImportDraft.State.OPEN).values_list("pk", flat=True)
    ImportDraft.objects.filter(pk__in=list(open_ones.order_by("-pk")[MOST_DRAFTS:])).delete()
    return draft


def changes_of(draft: ImportDraft) -> list[Change]:
    """Return what the confirmation of an open draft would do to each definition, in order of kind and id."""
    before = _catalogue(draft.based_on)
    after = _merged(before, Catalogue.from_validated(draft.document), draft.replaces_all)
    changes = []
    for kind in KINDS:
        old, new = before.of_kind(kind), after.of_kind(kind)
        for key in sorted({*old, *new}):
            if key not in new:
                changes.append(Change(kind, key, old[key]["name"], "removed"))
            elif key not in old:
                changes.append(Change(kind, key, new[key]["name"], "added"))
            else:
                found = tuple(differences(old[key], new[key]))
                changes.append(Change(kind, key, new[key]["name"], "changed" if found else "unchanged", found))
    return changes


def confirm_import(*, public_id: UUID, user: Any) -> CollectionVersion:
    """Make a draft the newest version of its collection, once. Call it outside transactions: large versions take time.

    Raises ImportRefused (no_such_draft, not_the_keeper, draft_not_open, collections_too_large, and collection_moved_on
    when the collection has got another version since the draft was made).
    """
    draft = ImportDraft.objects.select_related("based_on__release").filter(public_id=public_id, user=user).first()
    if draft is None:
        raise ImportRefused("no_such_draft")
    collection = Collection.objects.get(pk=draft.collection_id)

    def refuse() -> None:
        _keeps(collection, user)
        is_overtaken = draft.based_on != latest_version(collection)  # the state, read after it, may say by whom
        draft.refresh_from_db(fields=["state"])
        if draft.state != ImportDraft.State.OPEN:
            raise ImportRefused("draft_not_open", state=draft.state)
        if is_overtaken:
            raise ImportRefused("collection_moved_on", collection=collection.name)

    refuse()
    merged = _merged(_catalogue(draft.based_on), Catalogue.from_validated(draft.document), draft.replaces_all)
    with _new_version(collection, merged, draft.file, refuse) as version:
        draft.state = ImportDraft.State.CONFIRMED
        draft.document = {}
        draft.save(update_fields=["state", "document"])
    return version


@transaction.atomic
def discard_import(*, public_id: UUID, user: Any) -> None:
    """Throw a draft away. Raises ImportRefused (no_such_draft, draft_not_open)."""
    draft = ImportDraft.objects.select_for_update().filter(public_id=public_id, user=user).first()
    if draft is None:
        raise ImportRefused("no_such_draft")
    if draft.state != ImportDraft.State.OPEN:
        raise ImportRefused("draft_not_open", state=draft.state)
    draft.state = ImportDraft.State.DISCARDED
    draft.document = {}
    draft.save(update_fields=["state", "document"])


def put_definition(*, collection: Collection, user: Any, kind: str, definition: Mapping[str, Any]) -> CollectionVersion:
    """Add or replace one definition, as the unit editor does. Call it outside transactions, as `confirm_import`.

    Raises CatalogueError, TooOften (too_often) or ImportRefused (not_the_keeper, too_many_definitions, dial_would_go,
    collections_too_large).
    """
    _keeps(collection, user)
    count_attempt(EDITS, str(user.pk))
    document = {"schema": CATALOGUE_SCHEMA, kind: [dict(definition)]}
    brought = Catalogue.from_documents([Document(definition.get("id", kind) or kind, document)])
    return _bring(collection, brought, next(iter(brought.of_kind(kind))))


@transaction.atomic
def collect_definition(*, keeper: Any, kind: str, definition: Mapping[str, Any], **named: str) -> Collection:
    """Make a collection, `named` as for `make_collection`, with one definition in it, and return it.

    Raises Malformed (collection_name_missing, collection_audience), CatalogueError, TooOften (too_often) or
    ImportRefused (too_many_collections, collections_too_large).
    """
    collection = make_collection(keeper=keeper, **named)
    put_definition(collection=collection, user=keeper, kind=kind, definition=definition)
    return collection


def add_documents(*, slug: str, documents: Iterable[Document]) -> CollectionVersion:
    """Add the definitions of documents to a collection as a new version, without asking its keeper.

    Raises CatalogueError or ImportRefused (no_such_collection, too_many_definitions, dial_would_go,
    collections_too_large).
    """
    collection = Collection.objects.filter(slug=slug).first()
    if collection is None:
        raise ImportRefused("no_such_collection", collection=slug)
    listed = list(documents)
    return _bring(collection, Catalogue.from_documents(listed), ", ".join(document.file for document in listed))


def overlay(base: CatalogueRelease, version: CollectionVersion, *, keeps_dials: bool = False) -> CatalogueRelease:
    """Store and return a release with the definitions of `base`, in which those of a collection's version replace the
    ones with the same kind and id. With `keeps_dials` no unit without a dial replaces one that has a dial.

    Raises ImportRefused (too_many_definitions).
    """
    ground, brought = Catalogue.from_validated(release_document(base)), _catalogue(version)
    if keeps_dials:
        lost = {unit["id"] for unit in losing_dials(ground.units, brought.units)}
        brought = replace(brought, units={key: unit for key, unit in brought.units.items() if key not in lost})
    merged = _merged(ground, brought, replaces_all=False)
    label = f"{base.label} + {version.collection.name} ({version.number})"
    return store_release(merged, label=label, is_offered=False)


def set_owned_miniatures(*, user: Any, keys: Iterable[str], is_there: bool) -> None:
    """Put units on a person's shelf or, without `is_there`, take them off. Units that are there already stay.

    Raises ImportRefused (shelf_full) for units with which the shelf would have more than LARGEST_SHELF.
    """
    if is_there:
        owned = owned_miniatures(user)
        fresh = [key for key in dict.fromkeys(keys) if key not in owned]
        if fresh and len(owned) + len(fresh) > LARGEST_SHELF:
            raise ImportRefused("shelf_full", most=LARGEST_SHELF)
        ShelfUnit.objects.bulk_create([ShelfUnit(user=user, key=key) for key in fresh], ignore_conflicts=True)
    else:
        ShelfUnit.objects.filter(user=user, key__in=list(keys)).delete()


def owned_miniatures(user: Any) -> set[str]:
    """Return the ids of the units on a person's shelf; none for a person who is not logged in."""
    if user is None or not user.is_authenticated:
        return set()
    return set(ShelfUnit.objects.filter(user=user).values_list("key", flat=True))


@transaction.atomic
def forget(user: Any) -> None:
    """Delete a person's drafts, their shelf, their photos, and the collections of which they alone are the audience.

    Such a collection with a version stays, because releases never change, but without its name and its keeper: nobody
    finds it or uses it again.
    """
    ImportDraft.objects.filter(user=user).delete()
    ShelfUnit.objects.filter(user=user).delete()
    MiniaturePhoto.objects.filter(user=user).delete()
    own = Collection.objects.filter(keeper=user, audience=Collection.Audience.KEEPER)
    own.filter(versions=None).delete()
    for collection in own:
        slug = free_slug_among(Collection.objects.all(), "collection")
        Collection.objects.filter(pk=collection.pk).update(name="", slug=slug, keeper=None)


def _keeps(collection: Collection, user: Any) -> None:
    if collection.keeper_id != user.pk:
        raise ImportRefused("not_the_keeper", collection=collection.name)


def _catalogue(version: CollectionVersion | None) -> Catalogue:
    if version is None:
        return Catalogue(**{kind: {} for kind in KINDS})
    return Catalogue.from_validated(release_document(version.release))


def _merged(before: Catalogue, brought: Catalogue, replaces_all: bool) -> Catalogue:
    """Return the definitions of both catalogues, in order of id. A definition of `brought` replaces one of the same
    kind and id. Return only `brought` when it replaces everything.

    Raises ImportRefused (too_many_definitions): what no file may hold, no collection holds either.
    """
    if replaces_all:
        return brought
    merged = {kind: {**before.of_kind(kind), **brought.of_kind(kind)} for kind in KINDS}
    for kind, definitions in merged.items():
        if len(definitions) > MOST_DEFINITIONS[kind]:
            raise ImportRefused("too_many_definitions", kind=kind, count=len(definitions), most=MOST_DEFINITIONS[kind])
    return Catalogue(**{kind: dict(sorted(definitions.items())) for kind, definitions in merged.items()})


class _Overtaken(ImportRefused):
    """Another version was stored meanwhile."""


def _bring(collection: Collection, brought: Catalogue, source: str) -> CollectionVersion:
    """Add definitions to a collection, after those that another request adds meanwhile, and return the new version.

    Nobody sees a preview, so no unit loses its dial here. Raises ImportRefused (too_many_definitions, dial_would_go,
    collections_too_large).
    """
    latest = latest_version(collection)
    ground = _catalogue(latest)
    for unit in losing_dials(ground.units, brought.units):
        raise ImportRefused("dial_would_go", unit=unit["name"], id=unit["id"])

    def refuse() -> None:
        if latest_version(collection) != latest:
            raise _Overtaken("collection_moved_on", collection=collection.name)

    try:
        with _new_version(collection, _merged(ground, brought, False), source, refuse) as version:
            return version
    except _Overtaken:
        return _bring(collection, brought, source)


@contextmanager
def _new_version(
    collection: Collection, catalogue: Catalogue, source: str, refuse: Callable[[], None]
) -> Iterator[CollectionVersion]:
    """Store a catalogue as the newest version of a collection, and yield the version in the transaction that adds it.

    The definitions are stored first, in parts. `refuse` is called with the collection locked and raises ImportRefused
    when the version may not come; then nothing is kept. Raises ImportRefused (collections_too_large) too.
    """

    def stored() -> CatalogueRelease:
        return store_release(catalogue, label=collection.name, is_offered=False)

    release = stored()
    try:
        with transaction.atomic():
            Collection.objects.select_for_update().get(pk=collection.pk)
            refuse()
            older = list(collection.versions.select_related("release").order_by("-number"))
            version = CollectionVersion.objects.create(
                collection=collection,
                number=older[0].number + 1 if older else 1,
                # Somebody may have dropped the same content meanwhile.
                release=stored(),
                source=source[:80],
            )
            _make_room(version, older)
            yield version
    except ImportRefused:
        drop_release(release)
        raise


def _make_room(version: CollectionVersion, older: Sequence[CollectionVersion]) -> None:
    """Delete the older versions of a collection, the newest first, beyond MOST_VERSIONS or MOST_BYTES_KEPT.

    Raises ImportRefused (collections_too_large) when the new version has no room without them.
    """
    others = CollectionVersion.objects.filter(collection__keeper=version.collection.keeper_id)
    used = others.exclude(collection=version.collection).aggregate(used=Sum("release__size"))["used"] or 0
    room = MOST_BYTES_KEPT - used - (version.release.size or 0)
    if room < 0:
        raise ImportRefused("collections_too_large", most=MOST_BYTES_KEPT // 1_000_000)
    for count, old in enumerate(older, 2):
        room -= old.release.size or 0
        if count > MOST_VERSIONS or room < 0:
            # A draft on an old version cannot be confirmed any more.
            ImportDraft.objects.filter(based_on=old).update(based_on=None)
            QuerySet(CollectionVersion).filter(pk=old.pk).delete()
            drop_release(old.release)
