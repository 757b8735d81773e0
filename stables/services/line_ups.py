"""Handing in line-ups, sealed until the match, and forfeits of sides that have none.

R-CYC-12, R-FOR-01..04, Q-153..Q-157.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.db import transaction

from rules.bots.owner import choose_line_up
from rules.campaign.line_ups import Crew as OwnedCrew
from rules.campaign.line_ups import check_crew, check_tokens, must_play, token_triples
from rules.core.house_rules import HouseRules
from rules.core.refusals import Malformed, SeasonRefused
from stables.catalogues import catalogue_of
from stables.models import Asset, Crew, Fixture, FixtureSide, LineUp, Stable
from stables.services.assets import Holding, holding_of
from stables.services.fixtures import lock_fixture
from stables.services.ledger import lock_stable
from stables.services.seasons import ask_for
from stables.streams import season_dice


@dataclass(frozen=True)
class CrewChoice:
    """A unit and its pilot by asset id; a unit from before Age of Destruction has none."""

    unit_id: int
    pilot_id: int | None


@dataclass(frozen=True)
class SealedSide:
    """A side that is ready or forfeits, and whether the fixture is complete with it."""

    side_id: int
    forfeits: str
    fixture_is_sealed: bool


@transaction.atomic
def submit(*, stable_id: int, fixture_id: int, crews: Sequence[CrewChoice], tokens: Sequence[str]) -> SealedSide:
    """Hand in a stable's line-up for a fixture and seal it.

    A Standard match takes one crew, and three different tokens: each lies on the table once. Raises SeasonRefused
    (line_up_sealed, line_up_too_early, a code of check_crew, tokens_not_allowed or token_twice) or Malformed
    (unknown_asset, unknown_catalogue_entry).
    """
    fixture = lock_fixture(fixture_id)
    stable = lock_stable(stable_id)
    side = _open_side(fixture, stable)
    holding = _holding(fixture, stable)
    if len(crews) != 1:
        raise Malformed("unknown_asset")
    season = fixture.round.cycle.season
    house_rules = HouseRules.from_json(season.rules.house_rules)
    for choice in crews:
        unit = holding.units.get(choice.unit_id)
        pilot = None if choice.pilot_id is None else holding.pilots.get(choice.pilot_id)
        if unit is None or (choice.pilot_id is not None and pilot is None):
            raise Malformed("unknown_asset")
        for problem in check_crew(unit, pilot, fixture.round.cycle.match_class, house_rules.build_total):
            raise SeasonRefused(problem.code, **problem.parameters)
    known = catalogue_of(season).target_tokens
    for key in tokens:
        if key not in known:
            raise Malformed("unknown_catalogue_entry", kind="target_token", key=str(key))
    if house_rules.target_tokens:
        for problem in check_tokens([known[key] for key in tokens], house_rules.token_pool_rp):
            raise SeasonRefused(problem.code, **problem.parameters)
        for key in tokens:
            if list(tokens).count(key) > 1:
                raise SeasonRefused("token_twice", token=known[key]["name"])
    _seal(side, holding, crews, tokens if house_rules.target_tokens else ())
    return SealedSide(side.pk, "", _seal_fixture(fixture))


def different_tokens(tokens: Iterable[Mapping[str, Any]], pool: int) -> list[tuple[str, str, str]]:
    """Return every choice of three different tokens that is worth exactly `pool` RP, in order of their ids."""
    return [triple for triple in token_triples(tokens, pool) if len(set(triple)) == len(triple)]


def _open_side(fixture: Fixture, stable: Stable) -> FixtureSide:
    side = FixtureSide.objects.filter(fixture=fixture, stable=stable).select_related("line_up").first()
    if side is None:
        raise Malformed("unknown_asset")
    if hasattr(side, "line_up") or side.forfeits:
        raise SeasonRefused("line_up_sealed")
    if fixture.state != Fixture.State.LINE_UPS:
        raise SeasonRefused("line_up_too_early", state=fixture.get_state_display())
    return side


def _holding(fixture: Fixture, stable: Stable) -> Holding:
    cycle = fixture.round.cycle
    assets = Asset.objects.filter(stable=stable, sold_at=None).order_by("id")
    return holding_of(cycle.season, assets, cycle=cycle.number, round_number=fixture.round.number)


def _seal(side: FixtureSide, holding: Holding, crews: Sequence[CrewChoice], tokens: Sequence[str]) -> None:
    line_up = LineUp.objects.create(side=side, tokens=list(tokens))
    Crew.objects.bulk_create(
        Crew(
            line_up=line_up,
            position=position,
            unit_id=choice.unit_id,
            pilot_id=choice.pilot_id,
            damage=holding.units[choice.unit_id].clicks,
        )
        for position, choice in enumerate(crews, 1)
    )


def _seal_fixture(fixture: Fixture) -> bool:
    """Ask for the match, or for the settlement of a forfeit, once every side is ready or forfeits."""
    sides = list(FixtureSide.objects.filter(fixture=fixture).select_related("line_up"))
    if any(not side.forfeits and not hasattr(side, "line_up") for side in sides):
        return False
    fixture.state = Fixture.State.SEALED
    fixture.save(update_fields=["state"])
    name = "stables.settle_fixture" if any(side.forfeits for side in sides) else "stables.play_fixture"
    ask_for(fixture.round.cycle.season, name, f"fixture:{fixture.pk}:{name.rpartition('.')[2]}", fixture=fixture.pk)
    return True


@transaction.atomic
def submit_nearest_legal(*, stable_id: int, fixture_id: int, forfeits: str = "") -> SealedSide:
    """Hand in the nearest legal line-up, or a forfeit.

    The crew of the stable's last line-up is kept when it may be fielded again and its unit is undamaged, else the best
    crew takes its place (rules.bots.owner). A stable with nothing to field forfeits as unable (R-FOR-01). With
    `forfeits` "absent" the side forfeits for want of a line-up, as unable if it could not have fielded one by duty.
    Raises SeasonRefused (line_up_sealed, line_up_too_early) or Malformed.
    """
    fixture = lock_fixture(fixture_id)
    stable = lock_stable(stable_id)
    side = _open_side(fixture, stable)
    holding = _holding(fixture, stable)
    cycle = fixture.round.cycle
    house_rules = HouseRules.from_json(cycle.season.rules.house_rules)
    units, pilots = holding.units.values(), holding.pilots.values()
    choice = None
    if forfeits:
        forfeits = forfeits if must_play(units, pilots, cycle.match_class, house_rules.build_total) else "unable"
    else:
        tokens = catalogue_of(cycle.season).target_tokens.values()
        triples = different_tokens(tokens, house_rules.token_pool_rp) if house_rules.target_tokens else []
        dice = season_dice(cycle.season, "line-up", cycle.number, fixture.round.number, stable.number)
        choice = choose_line_up(units, pilots, cycle.match_class, triples, dice, house_rules.build_total)
        forfeits = "" if choice is not None else "unable"
    if choice is None:
        side.forfeits = forfeits
        side.save(update_fields=["forfeits"])
    else:
        crew = _kept_crew(stable, holding, cycle.match_class, house_rules) or _by_codes(choice.crew, holding)
        _seal(side, holding, [crew], choice.tokens)
    return SealedSide(side.pk, side.forfeits, _seal_fixture(fixture))


def _kept_crew(stable: Stable, holding: Holding, match_class: str, house_rules: HouseRules) -> CrewChoice | None:
    last = Crew.objects.filter(line_up__side__stable=stable).order_by("-line_up_id", "position").first()
    if last is None or last.unit_id not in holding.units:
        return None
    unit = holding.units[last.unit_id]
    pilot = None if last.pilot_id is None else holding.pilots.get(last.pilot_id)
    if unit.clicks or (last.pilot_id is not None and pilot is None):
        return None
    if check_crew(unit, pilot, match_class, house_rules.build_total):
        return None
    return CrewChoice(last.unit_id, last.pilot_id)


def _by_codes(crew: OwnedCrew, holding: Holding) -> CrewChoice:
    units = {unit.key: pk for pk, unit in holding.units.items()}
    pilots = {pilot.key: pk for pk, pilot in holding.pilots.items()}
    return CrewChoice(units[crew.unit], None if crew.pilot is None else pilots[crew.pilot])
