"""Shelves filled from a collector's checklist."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from django.db import transaction
from django.db.models import OuterRef, Subquery

from catalogue.models import CatalogueEntry, CollectionVersion
from catalogue.selectors.releases import latest_release
from catalogue.services.collections import ImportRefused, listed_to, owned_miniatures, set_owned_miniatures
from rules.catalogue.checklists import Figure, Matched, match
from web.bounds import LARGEST_SHELF


def shelve(*, user: Any, figures: Sequence[Figure]) -> Matched:
    """Put the units of a checklist on a person's shelf, and return them with the figures that are not here.

    Units of the latest release and of the newest versions of the collections that lists show this person are looked
    through; three queries, and those of writing. Raises ImportRefused (shelf_full); then nothing has changed.
    """
    newest = CollectionVersion.objects.filter(collection=OuterRef("pk")).order_by("-number").values("release")[:1]
    places = set(listed_to(user).annotate(newest=Subquery(newest)).values_list("newest", flat=True))
    latest = latest_release()
    places |= {latest.pk} if latest is not None else set()
    units = CatalogueEntry.objects.filter(release__in=places - {None}, kind="units")
    matched = match(figures, units.values_list("key", "definition__set", "definition__number", "definition__name"))
    with transaction.atomic():
        there = owned_miniatures(user)
        added = [key for key in matched.keys if key not in there]
        if len(there) + len(added) > LARGEST_SHELF:
            raise ImportRefused("shelf_full", most=LARGEST_SHELF)
        set_owned_miniatures(user=user, keys=added, is_there=True)
    return matched
