"""Storing catalogues as releases."""

from collections.abc import Iterable
from contextlib import suppress
from typing import Any

from django.db import transaction
from django.db.models import ProtectedError, QuerySet
from django.utils import timezone

from catalogue.models import CatalogueEntry, CatalogueRelease
from catalogue.text.searching import listed_facts
from rules.catalogue import Catalogue, Document, builtin_hash, load_builtin
from rules.catalogue.vocabulary import KINDS
from rules.core.codec import canonical_json
from rules.solaris.building import class_of
from rules.wording.isolation import name_of

BUILTIN_LABEL = "House statistics"
RALLY_CARD_POINTS = 10
"""The cost of every rally card in Stones (R-AST-01)."""

PART = 100
"""Definitions that are stored at once: SQLite has one writer at a time, and others write between two parts."""

NEEDED_KINDS = ("units", "pilots", "target_tokens", "arenas")
"""The kinds that a complete release has."""


def load_release(documents: Iterable[Document] | None = None, *, label: str = "") -> CatalogueRelease:
    """Validate documents (None: the catalogue that comes with the game) and store them as one release.

    New seasons take the release from now on if it is complete. Content that is stored already gives the stored release,
    which keeps its label. Nothing is stored when a document has a problem. Raises CatalogueError.
    """
    if documents is None:
        return store_release(load_builtin(), label=label or BUILTIN_LABEL)
    listed = list(documents)
    names = ", ".join(document.file for document in listed)
    return store_release(Catalogue.from_documents(listed), label=label or names)


def store_release(catalogue: Catalogue, *, label: str, is_offered: bool = True) -> CatalogueRelease:
    """Store a validated catalogue and return its release. Content that is stored already gives the stored release,
    which keeps its label.

    With `is_offered`, new seasons take the release from now on if it is complete, even when an earlier load or a
    collection with the same content has stored it already.

    Outside a transaction the definitions are stored in parts. When the process dies between two, nobody sees the
    release, and the next call completes it.
    """
    content_hash = catalogue.content_hash
    release, _ = CatalogueRelease.objects.get_or_create(
        content_hash=content_hash,
        defaults={
            "label": label[:120],
            "is_builtin": content_hash == builtin_hash(),
            "is_complete": all(catalogue.of_kind(kind) for kind in NEEDED_KINDS),
        },
    )
    # Neither of the two is content, so they may change: a plain QuerySet goes round the guard of immutable rows.
    row: QuerySet[CatalogueRelease] = QuerySet(CatalogueRelease).filter(pk=release.pk)
    if release.size is None:
        try:
            _store_entries(release, catalogue)
        except Exception:
            drop_release(release)
            raise
        row.update(size=len(canonical_json(catalogue.to_json())))
    if is_offered:
        row.update(offered_at=timezone.now())
    release.refresh_from_db()
    return release


def drop_release(release: CatalogueRelease) -> None:
    """Delete a release with its definitions.

    Nothing happens when a season or a version has it, nor when it is whole and comes with the game or was offered to
    seasons.
    """
    if release.size is not None and (release.is_builtin or release.offered_at is not None):
        return
    with suppress(ProtectedError), transaction.atomic():
        QuerySet(CatalogueEntry).filter(release=release).delete()
        QuerySet(CatalogueRelease).filter(pk=release.pk).delete()


def _store_entries(release: CatalogueRelease, catalogue: Catalogue) -> None:
    wanted = [(kind, key) for kind in KINDS for key in catalogue.of_kind(kind)]
    for first in range(0, len(wanted), PART):
        part = [_entry(release, catalogue, kind, key) for kind, key in wanted[first : first + PART]]
        CatalogueEntry.objects.bulk_create(part, ignore_conflicts=True)


def _entry(release: CatalogueRelease, catalogue: Catalogue, kind: str, key: str) -> CatalogueEntry:
    entry = entry_of(kind, catalogue.of_kind(kind)[key])
    entry.release = release
    entry.content_hash = catalogue.hash_of(kind, key)
    return entry


def entry_of(kind: str, definition: dict[str, Any]) -> CatalogueEntry:
    """Return a validated definition as an unsaved entry without a release and a hash. Pages show definitions that a
    match or a season holds by it.
    """
    points = RALLY_CARD_POINTS if kind == "rally_cards" else definition.get("points")
    unit_class = ""
    if kind == "units":
        unit_class = class_of(definition) or ""
    return CatalogueEntry(
        kind=kind,
        key=definition["id"],
        name=name_of(definition),
        definition=definition,
        unit_class=unit_class,
        points=points,
        **listed_facts(kind, definition),
    )
