"""What an order, or an answer during an attack, can bring before its dice fall: damage, reputation, heat, chances.

The engine itself plays every way in which the dice can fall, so all of it is what the engine would do. Nobody reacts in
it, nobody plays a card, and no die is rolled again: `OrderForecast.asked` names what others may still decide.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from rules.competition.attacks.aftermath import finish_attack
from rules.competition.attacks.arithmetic import range_type_of
from rules.competition.attacks.forms import Attack, is_friendly
from rules.competition.attacks.modifiers import rule_of
from rules.competition.attacks.repairing import charge_repair, roll_repair
from rules.competition.attacks.resolving import roll_attack
from rules.competition.branching import Way, events_of, ways_of
from rules.competition.forecast import AttackForecast, Summand, attack_of, forecast, read_choice
from rules.competition.heat_forecast import HeatForecast, heat_forecast
from rules.competition.match import Match
from rules.competition.phases.flushing import roll_flush
from rules.competition.phases.impact import strike
from rules.competition.state.events import (
    ATTACK_RESOLVED,
    DAMAGE_NOTED,
    DAMAGE_SCORED,
    HEAT_DIE_LOWERED,
    HEAT_NOTED,
    HEAT_TURNED,
    KNOCKED_OUT,
    MARKED,
    REPAIRED,
    SHUT_DOWN,
    SPENT,
    TOKEN_DESTROYED,
)
from rules.competition.state.match_state import MatchState
from rules.competition.state.position import SHUTDOWN, SPECIAL_MOVE
from rules.competition.state.roster import TOKEN
from rules.competition.state.special_events import GROUNDED
from rules.competition.units.scoring import pending_turn
from rules.core.equipment import keys_of
from rules.solaris.rewards import for_kill

ATTACKING = ("combat", "special", "react", "cancel", "reroll", "split", "repair")
"""Decisions whose answers lead to the dice of an attack, or to its damage."""

HEATING = ("move", "special", "combat", "react")
"""Decisions whose answers change the heat of the unit that decides."""

OPEN_QUESTIONS = ("react", "cancel", "reroll")
"""Questions on the way of which everybody can see that they will be asked; a hand of rally cards is secret."""

CLOSING = (roll_attack, roll_repair, roll_flush, strike, finish_attack, charge_repair)
"""Tasks by which an attack goes on after a question."""

CRITICAL_HIT, HIT, MISS, CRITICAL_MISS = "critical_hit", "hit", "miss", "critical_miss"
RESULTS = (CRITICAL_HIT, HIT, MISS, CRITICAL_MISS)

TOUCHING = (DAMAGE_NOTED, HEAT_NOTED, HEAT_TURNED, HEAT_DIE_LOWERED, REPAIRED, KNOCKED_OUT, SHUT_DOWN, GROUNDED)
"""Kinds of events that do something to the unit in their first field."""

EFFECTS_OF = {KNOCKED_OUT: "pilot_unconscious", SHUT_DOWN: "shut_down", GROUNDED: "grounded"}
"""What an attack may do to a unit beside damage and heat: the kind of event, and its name in forecasts."""

Spread = tuple[tuple[int, float], ...]
"""Amounts in ascending order, each with its chance (0 to 1) within a result."""


@dataclass(frozen=True)
class Struck:
    """What one result does to a unit or token.

    `scored` is the damage before `reductions`, None and () when that differs from roll to roll. `damage` is what goes
    on the damage die, the target's own single-use items (`spent`) included; `heat` what dial and heat die gain, below 0
    for a flush; `mended` the clicks turned back. `falls` is the chance that a token is destroyed, or that the unit is
    eliminated in the clean-up if nothing else happens; `reputation` is what that pays the attacker's side. `effects`:
    names of EFFECTS_OF, and "marked", with their chances.
    """

    target: str
    scored: int | None
    reductions: tuple[Summand, ...]
    damage: Spread
    spent: tuple[str, ...]
    heat: Spread
    mended: Spread
    falls: float
    reputation: int
    effects: tuple[tuple[str, float], ...]


@dataclass(frozen=True)
class Result:
    """One result of an attack: its name (RESULTS), who is hit, its chance (0 to 1), and what it does to whom.

    `divided` is the damage that the attacker divides among those hit, 0 unless there is a choice; then each of them is
    shown with all of it. `own_damage` is what the attacker does to itself, by its `own_causes`; `spent` are its
    single-use items that are used up, 1 of that damage each (R-SEG-06). `own_falls`: the chance that it is eliminated
    by its damage die in the clean-up.
    """

    result: str
    hit: tuple[str, ...]
    chance: float
    struck: tuple[Struck, ...]
    divided: int
    own_damage: Spread
    own_causes: tuple[str, ...]
    spent: tuple[str, ...]
    own_falls: float


@dataclass(frozen=True)
class DamageSum:
    """What a hit scores before armor: `value` has what `added` gave, `amount` is what `rule` leaves of it.

    `rule` is R-CLO-07 (half), R-IND-10 (at most 2) or that of equipment, None where nothing changes the value.
    """

    value: int
    added: tuple[Summand, ...]
    rule: str | None
    amount: int


@dataclass(frozen=True)
class TokenWorth:
    """What a target token pays: `rp` for the method that it wants, `else_rp` for any other; `earns` for this attack.

    `used` is the method of this attack, None for a close attack without a melee weapon (Q-72).
    """

    target: str
    method: str
    rp: int
    else_rp: int
    used: str | None

    @property
    def earns(self) -> int:
        return self.rp if self.used == self.method else self.else_rp


@dataclass(frozen=True)
class OrderForecast:
    """All that is known of an action before its dice.

    `attack` has the sums and chances, None after the dice and without an attack. `results` are in the order of RESULTS,
    empty without an attack. `damage` is how that of a hit comes about, None where a die decides. `left` has the clicks
    left of each unit before the action, its damage die counted. `attacker` is the unit that attacks, `unit` the one
    that decides. `heat` is that of `unit`, None where the action does not touch it. `asked`: which of
    OPEN_QUESTIONS others, or the attacker, may answer on the way: (kind, unit).
    """

    unit: str
    attacker: str | None
    attack: AttackForecast | None
    results: tuple[Result, ...]
    damage: DamageSum | None
    tokens: tuple[TokenWorth, ...]
    left: Mapping[str, int]
    heat: HeatForecast | None
    asked: tuple[tuple[str, str], ...]


def order_forecast(match: Match, action: Mapping[str, Any]) -> OrderForecast | None:
    """Return what a legal action can bring; None where neither dice of an attack nor heat follow from it."""
    before, name, unit, choice = read_choice(match, action)
    assert match.table.open is not None
    kind, _, data = match.table.open
    if name not in ATTACKING and name not in HEATING:
        return None
    begin = before.copy(before.dice, None)
    begin.agenda = _attack_tasks(before)
    ways = list(ways_of(begin, (kind.resolve, unit, data, choice)))
    found = attack_of(match, action)
    attack = found[1] if found else _attack_in(data)
    heated = name in HEATING and not before.position.status[unit] & SHUTDOWN
    fighters = before.roster.fighters
    return OrderForecast(
        unit=fighters[unit].name,
        attacker=fighters[attack.attacker].name if attack else None,
        attack=forecast(match, action),
        results=_results(before, attack, ways, data) if attack else (),
        damage=_damage(before, attack, ways) if attack else None,
        tokens=_tokens(before, attack) if attack else (),
        left={fighters[each].name: _left(before, each) for each in before.roster.units if before.is_active(each)},
        heat=heat_forecast(before, unit, ways) if heated else None,
        asked=tuple(dict.fromkeys(each for way in ways for each in _asked(before, way))),
    )


def _asked(table: MatchState, way: Way) -> Iterable[tuple[str, str]]:
    return ((kind, table.fighter(unit).name) for kind, unit in way.asked if kind in OPEN_QUESTIONS)


def _attack_tasks(table: MatchState) -> list[Any]:
    """Return the part of the agenda that belongs to the attack in progress, [] without one."""
    first = next((number for number, task in enumerate(table.agenda) if task[0] in CLOSING), len(table.agenda))
    return table.agenda[first:]


def _attack_in(data: Any) -> Attack | None:
    """Return the attack of a decision that is asked during it."""
    attack = getattr(data, "attack", None)
    return attack if isinstance(attack, Attack) else None


def _left(table: MatchState, unit: int) -> int:
    return table.fighter(unit).clicks - pending_turn(table, unit)[0]


def _damage(table: MatchState, attack: Attack, ways: Iterable[Way]) -> DamageSum | None:
    """Return how the damage of a hit comes about; None where ways differ, for no hit at all and on a friend."""
    events = [event for way in ways for event in _events(way.table, ATTACK_RESOLVED, attack.attacker) if event[2]]
    found = {
        DamageSum(
            why["damage_value"],
            tuple(Summand(name, by, rule_of(table, name)) for name, by in why["damage_modifiers"].items()),
            why["damage_rule"],
            why["damage"],
        )
        for *_, why in events
    }
    return found.pop() if len(found) == 1 and not is_friendly(table, attack) else None


def _tokens(table: MatchState, attack: Attack) -> tuple[TokenWorth, ...]:
    if is_friendly(table, attack) or attack.order & SPECIAL_MOVE:
        return ()
    used = range_type_of(table, attack)
    named = [(target, table.roster.tokens[target - TOKEN]) for target in attack.targets if target >= TOKEN]
    return tuple(
        TokenWorth(table.roster.target_name(target), token.method, token.rp, token.else_rp, used)
        for target, token in named
    )


# --- results --------------------------------------------------------------------------------------------------------


def _results(before: MatchState, attack: Attack, ways: Iterable[Way], data: Any) -> tuple[Result, ...]:
    grouped: dict[tuple[str, tuple[int, ...]], list[Way]] = defaultdict(list)
    for way in ways:
        key = _result_of(way, attack.attacker, data)
        if key is not None:
            grouped[key].append(way)
    found = [_result(before, attack.attacker, *key, grouped[key]) for key in grouped]
    return tuple(sorted(found, key=lambda each: (RESULTS.index(each.result), -len(each.hit), each.hit)))


def _result_of(way: Way, attacker: int, data: Any) -> tuple[str, tuple[int, ...]] | None:
    """Return the name of a way's result and the targets hit, by its first roll; None when no dice fell."""
    events = _events(way.table, ATTACK_RESOLVED, attacker)
    if events:
        hits, critical = events[0][2], events[0][3]
    elif hasattr(data, "targets") and hasattr(data, "critical"):
        hits, critical = data.targets, data.critical
    elif hasattr(data, "is_critical"):
        hits, critical = data.attack.targets, "hit" if data.is_critical else None
    else:
        return None
    if critical is not None:
        return (CRITICAL_HIT if critical == "hit" else CRITICAL_MISS), tuple(hits)
    return (HIT if hits else MISS), tuple(hits)


def _result(before: MatchState, attacker: int, result: str, hits: tuple[int, ...], ways: Sequence[Way]) -> Result:
    first = [way for way in ways if not way.share]
    chance = sum((way.chance for way in first), Fraction(0))
    touched = dict.fromkeys(hits)
    for way in first:
        touched |= dict.fromkeys(_touched(before, way.table, attacker))
    is_divided = any(way.share is not None for way in ways)
    struck = []
    for target in touched:
        share = hits.index(target) if target in hits else 0
        struck.append(_struck(before, attacker, target, [way for way in ways if way.share in (None, share)]))
    noted = [_noted(way.table, attacker) for way in first]
    causes = dict.fromkeys(cause for way in noted for _, cause in way)
    return Result(
        result=result,
        hit=tuple(before.roster.target_name(target) for target in hits),
        chance=float(chance),
        struck=tuple(struck),
        divided=max((each.scored or 0 for each in struck), default=0) if is_divided else 0,
        own_damage=_spread(first, [sum(amount for amount, _ in way) for way in noted]),
        own_causes=tuple(causes),
        spent=_spent(first, attacker),
        own_falls=_share(first, [_left(way.table, attacker) == 0 for way in first]),
    )


def _touched(before: MatchState, after: MatchState, attacker: int) -> list[int]:
    """Return the units other than the attacker, and the tokens, to which a way does anything."""
    found: list[int] = []
    event: Any
    for event in after.log or ():
        if event[0] == TOKEN_DESTROYED:
            found.append(TOKEN + event[1])
        elif event[0] in (DAMAGE_SCORED, MARKED):
            found.append(event[2])
        elif event[0] in TOUCHING and event[1] != attacker:
            found.append(event[1])
    return found


def _struck(before: MatchState, attacker: int, target: int, ways: Sequence[Way]) -> Struck:
    scores = {_scored(way.table, target) for way in ways}
    scored, reductions = scores.pop() if len(scores) == 1 else (None, ())
    mended = [sum(event[2] - event[3] for event in _events(way.table, REPAIRED, target)) for way in ways]
    falls = [_falls(before, way.table, attacker, target) for way in ways]
    effects = {
        name: _share(ways, [bool(_events(way.table, kind, target)) for way in ways])
        for kind, name in EFFECTS_OF.items()
    }
    marked = [any(event[2] == target for event in _events(way.table, MARKED, attacker)) for way in ways]
    effects["marked"] = _share(ways, marked)
    return Struck(
        target=before.roster.target_name(target),
        scored=scored,
        reductions=reductions,
        damage=_spread(ways, [sum(amount for amount, _ in _noted(way.table, target)) for way in ways]),
        spent=_spent(ways, target),
        heat=_spread(ways, [_heat(way.table, target) - _heat(before, target) for way in ways]),
        mended=_spread(ways, mended),
        falls=_share(ways, [has_fallen for has_fallen, _ in falls]),
        reputation=max(reputation for _, reputation in falls),
        effects=tuple((name, chance) for name, chance in effects.items() if chance),
    )


def _events(table: MatchState, kind: int, first: int) -> list[Any]:
    """Return the events of a kind whose first field is `first`: a unit, or a token."""
    return [event for event in events_of(table, kind) if event[1] == first]


def _noted(table: MatchState, unit: int) -> list[tuple[int, str]]:
    """Return the amounts that went on a unit's damage die, each with its cause."""
    return [(event[2], event[3]) for event in _events(table, DAMAGE_NOTED, unit)]


def _heat(table: MatchState, target: int) -> int:
    """Return the heat on a unit's dial and die, 0 for a token."""
    return 0 if target >= TOKEN else table.position.heat[target] + table.position.heat_die[target]


def _scored(table: MatchState, target: int) -> tuple[int | None, tuple[Summand, ...]]:
    """Return the damage scored on a target and what reduced it; None and () unless it was scored once."""
    events = [event for event in events_of(table, DAMAGE_SCORED) if event[2] == target]
    if len(events) != 1:
        return None, ()
    cuts = events[0][5]["reductions"]
    return events[0][3], tuple(Summand(cut["name"], cut["amount"], cut["rule"]) for cut in cuts)


def _falls(before: MatchState, after: MatchState, attacker: int, target: int) -> tuple[bool, int]:
    """Return whether a target falls, and the reputation that the attacker's side gets for it."""
    side = before.fighter(attacker).side
    if target >= TOKEN:
        paid = _events(after, TOKEN_DESTROYED, target - TOKEN)
        return bool(paid), sum(event[5] for event in paid if event[3] == side)
    to, killer = pending_turn(after, target)
    fighter = before.fighter(target)
    if to < fighter.clicks:
        return False, 0
    is_paid = killer >= 0 and killer == attacker and fighter.side != side and _left(before, target) > 0
    return True, for_kill(fighter.total, before.fighter(attacker).total) if is_paid else 0


def _spent(ways: Sequence[Way], unit: int) -> tuple[str, ...]:
    """Return the single-use items of a unit that are used up in any of the ways."""
    events = [event for way in ways for event in _events(way.table, SPENT, unit)]
    return tuple(dict.fromkeys(key for event in events for key in keys_of(event[2])))


def _share(ways: Sequence[Way], holds: Sequence[bool]) -> float:
    """Return the chance of those ways for which something holds, among all of them."""
    total = sum((way.chance for way in ways), Fraction(0))
    return float(sum((way.chance for way, true in zip(ways, holds, strict=True) if true), Fraction(0)) / total)


def _spread(ways: Sequence[Way], amounts: Sequence[int]) -> Spread:
    found: dict[int, Fraction] = defaultdict(Fraction)
    for way, amount in zip(ways, amounts, strict=True):
        found[amount] += way.chance
    total = sum(found.values(), Fraction(0))
    return tuple((amount, float(found[amount] / total)) for amount in sorted(found))
