"""Coded reasons about a place: the targets that can be fired at from there, the threats, and the ground."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from rules.bots.advice.attacks import AnyAsked, Asked, blow_at_a_glance, heat_instead
from rules.bots.advice.reason import Reason, percent, points
from rules.bots.advice.threats import reasons_of_threat
from rules.bots.objectives import errand_of
from rules.competition.forecast import AttackForecast, break_away_forecast, openings
from rules.competition.formats.capture_the_flag import CAPTURE_FROM
from rules.competition.formats.flags import carried_by, steps_of
from rules.competition.phases.combat_phase import AssaultChoice
from rules.competition.phases.move_phase import DeclaredMove
from rules.competition.phases.special_attacks import ImpactChoice
from rules.competition.state.match_state import MatchState
from rules.competition.state.roster import TOKEN


def reasons_of_move(asked: AnyAsked) -> list[Reason]:
    """Return what a move, or a turn on the spot, changes."""
    action, table, unit = asked.action, asked.table, asked.unit
    found = []
    broken = break_away_forecast(asked.match, action)
    if broken is not None:
        found.append(Reason("breaks_away_first", {"chance": percent(broken.chance)}))
    found += _of_flag(asked)
    there = _useful(asked, action)
    here = _useful(asked, staying(asked))
    found += _of_shots(table, unit, there, here)
    place, facing = place_of(asked)
    if not there:
        found += _of_distance(table, unit, place)
    found += reasons_of_threat(table, unit, place, facing)
    return found + _of_ground(table, unit, place)


def reasons_of_spin(asked: AnyAsked) -> list[Reason]:
    """Return what a free spin changes; to keep the facing is an answer, too."""
    table, unit = asked.table, asked.unit
    there = _useful(asked, asked.action)
    here = _useful(asked, {**asked.action, "facing": None})
    facing = asked.action.get("facing")
    now = table.position.facing[unit]
    place = table.position.hex[unit]
    found = _of_shots(table, unit, there, here)
    return found + reasons_of_threat(table, unit, place, now if facing is None else facing)


def reasons_of_staying(asked: AnyAsked) -> list[Reason]:
    """Return what a unit has when it passes in the move phase: its best shot, or the distance without one, and the
    threat.
    """
    table, unit = asked.table, asked.unit
    place, facing = table.position.hex[unit], table.position.facing[unit]
    here = _useful(asked, staying(asked))
    found = _of_shots(table, unit, here, here) if here else _of_distance(table, unit, place)
    return found + reasons_of_threat(table, unit, place, facing)


def staying(asked: AnyAsked) -> dict[str, Any]:
    """Return a move order that keeps place and facing, so that a forecast shows the attacks from here."""
    return {
        "unit": asked.action["unit"],
        "order": "move",
        "path": [],
        "facing": asked.table.position.facing[asked.unit],
    }


def place_of(asked: Asked[Any, DeclaredMove | AssaultChoice | ImpactChoice]) -> tuple[int, int]:
    """Return the hex and the facing at the end of a move, an assault or a special attack."""
    return asked.choice[2], asked.choice[3]


def _useful(asked: AnyAsked, action: Mapping[str, Any]) -> list[AttackForecast]:
    """Return the attacks after a move or a spin whose hits would deal damage or heat."""
    found = openings(asked.match, action)
    return [each for each in found if each.heat or _expected(asked.table, asked.unit, each)]


def _best(table: MatchState, unit: int, seen: Iterable[AttackForecast]) -> AttackForecast | None:
    """Return the attack with the most expected damage, attacks on units before those on tokens; None when there is
    none.
    """

    def worth(each: AttackForecast) -> tuple[bool, float, float]:
        (target,) = each.targets
        return table.roster.target_of(target.target) < TOKEN, _expected(table, unit, each), target.chance

    return max(seen, key=worth, default=None)


def _expected(table: MatchState, unit: int, seen: AttackForecast) -> float:
    """Return the points that an attack on one target deals on average."""
    (target,) = seen.targets
    return target.chance * blow_at_a_glance(table, unit, seen, table.roster.target_of(target.target)).mean


def _of_shots(table: MatchState, unit: int, there: list[AttackForecast], here: list[AttackForecast]) -> list[Reason]:
    best = _best(table, unit, there)
    if best is None:
        left = _best(table, unit, here)
        if left is None:
            return []
        return [Reason("gives_up_shot", {"target": left.targets[0].target, "now": percent(left.targets[0].chance)})]
    (target,) = best.targets
    if table.roster.target_of(target.target) >= TOKEN:
        return [Reason("token_in_reach", {"target": target.target, "chance": percent(target.chance)})]
    if best.heat:
        reached = Reason("heat_in_reach", {"target": target.target, "chance": percent(target.chance)})
        return [reached, heat_instead(best)]
    values: dict[str, Any] = {"target": target.target, "chance": percent(target.chance), "weapon": best.value}
    values["expected"] = points(_expected(table, unit, best))
    before = _best(table, unit, (each for each in here if each.targets[0].target == target.target))
    if before is None:
        return [Reason("shot_from_there", values)]
    values["now"] = percent(before.targets[0].chance)
    values["now_expected"] = points(_expected(table, unit, before))
    then, now = ((values["expected"], values["chance"]), (values["now_expected"], values["now"]))
    if then == now:
        return [Reason("shot_stays", values)]
    # By the damage, as they may be different attacks: a surer one can deal less.
    return [Reason("shot_gets_better" if then > now else "shot_gets_worse", values)]


def _of_distance(table: MatchState, unit: int, place: int) -> list[Reason]:
    """Return how the distance to the nearest opponent changes, for a place without a shot; empty without opponents."""
    distance = table.roster.lattice.distance
    origin = table.position.hex[unit]
    places = [table.position.hex[other] for other in table.roster.opponents[unit] if table.position.hex[other] >= 0]
    if not places:
        return []
    then, now = (min(distance(at, other) for other in places) for at in (place, origin))
    if then == now:
        return [Reason("no_shot_there", {"distance": then})]
    return [Reason("comes_nearer" if then < now else "goes_away", {"distance": then, "now": now})]


def _of_ground(table: MatchState, unit: int, place: int) -> list[Reason]:
    if table.position.heat[unit] and table.roster.arena.water >> place & 1:
        return [Reason("water_cools")]
    return []


def _of_flag(asked: AnyAsked) -> list[Reason]:
    """Return the chance of a try for a flag on the way, and whether the unit comes nearer to the goal of its errand."""
    table, unit, action = asked.table, asked.unit, asked.action
    found = []
    path = [table.roster.lattice.index(name) for name in action.get("path") or ()]
    if any(is_try for _, is_try in steps_of(table, tuple(path), bool(action.get("jump")))):
        found.append(Reason("tries_for_flag", {"chance": percent(_chance_of_flag(table, unit))}))
    errand = errand_of(table, unit)
    place, _ = place_of(asked)
    if errand is not None:
        then, now = (errand.left(table, at) for at in (place, table.position.hex[unit]))
        if then < now:
            found.append(Reason(_errand_code(table, unit), {"distance": then, "now": now}))
    return found


def _chance_of_flag(table: MatchState, unit: int) -> float:
    """Return the chance, 0 to 1, to take a flag: a die plus the pilot's attack modifier (R-FMT-15)."""
    modifier = table.fighter(unit).pilot_attack * table.pilot_counts(unit)
    return sum(die + modifier >= CAPTURE_FROM for die in range(1, 7)) / 6


def _errand_code(table: MatchState, unit: int) -> str:
    if any(table.roster.side_of[partner] == table.roster.side_of[unit] for partner, _ in table.position.waiting):
        return "nearer_to_partner"
    return "carries_flag_home" if carried_by(table, unit) else "nearer_to_flag"
