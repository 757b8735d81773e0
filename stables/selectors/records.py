"""The records of units and pilots in seasons, for the catalogue's pages."""

from django.db.models import Count, F, Q, Sum
from django.db.models.fields.json import KeyTextTransform
from django.urls import reverse

from catalogue.host import Record
from stables.models import Asset, Crew, ReputationEntry, Season

KINDS = {"units": Asset.Kind.UNIT, "pilots": Asset.Kind.PILOT}
NEWEST = 20
"""The most seasons that a page shows."""


def records_of(kind: str, key: str) -> list[Record]:
    """Return the record of all copies of a definition, one for each of the NEWEST public seasons that fielded it.

    The newest season comes first. `kind` is "units" or "pilots"; any other kind has no records. A unit with a pilot
    earns nothing itself (Q-162), so matches and wins are counted from the line-ups that fielded it. Corrected results
    change kills and reputation, but not these wins. Two queries.
    """
    if kind not in KINDS:
        return []
    role = "unit" if kind == "units" else "pilot"
    # Only settled fixtures: a waiting line-up is a secret.
    side = "line_up__side__fixture__result"
    fielded = (
        Crew.objects.filter(**{f"{role}__kind": KINDS[kind], f"{role}__catalogue_key": key, f"{side}__isnull": False})
        .filter(line_up__side__stable__season__visibility=Season.Visibility.PUBLIC)
        .annotate(winner=KeyTextTransform("winner", f"{side}__document"))
        .values(season=F("line_up__side__stable__season_id"))
        .annotate(
            name=F("line_up__side__stable__season__name"),
            slug=F("line_up__side__stable__season__slug"),
            stables=Count("line_up__side__stable", distinct=True),
            matches=Count("pk"),
            wins=Count("pk", filter=Q(winner=F("line_up__side__side"))),
        )
        .order_by("-season")[:NEWEST]
    )
    earned = (
        ReputationEntry.objects.filter(asset__kind=KINDS[kind], asset__catalogue_key=key)
        .values(season=F("stable__season_id"))
        .annotate(kills=Sum("kills"), reputation=Sum("amount"))
    )
    by_season = {row["season"]: row for row in earned}
    nothing = {"kills": 0, "reputation": 0}
    return [
        Record(
            season=row["name"],
            url=reverse("stables:season", args=[row["slug"]]),
            stables=row["stables"],
            matches=row["matches"],
            wins=row["wins"],
            kills=by_season.get(row["season"], nothing)["kills"],
            reputation=by_season.get(row["season"], nothing)["reputation"],
        )
        for row in fielded
    ]
