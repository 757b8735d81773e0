"""One settlement for every result, exactly once: reputation, kills, damage carried over, eliminations.

R-CYC-05, R-CYC-06, R-CRP-07, R-CRP-08, R-FOR-02, R-FOR-03, R-SUR-03, R-SUR-05;
Q-125, Q-135, Q-151, Q-157, Q-162, Q-166.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from django.db import transaction

from rules.campaign.reputation import Award, ForfeitSide, SideResult, forfeit_awards, match_awards, melee_awards
from rules.core.refusals import SeasonRefused
from stables.catalogues import definition_of
from stables.models import Asset, Crew, Fixture, FixtureSide, ReputationEntry, Result, Round
from stables.services.fixtures import SMALLEST_MATCH, lock_fixture, match_unit, sides_with_line_ups
from stables.services.seasons import ask_for


@dataclass(frozen=True)
class Settlement:
    """A settled fixture: its result document, whether this call settled it, and whether its round is settled now."""

    fixture_id: int
    document: dict[str, Any]
    is_new: bool
    round_is_settled: bool


@transaction.atomic
def settle_fixture(*, fixture_id: int) -> Settlement:
    """Apply a fixture's result to its stables; a second call changes nothing and returns the same document.

    The result is that of the finished match, or the forfeit of sides without a line-up. Raises SeasonRefused
    (line_up_too_early) while the fixture has neither.
    """
    round_id = Fixture.objects.values_list("round_id", flat=True).get(pk=fixture_id)
    # The round's lock makes the last of two settlements at once see the other: exactly one finds the round settled.
    played_in = Round.objects.select_for_update().get(pk=round_id)
    fixture = lock_fixture(fixture_id)
    known = Result.objects.filter(fixture=fixture).first()
    if known is not None:
        return Settlement(fixture_id, known.document, False, played_in.state == Round.State.SETTLED)
    sides = sides_with_line_ups(fixture)
    if fixture.match is not None and fixture.match.result is not None:
        document, awards = _played(fixture, sides, fixture.match.result)
    elif sum(not side.forfeits for side in sides) < SMALLEST_MATCH:
        document, awards = _forfeit(fixture, sides)
    else:
        raise SeasonRefused("line_up_too_early", state=fixture.get_state_display())
    _bank(fixture, sides, awards)
    Result.objects.create(fixture=fixture, document=document)
    fixture.state = Fixture.State.SETTLED
    fixture.save(update_fields=["state"])
    return Settlement(fixture_id, document, True, _settle_round(played_in))


def _settle_round(played_in: Round) -> bool:
    if played_in.fixtures.exclude(state=Fixture.State.SETTLED).exists():
        return False
    played_in.state = Round.State.SETTLED
    played_in.save(update_fields=["state"])
    season = played_in.cycle.season
    ask_for(season, "stables.advance_round", f"round:{played_in.pk}:advance", round=played_in.pk)
    return True


def _individual(crew: Crew) -> Asset:
    """Return whose record a crew's deeds change: the pilot, or the unit that has none (Q-162)."""
    return crew.pilot if crew.pilot is not None else crew.unit


def _played(
    fixture: Fixture, sides: list[FixtureSide], result: Mapping[str, Any]
) -> tuple[dict[str, Any], dict[str, tuple[Award, dict[str, Asset]]]]:
    """Return the document and the awards of a match that was played, and write the damage onto the units."""
    units: dict[str, Any] = {}
    side_results: dict[str, SideResult] = {}
    individuals: dict[str, dict[str, Asset]] = {}
    changed = []
    ready = [side for side in sides if not side.forfeits]
    for side in ready:
        outcome = result["sides"][side.side]
        kills = {}
        individuals[side.side] = {}
        for crew in side.line_up.crews.all():
            name = match_unit(side.side, crew.position)
            unit = result["units"][name]
            individual = _individual(crew)
            individuals[side.side][individual.code] = individual
            kills[individual.code] = int(unit["kills"])
            dial = definition_of(fixture.round.cycle.season, crew.unit)["dial"]
            crew.unit.is_eliminated = bool(unit["eliminated"])
            crew.unit.damage = len(dial) if unit["eliminated"] else int(unit["clicks"])
            changed.append(crew.unit)
            units[name] = {
                "side": side.side,
                "asset": crew.unit.code,
                "pilot": None if crew.pilot is None else crew.pilot.code,
                "clicks": crew.unit.damage,
                "eliminated": crew.unit.is_eliminated,
            }
        side_results[side.side] = SideResult(
            list(individuals[side.side]), int(outcome["reputation"]), bool(outcome.get("surrendered")), kills
        )
    Asset.objects.bulk_update(changed, ["damage", "is_eliminated"])
    by_surrender = result["ended_by"] == "surrender"
    keeps = fixture.round.cycle.season.rules.loser_keeps_reputation
    awards = match_awards(side_results, result["winner"], by_surrender, keeps)
    if len(ready) < len(sides):
        absent, owned = _forfeit_sides(fixture, [side for side in sides if side.forfeits])
        awards = melee_awards(awards, absent, fixture.round.cycle.season.rules.absence_pays)
        individuals |= owned
    document = {
        "ended_by": result["ended_by"],
        "winner": result["winner"],
        "rounds": result["rounds"],
        "tie_break": result["tie_break"],
        "sides": {
            side.side: _side_document(
                side,
                side_results[side.side].reputation if side.side in side_results else awards[side.side].stable,
                awards[side.side],
            )
            for side in sides
        },
        "units": units,
        "places": list(result.get("places", ())),
    }
    return document, {name: (award, individuals[name]) for name, award in awards.items()}


def _forfeit(
    fixture: Fixture, sides: list[FixtureSide]
) -> tuple[dict[str, Any], dict[str, tuple[Award, dict[str, Asset]]]]:
    """Return the document and the awards of a fixture that is not played (R-FOR, Q-156, Q-157)."""
    forfeit_sides, individuals = _forfeit_sides(fixture, sides)
    awards = forfeit_awards(forfeit_sides, fixture.round.cycle.season.rules.absence_pays)
    document = {
        "ended_by": "forfeit",
        "winner": next((name for name, award in awards.items() if award.won), None),
        "rounds": 0,
        "tie_break": None,
        "sides": {side.side: _side_document(side, awards[side.side].stable, awards[side.side]) for side in sides},
        "units": {},
        "places": [side.side for side in sides if not side.forfeits],
    }
    return document, {name: (award, individuals[name]) for name, award in awards.items()}


def _forfeit_sides(
    fixture: Fixture, sides: list[FixtureSide]
) -> tuple[dict[str, ForfeitSide], dict[str, dict[str, Asset]]]:
    """Return what each side had nominated and owns, as the rules ask, and its individuals by code; one query."""
    owned: dict[int, list[Asset]] = {side.stable_id: [] for side in sides}
    for asset in Asset.objects.filter(stable__in=list(owned), sold_at=None).order_by("id"):
        owned[asset.stable_id].append(asset)
    season = fixture.round.cycle.season
    individuals: dict[str, dict[str, Asset]] = {}
    forfeit_sides = {}
    for side in sides:
        assets = owned[side.stable_id]
        nominated = [] if side.forfeits else [_individual(crew) for crew in side.line_up.crews.all()]
        pilots = [asset for asset in assets if asset.kind == Asset.Kind.PILOT]
        pilotless = [
            asset
            for asset in assets
            if asset.kind == Asset.Kind.UNIT and not definition_of(season, asset).get("variant")
        ]
        individuals[side.side] = {asset.code: asset for asset in [*nominated, *pilots, *pilotless]}
        forfeit_sides[side.side] = ForfeitSide(
            [asset.code for asset in nominated],
            [asset.code for asset in pilots],
            [asset.code for asset in pilotless],
            side.forfeits or None,
        )
    return forfeit_sides, individuals


def _side_document(side: FixtureSide, reputation: int, award: Award) -> dict[str, Any]:
    return {
        "stable": side.stable.number,
        "reputation": reputation,
        "kills": award.stable_kills,
        "surrendered": award.cause == "surrender",
        "forfeits": side.forfeits,
        "banked": award.stable,
        "individuals": {
            code: {"reputation": amount, "kills": award.kills.get(code, 0)}
            for code, amount in award.individuals.items()
        },
    }


def _bank(fixture: Fixture, sides: list[FixtureSide], awards: Mapping[str, tuple[Award, dict[str, Asset]]]) -> None:
    """Write the reputation book: one entry a stable, one for each individual that earned or killed."""
    entries = []
    for side in sides:
        award, individuals = awards[side.side]
        common = {"stable": side.stable, "cycle": fixture.round.cycle, "fixture": fixture, "cause": award.cause}
        entries.append(
            ReputationEntry(
                **common,
                amount=award.stable,
                kills=award.stable_kills,
                wins=int(award.won),
                matches=1,
                idempotency_key=f"fixture:{fixture.pk}:stable:{side.stable_id}",
            )
        )
        for code, asset in individuals.items():
            amount, kills = award.individuals.get(code, 0), award.kills.get(code, 0)
            if amount or kills:
                entries.append(
                    ReputationEntry(
                        **common,
                        asset=asset,
                        amount=amount,
                        kills=kills,
                        idempotency_key=f"fixture:{fixture.pk}:asset:{asset.pk}",
                    )
                )
    ReputationEntry.objects.bulk_create(entries)
