"""Handing in line-ups, sealed until the match, and forfeits of sides that have none.

R-CYC-12, R-FOR-01..04, Q-153..Q-157.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.db import transaction

from rules.bots.owner import choose_line_up
from rules.campaign.classes import units_a_side
from rules.campaign.line_ups import Crew as OwnedCrew
from rules.campaign.line_ups import check_crew, check_size, check_tokens, must_play, token_triples
from rules.campaign.line_ups import crews as owned_crews
from rules.core.house_rules import HouseRules
from rules.core.refusals import Malformed, SeasonRefused
from stables.catalogues import catalogue_of
from stables.models import Asset, Crew, Cycle, Fixture, FixtureSide, LineUp, Stable
from stables.services.assets import Holding, holding_of
from stables.services.fixtures import SMALLEST_MATCH, lock_fixture
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

    A match takes one crew or two, by its format, and three different tokens: each lies on the table once. Raises
    SeasonRefused (line_up_sealed, line_up_too_early, line_up_size, unit_twice, a code of check_crew, tokens_not_allowed
    or token_twice) or Malformed (unknown_asset, unknown_catalogue_entry).
    """
    fixture = lock_fixture(fixture_id)
    stable = lock_stable(stable_id)
    side = _open_side(fixture, stable)
    holding = _holding(fixture, stable)
    season = fixture.round.cycle.season
    house_rules = HouseRules.from_json(season.rules.house_rules)
    _require_crews(fixture.round.cycle, holding, crews, house_rules)
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
    return SealedSide(side.pk, "", seal_when_ready(fixture))


def _require_crews(cycle: Cycle, holding: Holding, crews: Sequence[CrewChoice], house_rules: HouseRules) -> None:
    """Raise what forbids these crews in a match of the cycle."""
    for choice in crews:
        unit = holding.units.get(choice.unit_id)
        pilot = None if choice.pilot_id is None else holding.pilots.get(choice.pilot_id)
        if unit is None or (choice.pilot_id is not None and pilot is None):
            raise Malformed("unknown_asset")
        for problem in check_crew(unit, pilot, cycle.match_class, house_rules.build_total):
            raise SeasonRefused(problem.code, **problem.parameters)
    for ids in ([choice.unit_id for choice in crews], [choice.pilot_id for choice in crews if choice.pilot_id]):
        for twice in (one for one in ids if ids.count(one) > 1):
            raise SeasonRefused("unit_twice", name=_label(holding, twice))
    choices = owned_crews(holding.units.values(), holding.pilots.values(), cycle.match_class, house_rules.build_total)
    for problem in check_size(len(crews), choices, units_a_side(cycle.format)):
        raise SeasonRefused(problem.code, **problem.parameters)


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


def seal_when_ready(fixture: Fixture) -> bool:
    """Ask for the match, or for the settlement of a forfeit, once every side is ready or forfeits."""
    sides = list(FixtureSide.objects.filter(fixture=fixture).select_related("line_up"))
    if any(not side.forfeits and not hasattr(side, "line_up") for side in sides):
        return False
    fixture.state = Fixture.State.SEALED
    fixture.save(update_fields=["state"])
    ready = sum(not side.forfeits for side in sides)
    # A duel with a forfeit is not played; a grand melee goes on without the forfeiter.
    name = "stables.play_fixture" if ready >= SMALLEST_MATCH else "stables.settle_fixture"
    ask_for(fixture.round.cycle.season, name, f"fixture:{fixture.pk}:{name.rpartition('.')[2]}", fixture=fixture.pk)
    return True


@transaction.atomic
def submit_nearest_legal(*, stable_id: int, fixture_id: int, forfeits: str = "") -> SealedSide:
    """Hand in the nearest legal line-up, or a forfeit.

    The crews of the stable's last line-up are kept when there are as many as can be fielded now, all of them may be
    fielded again and their units are undamaged; else the best take their place (rules.bots.owner). A stable
    with nothing to field forfeits as unable (R-FOR-01). With `forfeits` "absent" the side forfeits for want of a
    line-up, as unable if it could not have fielded one by duty.
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
        size = units_a_side(cycle.format)
        choice = choose_line_up(units, pilots, cycle.match_class, triples, dice, house_rules.build_total, size)
        forfeits = "" if choice is not None else "unable"
    if choice is None:
        side.forfeits = forfeits
        side.save(update_fields=["forfeits"])
    else:
        chosen = [_by_codes(crew, holding) for crew in choice.crews]
        kept = _kept_crews(stable, holding, cycle.match_class, house_rules)
        _seal(side, holding, kept if len(kept) == len(chosen) else chosen, choice.tokens)
    return SealedSide(side.pk, side.forfeits, seal_when_ready(fixture))


def _kept_crews(stable: Stable, holding: Holding, match_class: str, house_rules: HouseRules) -> list[CrewChoice]:
    """The crews of the last line-up; none unless every one of them is undamaged and may be fielded again."""
    newest = Crew.objects.filter(line_up__side__stable=stable).order_by("-line_up_id").values("line_up_id")[:1]
    kept = []
    for last in Crew.objects.filter(line_up_id__in=newest).order_by("position"):
        unit = holding.units.get(last.unit_id)
        pilot = None if last.pilot_id is None else holding.pilots.get(last.pilot_id)
        if unit is None or unit.clicks or (last.pilot_id is not None and pilot is None):
            return []
        if check_crew(unit, pilot, match_class, house_rules.build_total):
            return []
        kept.append(CrewChoice(last.unit_id, last.pilot_id))
    return kept


def _label(holding: Holding, asset_id: int) -> str:
    owned = holding.units.get(asset_id) or holding.pilots.get(asset_id)
    return str(owned.definition["name"]) if owned is not None else str(asset_id)


def _by_codes(crew: OwnedCrew, holding: Holding) -> CrewChoice:
    units = {unit.key: pk for pk, unit in holding.units.items()}
    pilots = {pilot.key: pk for pk, pilot in holding.pilots.items()}
    return CrewChoice(units[crew.unit], None if crew.pilot is None else pilots[crew.pilot])
