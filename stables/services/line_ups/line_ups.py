"""Handing in line-ups, sealed until the match, and forfeits of sides that can field nothing.

R-CYC-12, R-FOR-01..04, Q-153..Q-157.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from django.db import transaction

from rules.campaign.line_ups.checks import Crew as OwnedCrew
from rules.campaign.line_ups.checks import (
    OwnedCard,
    check_crew,
    check_hand,
    check_size,
    check_team,
    combatant_of,
    must_play,
)
from rules.campaign.line_ups.checks import crews as owned_crews
from rules.campaign.line_ups.tokens import check_tokens
from rules.campaign.states import FIXTURE
from rules.core.refusals import Malformed, SeasonRefused
from rules.solaris.building import combatant_points
from stables.models import Fixture, FixtureSide, LineUp, Stable
from stables.selectors.assets import Holding
from stables.selectors.fixtures import SMALLEST_MATCH, lock_fixture, sides_with_line_ups
from stables.services.base.job_requests import ask_for
from stables.services.base.ledger import lock_stable
from stables.services.base.news import tell_ready
from stables.services.line_ups import appointments
from stables.services.line_ups.forecasts import ask_for_forecast
from stables.services.line_ups.sealing import Called, CrewChoice, call_for, gear_of, write_line_up
from stables.services.line_ups.shared_sides import part_uniques
from stables.services.line_ups.stand_ins import stand_in_for


@dataclass(frozen=True)
class SealedSide:
    """A side that is ready or forfeits, and whether the fixture is sealed with it. It never says what was chosen.

    `forfeits` is a value of FixtureSide.Forfeit, "" for a line-up.
    """

    side_id: int
    forfeits: str
    fixture_is_sealed: bool


@transaction.atomic
def submit(*, stable_id: int, fixture_id: int, crews: Sequence[CrewChoice], tokens: Sequence[str]) -> SealedSide:
    """Hand in a stable's line-up for a fixture and seal it; this answers a claim that its player did not come.

    A match takes one crew or two, by its format, each with all or part of the gear that is on its unit and up to five
    rally cards, and three different tokens: each lies on the table once. Raises SeasonRefused (line_up_sealed,
    line_up_too_early, line_up_size, unit_twice, tokens_not_allowed, token_twice, and the codes of check_crew,
    check_team and check_hand in rules.campaign.line_ups.checks) or Malformed (unknown_asset, unknown_catalogue_entry).
    """
    fixture = lock_fixture(fixture_id)
    stable = lock_stable(stable_id)
    sealed = hand_in(call_for(fixture, stable), crews, tokens, LineUp.Source.OWNER)
    appointments.came(fixture, stable)
    return sealed


def hand_in(called: Called, crews: Sequence[CrewChoice], tokens: Sequence[str], source: str) -> SealedSide:
    """Check a line-up by the rules, write it, and seal the fixture if it was the last one.

    Call it with the fixture and the stable locked. Raises SeasonRefused (line_up_size, unit_twice, tokens_not_allowed,
    token_twice, and the codes of check_crew, check_team and check_hand in rules.campaign.line_ups.checks) or Malformed
    (unknown_asset, unknown_catalogue_entry).
    """
    _require_crews(called, crews)
    _require_hands(called, crews)
    _require_tokens(called, tokens)
    if not called.terms.takes_hands:
        crews = [CrewChoice(crew.unit_id, crew.pilot_id, crew.gear_ids) for crew in crews]
    write_line_up(called, crews, tokens if called.terms.takes_tokens else (), source)
    return SealedSide(called.side.pk, "", seal_when_ready(called.fixture))


def _require_crews(called: Called, crews: Sequence[CrewChoice]) -> None:
    """Raise SeasonRefused or Malformed if these crews may not fight in the match.

    The codes are line_up_size, unit_twice, those of check_crew and check_team in rules.campaign.line_ups.checks, and
    unknown_asset.
    """
    holding, terms = called.holding, called.terms
    team = []
    for choice in crews:
        unit = holding.units.get(choice.unit_id)
        pilot = None if choice.pilot_id is None else holding.pilots.get(choice.pilot_id)
        if unit is None or (choice.pilot_id is not None and pilot is None):
            raise Malformed("unknown_asset")
        gear = [holding.gear.get(asset_id) for asset_id in gear_of(holding, choice)]
        carried = [card for card in gear if card is not None and card in unit.gear]
        if len(set(map(id, carried))) != len(gear):
            raise Malformed("unknown_asset")
        for problem in check_crew(unit, pilot, terms, gear=carried):
            raise SeasonRefused(problem.code, **problem.parameters)
        combatant = combatant_of(unit, pilot, carried)
        key = None if pilot is None else pilot.key
        team.append(OwnedCrew(unit.key, key, combatant_points(combatant), True, (), combatant))
    for ids in ([choice.unit_id for choice in crews], [choice.pilot_id for choice in crews if choice.pilot_id]):
        for twice in (one for one in ids if ids.count(one) > 1):
            raise SeasonRefused("unit_twice", name=_label(holding, twice))
    for problem in check_team(team, terms):
        raise SeasonRefused(problem.code, **problem.parameters)
    choices = owned_crews(holding.units.values(), holding.pilots.values(), terms)
    for problem in check_size(len(crews), choices, terms.size, terms):
        raise SeasonRefused(problem.code, **problem.parameters)


def _require_hands(called: Called, crews: Sequence[CrewChoice]) -> None:
    hands: list[list[OwnedCard]] = []
    for choice in crews:
        if any(asset_id not in called.holding.cards for asset_id in choice.hand_ids):
            raise Malformed("unknown_asset")
        hands.append([called.holding.cards[asset_id] for asset_id in choice.hand_ids])
    for problem in check_hand(hands, called.stable.name):
        raise SeasonRefused(problem.code, **problem.parameters)


def _require_tokens(called: Called, tokens: Sequence[str]) -> None:
    known = called.tokens
    for key in tokens:
        if key not in known:
            raise Malformed("unknown_catalogue_entry", kind="target_token", key=str(key))
    if not called.terms.takes_tokens:
        return
    for problem in check_tokens([known[key] for key in tokens], called.terms.house_rules.token_pool_rp):
        raise SeasonRefused(problem.code, **problem.parameters)
    for key in tokens:
        if list(tokens).count(key) > 1:
            raise SeasonRefused("token_twice", token=known[key]["name"])


def _label(holding: Holding, asset_id: int) -> str:
    owned = holding.units.get(asset_id) or holding.pilots.get(asset_id)
    return str(owned.definition["name"]) if owned is not None else str(asset_id)


@transaction.atomic
def submit_nearest_legal(*, stable_id: int, fixture_id: int, is_there: bool = False) -> SealedSide:
    """Hand in a line-up for a stable whose owner did not: the saved one, else the nearest legal one.

    LineUp.source says which. A stable that has nothing to field forfeits as unable (R-FOR-01). `is_there` says that the
    owner asked for it themselves, which answers a claim that they did not come. Raises SeasonRefused (line_up_sealed,
    line_up_too_early) or Malformed (unknown_asset).
    """
    fixture = lock_fixture(fixture_id)
    stable = lock_stable(stable_id)
    called = call_for(fixture, stable)
    if is_there:
        appointments.came(fixture, stable)
    choice = stand_in_for(called)
    if choice is None:
        return give_up(called)
    write_line_up(called, choice.crews, choice.tokens, choice.source)
    return SealedSide(called.side.pk, "", seal_when_ready(fixture))


@transaction.atomic
def decline(*, stable_id: int, fixture_id: int) -> SealedSide:
    """Forfeit a match as unable to take part; a stable with a duty to play may not (R-FOR-04, Q-139).

    Raises SeasonRefused (duty_to_play, line_up_sealed, line_up_too_early) or Malformed (unknown_asset).
    """
    fixture = lock_fixture(fixture_id)
    stable = lock_stable(stable_id)
    called = call_for(fixture, stable)
    if must_play(called.holding.units.values(), called.holding.pilots.values(), called.terms):
        raise SeasonRefused("duty_to_play", rule="R-FOR-04")
    return give_up(called)


def give_up(called: Called) -> SealedSide:
    """Let a side forfeit as unable to take part (R-FOR-01), and seal the fixture if it was the last one.

    Call it with the fixture locked.
    """
    called.side.forfeits = FixtureSide.Forfeit.UNABLE
    called.side.save(update_fields=["forfeits"])
    return SealedSide(called.side.pk, called.side.forfeits, seal_when_ready(called.fixture))


def open_fixture_of(stable: Stable) -> int | None:
    """Return the id of a stable's newest fixture that is not settled, None when there is none."""
    sides = FixtureSide.objects.filter(stable=stable, fixture__kind=Fixture.Kind.MATCH)
    newest = sides.exclude(fixture__state=Fixture.State.SETTLED).order_by("-id").values_list("fixture_id", flat=True)
    return newest.first()


def seal_when_ready(fixture: Fixture) -> bool:
    """Seal a fixture once every side is ready or forfeits, and ask for its match or for the settlement of a forfeit.

    When all others forfeit, the side that is left need not hand in its line-up: one is asked for (O-S11). People hear
    of it once, not again when somebody forfeits a sealed fixture. Return whether every side is ready. Call it with the
    fixture locked, and not for a settled fixture.
    """
    sides = list(FixtureSide.objects.filter(fixture=fixture).select_related("line_up"))
    left = len({side.side for side in sides if not side.forfeits})
    if any(not side.forfeits and not hasattr(side, "line_up") for side in sides):
        if left < SMALLEST_MATCH:
            season = fixture.round.cycle.season
            ask_for(season, "stables.nominate", f"fixture:{fixture.pk}:nominate", fixture=fixture.pk)
        return False
    is_shared = len({side.side for side in sides}) < len(sides)
    was_open = fixture.state == Fixture.State.LINE_UPS
    if is_shared and was_open:
        sides = sides_with_line_ups(fixture)
        part_uniques(fixture, sides)
    fixture.state = FIXTURE.next_state("seal", fixture.state)
    fixture.save(update_fields=["state"])
    # A duel with a forfeit is not played; a grand melee goes on without the forfeiter.
    name = "stables.play_fixture" if left >= SMALLEST_MATCH else "stables.settle_fixture"
    ask_for(fixture.round.cycle.season, name, f"fixture:{fixture.pk}:{name.rpartition('.')[2]}", fixture=fixture.pk)
    if was_open:
        tell_ready(fixture)
    ask_for_forecast(fixture, sides)
    return True
