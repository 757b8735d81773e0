"""Coded reasons for and against an attack: its chance, its damage, what it destroys, what it costs."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import Any, Generic, NamedTuple

from rules.bots.advice.reason import Reason, percent, points
from rules.bots.attack_estimates import AttackEstimates
from rules.bots.estimates import best_attack, may_attack
from rules.competition.attacks.sighting import mendable
from rules.competition.forecast import AttackForecast, TargetForecast, forecast
from rules.competition.match import Match
from rules.competition.order_forecast import (
    CRITICAL_HIT,
    HIT,
    MISS,
    OrderForecast,
    Result,
    Spread,
    Struck,
    TokenWorth,
    order_forecast,
)
from rules.competition.state.match_state import Chosen, Data, MatchState
from rules.competition.state.position import CHARGE, DEATH_FROM_ABOVE
from rules.competition.state.roster import DAMAGE_LOCATIONS, TOKEN
from rules.core.equipment_hooks import ignores_armor, impact_reductions, mask_of, reductions
from rules.solaris.rewards import for_kill

SPECIAL = {"charge": CHARGE, "death_from_above": DEATH_FROM_ABOVE}

FEW_CLICKS = 3
"""With at most this many clicks left, a target that no hit destroys gets a reason of its own (leaves_clicks)."""


EFFECTS_OF_A_HIT = ("shuts_down", "marks")
"""Timings of equipment that makes a hit do something other than damage."""


class Asked(NamedTuple, Generic[Data, Chosen]):
    """A possible match with one answer to its open decision: the unit that answers, the data of the decision, the
    choice as the engine keeps it, and the choice as JSON."""

    match: Match
    unit: int
    data: Data
    choice: Chosen
    action: Mapping[str, Any]

    @property
    def table(self) -> MatchState:
        """The table of the possible match."""
        return self.match.table


AnyAsked = Asked[Any, Any]
"""An answer to a decision of any kind."""


class Blow(NamedTuple):
    """What a hit on one target would do.

    `dealt_by_chance` has the points dealt after armor, each with its chance within a hit. `taken` has what takes some
    of them away, as a negative number; it is empty when a die decides.
    """

    dealt_by_chance: Spread
    taken: tuple[tuple[str, int], ...]

    @property
    def dealt(self) -> int | None:
        """The points dealt; None if a die decides them."""
        return self.dealt_by_chance[0][0] if len(self.dealt_by_chance) == 1 else None

    @property
    def mean(self) -> float:
        """The points dealt on average."""
        return sum(dealt * chance for dealt, chance in self.dealt_by_chance)

    def chance_of(self, least: int) -> float:
        """Return the chance that a hit deals at least `least` points, 0 to 1."""
        if self.dealt_by_chance[0][0] >= least:
            return 1.0
        return sum(chance for dealt, chance in self.dealt_by_chance if dealt >= least)


def blow_at_a_glance(table: MatchState, attacker: int, seen: AttackForecast, target: int) -> Blow:
    """Return what a hit of a forecast attack deals to one of its targets, for attacks that are not the order asked for.

    It takes a tenth of the time of an order's forecast. It says the same, except that it leaves out cards, pilots,
    single-use items, interceptors and a second attack. Only equipment that the forecast names counts: either side may
    do without some of what the table shows.
    """
    if seen.damage is None:
        thrown = Counter(scored + sum(_taken(table, attacker, seen, target, scored).values()) for scored in seen.faces)
        return Blow(tuple((dealt, thrown[dealt] / len(seen.faces)) for dealt in sorted(thrown)), ())
    taken = _taken(table, attacker, seen, target, seen.damage)
    return Blow(((seen.damage + sum(taken.values()), 1.0),), tuple(taken.items()))


def blow_of(whole: OrderForecast, target: str) -> Blow:
    """Return what a hit of an order's attack deals to one of its targets, all of the damage if it is divided."""
    struck = _struck(whole, target)
    return Blow(struck.damage, tuple((each.name, each.amount) for each in struck.reductions))


def _struck(whole: OrderForecast, target: str) -> Struck:
    """Return what a plain hit does to a target; a critical hit where only that one hits."""
    hits = [_result(whole, name, target) for name in (HIT, CRITICAL_HIT)]
    result = next(each for each in hits if each is not None)
    return next(each for each in result.struck if each.target == target)


def _result(whole: OrderForecast, name: str, target: str = "") -> Result | None:
    """Return the first result of that name, which hits `target` unless that is empty; None without one."""
    return next((each for each in whole.results if each.result == name and (not target or target in each.hit)), None)


def _taken(table: MatchState, attacker: int, seen: AttackForecast, target: int, scored: int) -> dict[str, int]:
    """Return what each piece of a target's equipment takes away from the points scored: name -> amount below 0."""
    name = table.roster.target_name(target)
    armor = next(each.equipment for each in seen.targets if each.target == name)
    if seen.order in SPECIAL:
        return dict(impact_reductions(armor, scored))
    value = DAMAGE_LOCATIONS.index(seen.value)
    pierced = ignores_armor(seen.equipment, seen.is_ranged)
    range_type = table.fighter(attacker).range_types[value]
    return dict(reductions(armor, scored, seen.is_ranged, range_type, bool(pierced)))


def clicks_left(table: MatchState, unit: int) -> int:
    """Return the clicks left on a unit's dial after the damage on its die."""
    return table.fighter(unit).clicks - table.position.clicks[unit] - table.position.damage_die(unit)


def reasons_of_attack(asked: AnyAsked) -> list[Reason]:
    """Return the reasons for and against the attack of an action; an empty list if the action makes no attack."""
    whole = order_forecast(asked.match, asked.action)
    if whole is None or whole.attack is None:
        return []
    table, unit, seen = asked.table, asked.unit, whole.attack
    if _is_on_friend(table, unit, seen):
        friend = table.roster.target_of(seen.targets[0].target)
        values = {"target": seen.targets[0].target, "chance": percent(seen.targets[0].chance)}
        return [Reason("mends", {**values, "clicks": mendable(table, friend)})]
    is_shared = seen.is_ranged and len(seen.targets) > 1
    found: list[Reason] = []
    for each in seen.targets:
        found += _against(whole, seen, each, is_shared)
    if is_shared:
        found += _falls_by_shares(table, unit, seen)
    if is_shared:
        found.append(Reason("damage_shared", {"damage": seen.damage, "targets": len(seen.targets)}))
    return found + _own_damage(whole)


def deals_nothing(match: Match, action: Mapping[str, Any]) -> bool:
    """Return whether an action is a close or ranged attack whose hits would do nothing.

    Nothing means no damage, no heat, no repair and no effect of its equipment. Critical hits and the targets' cards do
    not count.
    """
    if action.get("order") not in ("close", "ranged"):
        return False
    assert match.table.open is not None
    table, unit = match.table, match.table.open[1]
    seen = forecast(match, action)
    if seen is None or seen.heat or _is_on_friend(table, unit, seen):
        return False
    if seen.equipment & mask_of(*EFFECTS_OF_A_HIT):
        return False
    return all(
        not blow_at_a_glance(table, unit, seen, table.roster.target_of(each.target)).mean for each in seen.targets
    )


def _is_on_friend(table: MatchState, unit: int, seen: AttackForecast) -> bool:
    target, side_of = table.roster.target_of(seen.targets[0].target), table.roster.side_of
    return target < TOKEN and side_of[target] == side_of[unit]


def _against(whole: OrderForecast, seen: AttackForecast, each: TargetForecast, is_shared: bool) -> list[Reason]:
    token = next((token for token in whole.tokens if token.target == each.target), None)
    blow = blow_of(whole, each.target)
    is_plain = is_shared or each.target not in whole.left or bool(seen.heat)
    found = [chance_reason(each.target, each.chance, None if is_plain else blow)]
    if seen.heat:
        found.append(heat_instead(seen))
    if token is not None:
        found.append(_token(whole, token))
    elif not is_shared:
        found += _fall_of(whole, each.target)
    found += _modifiers(each)
    if blow.taken and not is_shared:
        found.append(Reason("armor_takes", {"target": each.target, "modifiers": dict(blow.taken)}))
    return found


def heat_instead(seen: AttackForecast) -> Reason:
    """Return the reason that a hit heats its target and does not damage it (R-SED-12)."""
    return Reason("hit_heats", {"target": seen.targets[0].target, "heat": seen.heat})


def chance_reason(target: str, chance: float, blow: Blow | None) -> Reason:
    """Return the chance to hit as a reason, with the damage of a hit unless `blow` is None."""
    values: dict[str, Any] = {"target": target, "chance": percent(chance)}
    if blow is None:
        return Reason("hits", values)
    if blow.dealt is None:
        return Reason("hits_by_die", {**values, "expected": points(chance * blow.mean)})
    return Reason("hits_for", {**values, "damage": blow.dealt, "expected": points(chance * blow.dealt)})


def _token(whole: OrderForecast, token: TokenWorth) -> Reason:
    reputation = token.earns if _struck(whole, token.target).falls else 0
    return Reason("token_brings", {"target": token.target, "reputation": reputation})


def _fall_of(whole: OrderForecast, name: str) -> list[Reason]:
    """Return the reason about the fall of a single target: a hit destroys it, may destroy it, or it has few clicks.

    The list is empty if no hit can destroy it and more than FEW_CLICKS are left.
    """
    left, struck = whole.left[name], _struck(whole, name)
    if left <= 0:
        return [Reason("falls_anyway", {"target": name})]
    values = {"target": name, "left": left, "reputation": struck.reputation}
    if struck.falls == 1:
        return [Reason("hit_destroys", values)]
    if struck.falls:
        return [Reason("hit_may_destroy", {**values, "chance": percent(struck.falls)})]
    return _few_left(name, left)


def _few_left(name: str, left: int) -> list[Reason]:
    return [Reason("leaves_clicks", {"target": name, "left": left})] if left <= FEW_CLICKS else []


def _reputation(table: MatchState, unit: int, target: int) -> int:
    """Return the points of reputation that the kill of a target brings."""
    return for_kill(table.fighter(target).total, table.fighter(unit).total)


def _falls_by_shares(table: MatchState, unit: int, seen: AttackForecast) -> list[Reason]:
    """Return the reasons about the falls of a divided attack's targets.

    A hit destroys all of them if its damage is enough for all together. Otherwise each reason names the share that
    destroys its target.
    """
    damage = seen.damage or 0
    named = {each.target: table.roster.target_of(each.target) for each in seen.targets}
    needed = {name: _share_for(table, unit, seen, target) for name, target in named.items()}
    is_enough = all(needed.values()) and sum(share or 0 for share in needed.values()) <= damage
    found = []
    for name, target in named.items():
        share = needed[name]
        if target >= TOKEN:
            continue
        left = clicks_left(table, target)
        values = {"target": name, "left": left, "reputation": _reputation(table, unit, target)}
        if left <= 0:
            found.append(Reason("falls_anyway", {"target": name}))
        elif is_enough:
            found.append(Reason("hit_destroys", values))
        elif share:
            found.append(Reason("share_could_destroy", {**values, "share": share}))
        else:
            found += _few_left(name, left)
    return found


def _share_for(table: MatchState, attacker: int, seen: AttackForecast, target: int) -> int | None:
    """Return the least share of a divided attack's damage that destroys a target, at least 1 point.

    Return None if even all of the damage is too little.
    """
    least = max(1, clicks_left(table, target)) if target < TOKEN else 1
    for share in range(1, (seen.damage or 0) + 1):
        if share + sum(_taken(table, attacker, seen, target, share).values()) >= least:
            return share
    return None


def _modifiers(each: TargetForecast) -> list[Reason]:
    """Return the modifiers of the sum, those that help the attacker and those that do not."""
    helps = {term.name: term.amount for term in each.modifiers if term.amount > 0}
    helps |= {term.name: -term.amount for term in each.defense_modifiers if term.amount < 0}
    hampers = {term.name: term.amount for term in each.modifiers if term.amount < 0}
    hampers |= {term.name: -term.amount for term in each.defense_modifiers if term.amount > 0}
    found = []
    if helps:
        found.append(Reason("counts_for", {"target": each.target, "modifiers": helps}))
    if hampers:
        found.append(Reason("counts_against", {"target": each.target, "modifiers": hampers}))
    return found


def _own_damage(whole: OrderForecast) -> list[Reason]:
    """Return the damage that the attack does to its attacker apart from a critical miss (R-CHG-11, R-DFA-10, R-SEG-06).

    The list is empty without any. Where a die decides it, the most of it counts.
    """
    most = [result.own_damage[-1][0] for name in (HIT, MISS) if (result := _result(whole, name)) is not None]
    if not any(most):
        return []
    if len(set(most)) == 1:
        return [Reason("hurts_itself", {"damage": most[0]})]
    return [Reason("hurts_itself_either", dict(zip(("hit", "miss"), most, strict=True)))]


class OwnAttack(NamedTuple):
    """The attack that a unit could make from its present place: its first target and the chance to hit it, 0 to 1."""

    target: str
    chance: float


def own_attack(table: MatchState, unit: int) -> OwnAttack | None:
    """Return the unit's best attack from its present place and facing.

    Return None if it has no attack or may not attack (`may_attack`).
    """
    place, facing = table.position.hex[unit], table.position.facing[unit]
    found = best_attack(table, unit, place, facing) if may_attack(table, unit) else None
    if found is None:
        return None
    target = found.choice[2][0]
    return OwnAttack(
        table.roster.target_name(target), AttackEstimates(table, unit).chance(found.choice, target, place, facing)
    )
