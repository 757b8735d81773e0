"""Places that are kept for people who wait, and people whose stable was taken from them."""

from __future__ import annotations

from typing import Any

from django.db.models import Count, IntegerField, OuterRef, Subquery
from django.db.models.functions import Coalesce

from rules.core.refusals import SeasonRefused
from stables.models import Passing, Stable, WaitingPlace


def waiting_count() -> Any:
    """Return the number of people who wait for a place in a stable's season, to annotate stables with."""
    rows = WaitingPlace.objects.filter(season=OuterRef("season")).order_by().values("season")
    return Coalesce(Subquery(rows.annotate(count=Count("pk")).values("count")[:1], output_field=IntegerField()), 0)


def refuse_former_owner(user: Any, season_slug: str, stable_slug: str = "") -> None:
    """Refuse a person who owned a stable until an organiser passed it on or removed it. Three queries at most.

    Without `stable_slug` any stable of the season counts, and the newest is named, unless the person owns another one
    there now. Nothing happens for a person who is not logged in, or who owns the stable again.

    Raises SeasonRefused (stable_passed_on, stable_removed).
    """
    if not user.is_authenticated:
        return
    of_stable = {"slug": stable_slug} if stable_slug else {}
    if Stable.objects.filter(owner=user.pk, season__slug=season_slug, **of_stable).exists():
        return
    passed = Passing.objects.filter(
        old_owner=user.pk,
        stable__season__slug=season_slug,
        **{f"stable__{name}": value for name, value in of_stable.items()},
    )
    name = passed.order_by("-passed_at").values_list("stable__name", flat=True).first()
    if name is not None:
        raise SeasonRefused("stable_passed_on", name=name)
    removed = Stable.every.filter(owner=user.pk, season__slug=season_slug, **of_stable).exclude(removed_at=None)
    name = removed.order_by("-removed_at").values_list("name", flat=True).first()
    if name is not None:
        raise SeasonRefused("stable_removed", name=name)
