"""Advice of market and garage: whether a stable can fight, also after the loss of a unit, and what repairs would leave.

R-FOR-04, R-CRP-02, R-CRP-09, R-DTH-01, R-FMT-02; Q-139, Q-154, Q-155. Units that show Salvage are not able: a stable
may field them but need not. They count only where the question is whether it can fight at all.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass

from rules.campaign.garage.repair import ELIMINATED, SALVAGE, UNDAMAGED
from rules.campaign.line_ups.checks import (
    Crew,
    OwnedPilot,
    OwnedUnit,
    Terms,
    best_team,
    check_crew,
    crews,
    crews_of,
    terms_of,
)
from rules.core.refusals import Refusal


@dataclass(frozen=True)
class Roster:
    """What a stable could take to matches on these terms; `pilots_die` is the house rule on pilot death.

    `sits_out_repaired` says that an eliminated unit misses the coming match even if it is repaired first. That holds at
    all times except in the break between cycles (R-CRP-09).
    """

    units: tuple[OwnedUnit, ...]
    pilots: tuple[OwnedPilot, ...]
    terms: Terms
    pilots_die: bool = False
    sits_out_repaired: bool = False

    def able_crews(self) -> list[Crew]:
        """Return the crews under the duty to play, best first."""
        return [crew for crew in crews(self.units, self.pilots, self.terms) if crew.by_duty]


@dataclass(frozen=True)
class Answer:
    """Whether the stable can, the crews that the answer is about, and one reason why it cannot, or only just can."""

    is_yes: bool
    team: tuple[Crew, ...] = ()
    reason: Refusal | None = None


def why_no_match(roster: Roster) -> Refusal | None:
    """Return why the stable can field nobody in the coming match; None if it can.

    A unit that shows Salvage may be fielded and counts (Q-155), and so does one unit alone where a match takes two
    (Q-154). The codes are those of `can_field`.
    """
    if any(True for unit in roster.units for _ in crews_of(unit, roster.pilots, roster.terms)):
        return None
    return can_field(roster).reason


def can_fight(roster: Roster, size: int = 1) -> Answer:
    """Return whether the stable can fight the coming match of `size` (1 or 2) units a side, as `why_no_match` says.

    `team` is what it can field. A yes has a reason too where that is one crew of two (one_crew_only) or a unit that
    shows Salvage (only_salvage).
    """
    reason = why_no_match(roster)
    if reason is not None:
        return Answer(False, (), reason)
    able = can_field(roster, size)
    if able.team:
        return Answer(True, able.team, able.reason)
    team = best_team(crews(roster.units, roster.pilots, roster.terms), size, terms_of(roster.terms))
    name = next(unit.definition["name"] for unit in roster.units if unit.key == team[0].unit)
    return Answer(True, team, Refusal("only_salvage", {"name": name, "rule": "Q-155"}))


def can_field(roster: Roster, size: int = 1) -> Answer:
    """Return whether the stable can field `size` (1 or 2) able units in the coming match, and why not.

    `team` holds the largest team that it can field, which may be too small or empty. The codes are one_crew_only,
    no_unit, only_salvage, repair_too_late and those of `check_crew`.
    """
    able = roster.able_crews()
    team = best_team(able, size, terms_of(roster.terms))
    if len(team) >= size:
        return Answer(True, team)
    if team:
        return Answer(False, team, Refusal("one_crew_only", {"needed": size, "rule": "Q-154"}))
    return Answer(False, (), _nearest_reason(roster))


def survives_one_elimination(roster: Roster) -> Answer:
    """Return whether the stable has an able unit for the next match whichever able unit it loses in a match.

    If not, `team` holds a crew whose loss leaves none, or nothing when there is no able unit even now. An eliminated
    unit sits out the next match even when it is repaired (R-CRP-09). The codes are no_reserve and those of `can_field`.
    """
    first = can_field(roster)
    if not first.is_yes:
        return first
    able = roster.able_crews()
    seats = {(crew.unit, crew.pilot) for crew in able}
    of_unit, of_pilot = Counter(unit for unit, _ in seats), Counter(pilot for _, pilot in seats)
    for crew in able:
        left = len(seats) - of_unit[crew.unit]
        # Gear is lost with its unit; the pilot only where pilots die.
        if roster.pilots_die and crew.pilot is not None:
            left -= of_pilot[crew.pilot] - 1
        if not left:
            name = next(unit.definition["name"] for unit in roster.units if unit.key == crew.unit)
            return Answer(False, (crew,), Refusal("no_reserve", {"name": name, "rule": "R-CRP-09"}))
    return Answer(True, first.team)


def _nearest_reason(roster: Roster) -> Refusal:
    """Return why nothing can be fielded: the first problem of the unit and pilot with the fewest problems.

    Among equally few problems, those without a unit that must sit out (R-CRP-09) come first. A stable without units has
    no_unit.
    """
    found = [
        problems
        for unit in roster.units
        for pilot in (*roster.pilots, None)
        if (problems := _lacks(roster, unit, pilot))
    ]
    if not found:
        return Refusal("no_unit", {"needed": terms_of(roster.terms).match_class, "rule": "R-FOR-01"})

    def order(problems: list[Refusal]) -> tuple[int, bool]:
        return len(problems), any(problem.parameters.get("rule") == "R-CRP-09" for problem in problems)

    return min(found, key=order)[0]


def _lacks(roster: Roster, unit: OwnedUnit, pilot: OwnedPilot | None) -> list[Refusal]:
    """Return the problems of a crew, including Salvage and an elimination that no repair mends in time."""
    name = unit.definition["name"]
    problems = check_crew(unit, pilot, roster.terms)
    if not problems and unit.state == SALVAGE:
        return [Refusal("only_salvage", {"name": name, "rule": "Q-155"})]
    if unit.state == ELIMINATED and roster.sits_out_repaired:
        others = [problem for problem in problems if problem.code not in ("unit_eliminated", "unit_sits_out")]
        return [Refusal("repair_too_late", {"name": name, "rule": "R-CRP-09"}), *others]
    return problems


@dataclass(frozen=True)
class RepairOutlook:
    """Stones: what all repairs cost now, what the dearest loss in a match adds, and what is left of the capital then.

    `left` is negative when the capital does not suffice.
    """

    now: int
    worst: int
    left: int


def repair_outlook(
    capital: int, states: Mapping[str, str], costs: Mapping[str, int], losses: Mapping[str, int], size: int = 1
) -> RepairOutlook:
    """Return what repairs cost now and after the dearest loss in one match, and what they leave of the capital.

    All mappings have the stable's units as keys: `states` their states, `costs` the Stones of each repair now (0 when
    undamaged), `losses` the Stones after an elimination, gear counted (R-CRP-02). In the dearest loss, the match
    eliminates the `size` units, not eliminated yet, that add most.
    """
    now = sum(costs[key] for key, state in states.items() if state != UNDAMAGED)
    standing = [losses[key] - costs[key] for key, state in states.items() if state != ELIMINATED]
    worst = sum(sorted(standing, reverse=True)[:size])
    return RepairOutlook(now, worst, capital - now - worst)
