"""The records of units and pilots in seasons: what each did itself, by the results that hold."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from django.db.models import F, JSONField, OuterRef, QuerySet, Subquery, Sum
from django.db.models.functions import Coalesce
from django.urls import reverse

from catalogue.host import Record
from rules.campaign.results.corrections import Document
from rules.campaign.standings.crew_records import NO_RECORD, CrewRecord, crew_records
from stables.models import Asset, Correction, Crew, ReputationEntry, Result, Season, Stable

KINDS = {"units": Asset.Kind.UNIT, "pilots": Asset.Kind.PILOT}
NEWEST = 20
"""The most seasons that a page shows."""


def _valid(results: QuerySet[Result], *fields: str) -> QuerySet[Any, tuple[Any, ...]]:
    """Return `fields` of results, and after them the document that holds: that of the newest correction, if any."""
    newest = Correction.objects.filter(result=OuterRef("pk")).order_by("-number").values("document")[:1]
    found = results.annotate(valid=Coalesce(Subquery(newest), F("document"), output_field=JSONField()))
    return found.order_by("id").values_list(*fields, "valid")


def documents_of(season: Season) -> list[Document]:
    """Return the valid documents of all results of a season; one query."""
    return [document for (document,) in _valid(Result.objects.filter(fixture__round__cycle__season=season))]


def records_of_stable(stable: Stable, documents: Iterable[Document] | None = None) -> dict[str, CrewRecord]:
    """Return the records of a stable's units and pilots by their code.

    One query, none with the valid `documents` of the stable's results.
    """
    if documents is None:
        documents = [document for (document,) in _valid(Result.objects.filter(fixture__sides__stable=stable))]
    records = crew_records(documents)
    return {code: record for (number, code), record in records.items() if number == stable.number}


def records_of(kind: str, key: str) -> list[Record]:
    """Return the record of all copies of a definition, one for each of the NEWEST public seasons that fielded it.

    The newest season comes first. `kind` is "units" or "pilots"; any other kind has no records. Matches, wins, kills
    and damage are those of the copies themselves in results that hold: forfeits and voided results count for none.
    Reputation is the book's: a unit with a pilot earns none itself (Q-162). Three queries at most.
    """
    if kind not in KINDS:
        return []
    role = "unit" if kind == "units" else "pilot"
    # Only settled fixtures: a waiting line-up is a secret.
    fielded = Crew.objects.filter(
        **{f"{role}__kind": KINDS[kind], f"{role}__catalogue_key": key},
        line_up__side__fixture__result__isnull=False,
        line_up__side__stable__season__visibility=Season.Visibility.PUBLIC,
    )
    seasons = fielded.order_by("-line_up__side__stable__season_id").values("line_up__side__stable__season_id")
    newest = [row["line_up__side__stable__season_id"] for row in seasons.distinct()[:NEWEST]]
    fixtures = fielded.filter(line_up__side__stable__season__in=newest).values("line_up__side__fixture")
    documents: dict[int, list[Document]] = {pk: [] for pk in newest}
    names: dict[int, tuple[str, str]] = {}
    played_in = "fixture__round__cycle__season"
    results = _valid(Result.objects.filter(fixture__in=fixtures), played_in, f"{played_in}__name", f"{played_in}__slug")
    for season, name, slug, document in results:
        documents[season].append(document)
        names[season] = name, slug
    earned = (
        ReputationEntry.objects.filter(asset__kind=KINDS[kind], asset__catalogue_key=key, stable__season__in=newest)
        .values(season=F("stable__season_id"))
        .annotate(reputation=Sum("amount"))
    )
    reputation = {row["season"]: row["reputation"] for row in earned}
    prefix = f"{KINDS[kind]}:{key}:"
    found = []
    for pk in newest:
        own = {line: one for line, one in crew_records(documents[pk]).items() if line[1].startswith(prefix)}
        if own:
            found.append(_record(*names[pk], own, reputation.get(pk, 0)))
    return found


def _record(name: str, slug: str, own: Mapping[Any, CrewRecord], reputation: int) -> Record:
    whole = NO_RECORD
    for one in own.values():
        whole = whole.plus(one)
    return Record(
        season=name,
        url=reverse("stables:season", args=[slug]),
        stables=len({number for number, _ in own}),
        matches=whole.matches,
        wins=whole.wins,
        kills=whole.kills,
        damage=whole.damage,
        reputation=reputation,
    )
