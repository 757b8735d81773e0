"""A fixture from the view of its reports: its sides, its units, and the outcomes of its dice."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from rules.campaign.results.report_checks import problems
from rules.campaign.results.reports import Contest, Entrant, Report, as_match_result, read
from rules.core.refusals import SeasonRefused
from rules.core.table_units import clicks_of
from rules.solaris.building import Combatant, combatant_points
from rules.solaris.house_rules import HouseRules
from stables.models import Asset, Crew, Fixture, FixtureSide, Result
from stables.selectors.definitions import catalogue_of, definition_of
from stables.selectors.fixtures import SMALLEST_MATCH, crews_by_unit
from stables.selectors.seeds import season_dice
from stables.services.results.outcomes import Document, played

PILOT_DIES_UP_TO = 1
"""The highest roll of a d6 at which the pilot dies (R-DTH-01)."""


def contest_of(fixture: Fixture, sides: Sequence[FixtureSide]) -> Contest:
    """Return the facts that a report of a fixture must fit; sides that forfeit are left out, their units gone. Their
    tokens stay: they may lie in the arena.

    Fetch `fixture` with round, cycle and season, and `sides` with their line-ups (`sides_with_line_ups`). Raises
    SeasonRefused (report_too_early) before all line-ups are in, and if fewer than two sides are left.
    """
    ready = [side for side in sides if not side.forfeits]
    if len({side.side for side in ready}) < SMALLEST_MATCH or any(not hasattr(side, "line_up") for side in ready):
        raise SeasonRefused("report_too_early", state=fixture.state)
    season, cycle = fixture.round.cycle.season, fixture.round.cycle
    house_rules = HouseRules.from_json(season.rules.house_rules)
    has_tokens = house_rules.target_tokens and cycle.format != "capture_the_flag"
    tokens = catalogue_of(season).target_tokens if has_tokens else {}
    crews = crews_by_unit(sides, with_forfeits=True)
    entrants = {name: _entrant(fixture, side, crew) for name, (side, crew) in crews.items()}
    return Contest(
        format=cycle.format,
        sides=tuple(dict.fromkeys(side.side for side in ready)),
        units={name: entrant for name, entrant in entrants.items() if not crews[name][0].forfeits},
        tokens=[
            (int(tokens[key]["rp"]), int(tokens[key]["else_rp"]))
            for side in (sides if has_tokens else ())
            if hasattr(side, "line_up")
            for key in side.line_up.tokens
        ],
        pilot_death=house_rules.pilot_death,
        gone={name: entrant for name, entrant in entrants.items() if crews[name][0].forfeits},
    )


def _entrant(fixture: Fixture, side: FixtureSide, crew: Crew) -> Entrant:
    season = fixture.round.cycle.season
    unit = definition_of(season, crew.unit)
    pilot = None if crew.pilot is None else definition_of(season, crew.pilot)
    gear = [definition_of(season, card.asset) for card in crew.cards.all() if card.asset.kind == Asset.Kind.GEAR]
    total = combatant_points(Combatant(unit, pilot, gear))
    heat = len(unit.get("heat", ()))
    return Entrant(side.side, side.stable.number, clicks_of(unit), crew.damage, total, pilot is not None, heat)


def read_report(contest: Contest, document: object) -> Report:
    """Return the report of a document if it can be true.

    Raises Malformed (not_an_object, bad_field, not_a_number), or SeasonRefused with the code of the report's first
    problem (rules.campaign.results.report_checks).
    """
    report = read(document, contest)
    for problem in problems(contest, report):
        raise SeasonRefused(problem.code, **problem.parameters)
    return report


def outcome_of(
    fixture: Fixture, sides: list[FixtureSide], report: Report, source: str, held: Result | None = None
) -> Document:
    """Return the document (Result.document) of a reported match, with the dice for dead pilots rolled.

    `held` is the result that a correction replaces.

    The dice come from the season's streams for this match, so that a second report gets the same rolls. Raises
    SeasonRefused (report_too_early).
    """
    cycle = fixture.round.cycle
    place = (cycle.number, fixture.round.number, fixture.number)
    contest = contest_of(fixture, sides)
    fates = {
        name: season_dice(cycle.season, "pilot_death", *place, position).roll(1, "pilot_death")[0] <= PILOT_DIES_UP_TO
        for position, name in enumerate(contest.units, 1)
    }
    result = as_match_result(contest, report, fates, season_dice(cycle.season, "melee_places", *place))
    return played(fixture, sides, result, source, held)


def foreseen(fixture: Fixture, sides: list[FixtureSide], report: Report) -> Document:
    """Return the document of a report before it is settled: no pilot dies whose fate is left to the server.

    Raises SeasonRefused (report_too_early).
    """
    contest = contest_of(fixture, sides)
    cycle = fixture.round.cycle
    place = (cycle.number, fixture.round.number, fixture.number)
    result = as_match_result(contest, report, {}, season_dice(cycle.season, "melee_places", *place))
    return played(fixture, sides, result, "")


def report_of(contest: Contest, document: Document) -> dict[str, Any]:
    """Return the report of a settled result, so that a form can correct it.

    A result without a report was played by the engine, forfeited or voided; then the report is made from the result. It
    has no reputation of the sides: reading it works out the eliminations from the kills, and counts 0 for tokens and
    flags.
    """
    if "report" in document:
        report: dict[str, Any] = document["report"]
        return report
    units = {
        name: {
            "clicks": unit["clicks"],
            "eliminated": unit["eliminated"],
            "kills": unit.get("kills", 0),
            "died": "yes" if unit.get("pilot_dead") else "no",
        }
        for name, unit in document["units"].items()
    }
    sides = {name: {"surrendered": bool(side.get("surrendered"))} for name, side in document["sides"].items()}
    return {"ended_by": document["ended_by"], "winner": document["winner"], "sides": sides, "units": units}
