"""A season as one document without database ids and times, which the season command prints."""

from __future__ import annotations

from typing import Any

from django.db.models import Min, Q, Sum

from rules.campaign.standings.places import Record, standings_order
from stables.models import Cycle, Fixture, FixtureSide, LedgerEntry, Placing, ReputationEntry, Season


def season_report(season: Season) -> dict[str, Any]:
    """Return {"season", "weight_class", "cycles", "standings", "champions", "titles", "ledger"} of a season.

    "cycles" holds matches, byes, places and purses. Purses and sums of the ledger are in Stones. Matches without a
    result are left out, and a side that stables share has the names of all of them. The same draws give the same
    document, whichever worker did the work. The champion of a shared or undecided title is None; "titles" names all
    holders. A constant number of queries.
    """
    entries = ReputationEntry.objects.filter(stable__season=season).order_by()
    return {
        "season": season.name,
        "weight_class": season.rules.season_class,
        "cycles": _cycles(season),
        "standings": _standings(season, entries),
        **_champions(season),
        "ledger": _ledger(season),
    }


def _cycles(season: Season) -> list[dict[str, Any]]:
    sides: dict[int, list[FixtureSide]] = {}
    listed = FixtureSide.objects.filter(fixture__round__cycle__season=season).select_related("stable")
    for side in listed.order_by("id"):
        sides.setdefault(side.fixture_id, []).append(side)
    matches: dict[int, list[dict[str, Any]]] = {}
    byes: dict[int, list[dict[str, Any]]] = {}
    fixtures = (
        Fixture.objects.filter(round__cycle__season=season)
        .select_related("round", "result")
        .prefetch_related("result__corrections")
    )
    for fixture in fixtures.order_by("round__number", "number"):
        own = sides.get(fixture.pk, [])
        if fixture.kind == Fixture.Kind.BYE:
            byes.setdefault(fixture.round.cycle_id, []).append(
                {"round": fixture.round.number, "stable": own[0].stable.name}
            )
        elif hasattr(fixture, "result"):
            matches.setdefault(fixture.round.cycle_id, []).append(_match(fixture, own))
    placings: dict[int, list[Placing]] = {}
    for placing in Placing.current().filter(cycle__season=season).select_related("stable").order_by("place"):
        placings.setdefault(placing.cycle_id, []).append(placing)
    return [
        {
            "number": cycle.number,
            "format": cycle.format,
            "class": cycle.match_class,
            "matches": matches.get(cycle.pk, []),
            "byes": byes.get(cycle.pk, []),
            "placings": [placing.stable.name for placing in placings.get(cycle.pk, [])],
            "purses": {placing.stable.name: placing.purse for placing in placings.get(cycle.pk, [])},
        }
        for cycle in Cycle.objects.filter(season=season).order_by("number")
    ]


def _match(fixture: Fixture, sides: list[FixtureSide]) -> dict[str, Any]:
    document = fixture.result.current
    partners: dict[str, list[str]] = {}
    for side in sides:
        partners.setdefault(side.side, []).append(side.stable.name)
    names = {side: " + ".join(stables) for side, stables in partners.items()}
    facts = {name: document["sides"][side] for side, name in names.items()}
    return {
        "round": fixture.round.number,
        "arena": fixture.arena_key,
        "sides": list(names.values()),
        "winner": names.get(document["winner"]),
        "ended_by": document["ended_by"],
        "tie_break": document["tie_break"],
        "reputation": {name: side["reputation"] for name, side in facts.items()},
        "banked": {name: side["banked"] for name, side in facts.items()},
        "kills": {name: side["kills"] for name, side in facts.items()},
        "rounds": document["rounds"],
    }


def _standings(season: Season, entries: Any) -> list[dict[str, Any]]:
    rows: dict[str, dict[str, Any]] = {
        name: {"stable": name, "reputation": 0, "kills": 0, "wins": 0, "matches": 0}
        for name in season.stables.order_by("number").values_list("name", flat=True)
    }
    sums = entries.filter(asset=None).values("stable__name")
    for row in sums.annotate(earned=Sum("amount"), killed=Sum("kills"), won=Sum("wins"), played=Sum("matches")):
        rows[row["stable__name"]].update(
            reputation=row["earned"], kills=row["killed"], wins=row["won"], matches=row["played"]
        )
    order = standings_order(Record(row["stable"], row["reputation"], row["kills"]) for row in rows.values())
    return [rows[record.name] for record in order]


def _champions(season: Season) -> dict[str, Any]:
    """Return each title's holder, None while it is open or if several share it, and all holders as "titles"."""
    titles = list(season.titles.select_related("stable", "asset").order_by("id"))
    held = [
        {
            "title": title.kind,
            "holder": title.stable.name if title.asset is None else f"{title.asset.label} ({title.stable.name})",
            "reputation": title.reputation,
            "kills": title.kills,
            "decided_by": title.decided_by,
        }
        for title in titles
    ]

    def only(kind: str) -> str | None:
        names = [str(row["holder"]) for row in held if row["title"] == kind]
        return names[0] if len(names) == 1 else None

    return {"champions": {"stable": only("stable"), "pilot": only("pilot")}, "titles": held}


def _ledger(season: Season) -> dict[str, dict[str, int]]:
    sums = (
        LedgerEntry.objects.filter(stable__season=season, stable__removed_at=None)
        .order_by("stable__number")
        .values("stable__number", "stable__name", "stable__capital")
        .annotate(
            opening=Min("amount", filter=Q(sequence=1)),
            credits=Sum("amount", filter=Q(amount__gt=0, sequence__gt=1)),
            debits=Sum("amount", filter=Q(amount__lt=0)),
        )
    )
    return {
        row["stable__name"]: {
            "opening": row["opening"],
            "credits": row["credits"] or 0,
            "debits": -(row["debits"] or 0),
            "closing": row["stable__capital"],
        }
        for row in sums
    }
