"""Reading releases and their entries."""

from collections.abc import Collection
from typing import Any

from django.db.models import QuerySet

from catalogue.models import CatalogueEntry, CatalogueRelease


def latest_release() -> CatalogueRelease | None:
    """Return the complete release that was last offered to new seasons, which new seasons take; None when there is
    none. One query.
    """
    offered = CatalogueRelease.objects.filter(is_complete=True, offered_at__isnull=False)
    return offered.order_by("-offered_at", "-pk").first()


def release(content_hash: str) -> CatalogueRelease:
    """Return the stored release with this hash. Raises CatalogueRelease.DoesNotExist."""
    found: CatalogueRelease = CatalogueRelease.objects.get(content_hash=content_hash, size__isnull=False)
    return found


def entry(release: CatalogueRelease, kind: str, key: str) -> CatalogueEntry:
    """Return one definition of a release. Raises CatalogueEntry.DoesNotExist."""
    found: CatalogueEntry = CatalogueEntry.objects.get(release=release, kind=kind, key=key)
    return found


def entries(release: CatalogueRelease, kind: str, **filters: Any) -> QuerySet[CatalogueEntry]:
    """Return the definitions of one kind in order of id. `filters` are look-ups of CatalogueEntry such as unit_class or
    points__lte.
    """
    return CatalogueEntry.objects.filter(release=release, kind=kind, **filters).order_by("key")


def names_with_dial(keys: Collection[str]) -> list[str]:
    """Return the names of the latest release's units with these ids that have a dial, in order of id.

    Two queries, none without ids.
    """
    latest = latest_release() if keys else None
    if latest is None:
        return []
    return list(entries(latest, "units", key__in=keys, speed__isnull=False).values_list("name", flat=True))


def all_entries(release: CatalogueRelease) -> dict[str, list[CatalogueEntry]]:
    """Return the definitions of a release by kind, each kind in order of id and [] for none; one query."""
    found: dict[str, list[CatalogueEntry]] = {kind: [] for kind, _ in CatalogueEntry.KINDS}
    for item in CatalogueEntry.objects.filter(release=release).order_by("kind", "key"):
        found[item.kind].append(item)
    return found
