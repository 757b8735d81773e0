"""The document of a result (Result.document), computed without writing: from a match's result, or from a forfeit.

R-CYC-05, R-CYC-06, R-FOR-02, R-FOR-03, R-SUR-03, R-SUR-05, R-DTH-01; Q-125, Q-129, Q-135, Q-157, Q-162, Q-165..Q-168.

A match's result has the shape of rules.competition.units.scoring.MatchResult, whether the engine played it or people
reported it (rules.campaign.results.reports).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from django.db.models import Q

from rules.campaign.results.corrections import Line, dead_pilots, deeds_of
from rules.campaign.results.reputation import (
    Award,
    ForfeitSide,
    SideResult,
    awards_by_stable,
    forfeit_awards,
    match_awards,
    melee_awards,
)
from rules.core.table_units import clicks_of
from stables.models import Asset, Crew, Fixture, FixtureSide, Result, Stable
from stables.selectors.definitions import definition_of
from stables.selectors.fixtures import crews_by_unit

Document = dict[str, Any]


def individual_of(crew: Crew) -> Asset:
    """Return the asset whose record a crew's deeds change: the pilot, or a unit without one (Q-162)."""
    return crew.pilot if crew.pilot is not None else crew.unit


def _key(side: FixtureSide) -> str:
    return str(side.stable.number)


def _line(side: FixtureSide, asset: Asset) -> str:
    """Return a name for an individual that is unique on its side: two stables may each have a copy of one pilot."""
    return f"{_key(side)}/{asset.code}"


def played(
    fixture: Fixture, sides: list[FixtureSide], result: Mapping[str, Any], source: str, held: Result | None = None
) -> Document:
    """Return the document of a played match: one query if a side forfeits, no query otherwise.

    `source` is a value of Result.Source, "" in a preview; `held` is the result that a correction replaces. Fetch
    `sides` with their line-ups (`sides_with_line_ups`).
    """
    units: dict[str, Any] = {}
    individuals: dict[str, dict[str, list[str]]] = {}
    kills: dict[str, dict[str, int]] = {}
    for name, (side, crew) in crews_by_unit(sides).items():
        unit_result = result["units"][name]
        line = _line(side, individual_of(crew))
        individuals.setdefault(side.side, {}).setdefault(_key(side), []).append(line)
        kills.setdefault(side.side, {})[line] = int(unit_result["kills"])
        units[name] = _unit(fixture, side, crew, unit_result)
    side_results = {
        name: SideResult(
            [line for lines in by_stable.values() for line in lines],
            int(result["sides"][name]["reputation"]),
            bool(result["sides"][name].get("surrendered")),
            kills[name],
        )
        for name, by_stable in individuals.items()
    }
    rules = fixture.round.cycle.season.rules
    by_surrender = result["ended_by"] == "surrender"
    of_sides = match_awards(side_results, result["winner"], by_surrender, rules.loser_keeps_reputation)
    awards = {
        stable: award
        for name, by_stable in individuals.items()
        for stable, award in awards_by_stable(of_sides[name], by_stable).items()
    }
    absent = [side for side in sides if side.forfeits]
    if absent:
        awards = melee_awards(awards, _forfeit_sides(fixture, absent, held), rules.absence_pays)
    return {
        "ended_by": result["ended_by"],
        "winner": result["winner"],
        "rounds": result["rounds"],
        "tie_break": result["tie_break"],
        "sides": _sides(sides, awards, {name: side.reputation for name, side in side_results.items()}),
        "stables": _stables(sides, awards),
        "units": units,
        "places": list(result.get("places", ())),
        "source": source,
        **{key: result[key] for key in ("report",) if key in result},
    }


def _unit(fixture: Fixture, side: FixtureSide, crew: Crew, facts: Mapping[str, Any]) -> Document:
    clicks = clicks_of(definition_of(fixture.round.cycle.season, crew.unit))
    return {
        "side": side.side,
        "stable": side.stable.number,
        "asset": crew.unit.code,
        "pilot": None if crew.pilot is None else crew.pilot.code,
        "before": crew.damage,
        "clicks": clicks if facts["eliminated"] else int(facts["clicks"]),
        "eliminated": bool(facts["eliminated"]),
        "kills": int(facts["kills"]),
        "pilot_dead": bool(facts.get("pilot_dead")),
    }


def forfeited(
    fixture: Fixture, sides: list[FixtureSide], source: str = "forfeit", held: Result | None = None
) -> Document:
    """Return the document of a forfeited fixture (R-FOR, Q-156, Q-157); one query.

    `held` is the result that a correction replaces. Fetch `sides` with their line-ups (`sides_with_line_ups`).
    """
    forfeit_sides = _forfeit_sides(fixture, sides, held)
    awards = forfeit_awards(forfeit_sides, fixture.round.cycle.season.rules.absence_pays)
    winners = [side.side for side in sides if awards[_key(side)].won]
    return {
        "ended_by": "forfeit",
        "winner": winners[0] if winners else None,
        "rounds": 0,
        "tie_break": None,
        "sides": _sides(sides, awards, {}),
        "stables": _stables(sides, awards),
        "units": {},
        "places": [side.side for side in sides if not side.forfeits],
        "source": source,
    }


def _forfeit_sides(fixture: Fixture, sides: Iterable[FixtureSide], held: Result | None) -> dict[str, ForfeitSide]:
    """Return by a stable's number the individuals that it fielded and those that it has; one query.

    With `held` they are those that it had when that result was settled (R-FOR-03), and those who died in it.
    """
    owned: dict[int, list[Asset]] = {side.stable_id: [] for side in sides}
    for asset in _individuals(owned, {side.stable_id: side.stable.number for side in sides}, held):
        owned[asset.stable_id].append(asset)
    season = fixture.round.cycle.season
    found = {}
    for side in sides:
        assets = owned[side.stable_id]
        nominated = (
            []
            if side.forfeits or not hasattr(side, "line_up")
            else [individual_of(crew) for crew in side.line_up.crews.all()]
        )
        pilots = [asset for asset in assets if asset.kind == Asset.Kind.PILOT]
        pilotless = [
            asset
            for asset in assets
            if asset.kind == Asset.Kind.UNIT and not definition_of(season, asset).get("variant")
        ]
        found[_key(side)] = ForfeitSide(
            [_line(side, asset) for asset in nominated],
            [_line(side, asset) for asset in pilots],
            [_line(side, asset) for asset in pilotless],
            side.forfeits or None,
            side.side,
            any(asset.kind == Asset.Kind.UNIT for asset in assets),
        )
    return found


def _individuals(stable_ids: Iterable[int], numbers: Mapping[int, int], held: Result | None) -> list[Asset]:
    kinds = (Asset.Kind.PILOT, Asset.Kind.UNIT)
    listed = Asset.objects.filter(stable__in=list(stable_ids), kind__in=kinds).order_by("id")
    if held is None:
        return list(listed.filter(sold_at=None, died_at=None))
    at, dead = held.settled_at, dead_pilots(held.current)
    there = listed.filter(Q(sold_at=None) | Q(sold_at__gt=at), bought_at__lte=at)
    return [
        asset
        for asset in there
        if asset.died_at is None or asset.died_at > at or (numbers[asset.stable_id], asset.code) in dead
    ]


def _gains(award: Award) -> Document:
    return {
        line.partition("/")[2]: {"reputation": amount, "kills": award.kills.get(line, 0)}
        for line, amount in award.individuals.items()
    }


def _stables(sides: Iterable[FixtureSide], awards: Mapping[str, Award]) -> Document:
    """Return what each stable banks, by its number; the books are written from this."""
    return {
        _key(side): {
            "side": side.side,
            "banked": awards[_key(side)].stable,
            "kills": awards[_key(side)].stable_kills,
            "won": awards[_key(side)].won,
            "played": True,
            "cause": awards[_key(side)].cause,
            "forfeits": side.forfeits,
            "individuals": _gains(awards[_key(side)]),
        }
        for side in sides
    }


def _sides(sides: Iterable[FixtureSide], awards: Mapping[str, Award], reputation: Mapping[str, int]) -> Document:
    """Return the figures of each side for display: the sums of its stables, of which "stable" is the first.

    The reputation of a side in `reputation` is not a sum, but what the side earned in the match.
    """
    unit_result: Document = {}
    for side in sides:
        award = awards[_key(side)]
        if side.side not in unit_result:
            unit_result[side.side] = {
                "stable": side.stable.number,
                "reputation": reputation.get(side.side, 0),
                "kills": 0,
                "surrendered": False,
                "forfeits": side.forfeits,
                "banked": 0,
                "individuals": {},
            }
        entry = unit_result[side.side]
        if side.side not in reputation:
            entry["reputation"] += award.stable
        entry["kills"] += award.stable_kills
        entry["banked"] += award.stable
        entry["surrendered"] = entry["surrendered"] or award.cause == "surrender"
        is_shared = entry["stable"] != side.stable.number
        if is_shared:
            entry["forfeits"] = entry["forfeits"] and side.forfeits
        for code, gain in _gains(award).items():
            entry["individuals"][f"{_key(side)}/{code}" if is_shared else code] = gain
    return unit_result


def preview(document: Document, stables: Mapping[int, Stable], assets: Mapping[Line, Asset]) -> list[dict[str, Any]]:
    """Return the effects of settling a document for the first time, line by line, as stables.text.results reads them.

    Pass in the stables by number, and their units and pilots (`assets_of`). No query.
    """
    lines: list[dict[str, Any]] = []

    def tell(what: str, line: Line, **values: Any) -> None:
        names = {"stable_name": stables[line[0]].name, **({"name": assets[line].label} if line[1] else {})}
        lines.append({"what": what, "stable": line[0], "individual": line[1], **names, **values})

    for line, deeds in deeds_of(document).items():
        for what in ("reputation", "kills", "wins", "matches"):
            if getattr(deeds, what):
                tell(what, line, amount=getattr(deeds, what))
    for unit in document["units"].values():
        line = (int(unit["stable"]), str(unit["asset"]))
        before = {"clicks": unit["before"], "eliminated": False}
        after = {"clicks": unit["clicks"], "eliminated": unit["eliminated"]}
        if before != after:
            tell("damage", line, before=before, after=after)
        if unit["pilot_dead"]:
            tell("death", (line[0], str(unit["pilot"])))
    return lines
