"""Coded reasons about reactions, what they save and cost, and about other small answers."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from rules.bots.advice.attacks import AnyAsked, Asked, Blow, OwnAttack, blow_of, clicks_left, heat_instead, own_attack
from rules.bots.advice.heat import reasons_of_heat
from rules.bots.advice.reason import Reason, percent, points
from rules.competition.attacks.arithmetic import AttackSum, critical_of, sum_of
from rules.competition.attacks.damage import Hit
from rules.competition.attacks.forms import Attack
from rules.competition.attacks.reactions import CancelChoice, HelpfulEquipment, ReactChoice
from rules.competition.attacks.repairing import VALUE, Mending, RepairChoice
from rules.competition.attacks.resolving import RerollChoice, Rolled, SplitChoice
from rules.competition.forecast import AttackForecast
from rules.competition.formats.flags import CarriedFlag, DropChoice
from rules.competition.formats.tag_team import ActiveChoice, TagChoice
from rules.competition.order_forecast import order_forecast
from rules.competition.phases.rounds import StartChoice
from rules.competition.state.events import ORDER_GIVEN
from rules.competition.state.gear_tables import Conflict
from rules.competition.state.match_state import MatchState
from rules.competition.state.position import DIG_IN, DODGE, TURN_OVER
from rules.competition.state.roster import TOKEN
from rules.competition.units.heat import EFFECTS, RestartChoice, ShownEffect
from rules.competition.units.initiative import FirstChoice, Ranking
from rules.competition.units.rally import RallyChoice
from rules.competition.units.revivals import REVIVE_AT, ReviveChoice
from rules.competition.units.sources import SourceChoice
from rules.competition.units.tokens import TokenChoice, counted_hex
from rules.core.card_hooks import total
from rules.core.dice import ScriptedDice

DIE = 6
USUAL_COUNT = (7, 10)
"""Hexes across and along that the dice count most often from a corner (R-TGT-12)."""


def reasons_of_reaction(asked: Asked[Attack, ReactChoice]) -> list[Reason]:
    """Return how a reaction changes the attack, the unit's own attack and its heat."""
    table, unit, attack = asked.table, asked.unit, asked.data
    order = asked.choice[0]
    found = _of_answer(asked, attack, {"react": "none"})
    if order != DODGE and table.position.orders[unit] & TURN_OVER:
        return found + (reasons_of_heat(table, unit, 1) if order else [])
    if not order:
        own = own_attack(table, unit)
        return found + ([_own(own.target, own.chance, "keeps_attack")] if own else [])
    return found + _own_attack_under(table, unit, order) + reasons_of_heat(table, unit, 1)


def reasons_of_equipment(asked: Asked[HelpfulEquipment, CancelChoice]) -> list[Reason]:
    """Return how the attack changes when the unit does without some equipment."""
    return _of_answer(asked, asked.data[0], {"choose": "cancel", "keys": []})


def _of_answer(asked: AnyAsked, attack: Attack, plain: Mapping[str, Any]) -> list[Reason]:
    """Return chance and expected damage of an attack after the unit's answer, compared with the `plain` answer.

    The damage decides whether the attack falls or grows. Without equipment a hit may deal more, so that fewer hits can
    do more damage. The list is empty when there is no forecast of the attack on the unit.
    """
    name = asked.table.fighter(asked.unit).name
    whole = order_forecast(asked.match, asked.action)
    plainly = order_forecast(asked.match, {"unit": name, **plain})
    if whole is None or plainly is None or whole.attack is None:
        return []
    seen = whole.attack
    then, now = _hits_on(seen, name), _hits_on(plainly.attack, name)
    if then is None or now is None:
        return []
    attacker = asked.table.fighter(attack.attacker).name
    if seen.heat:
        return [_chance_alone(attacker, then, now), heat_instead(seen)]
    blow = blow_of(whole, name)
    expected = then * blow.mean
    before = now * blow_of(plainly, name).mean
    values = {"attacker": attacker, "then": percent(then), "now": percent(now), "expected": points(expected)}
    values["saved"] = points(abs(before - expected))
    falls = (expected, then) < (before, now)
    code = "attack_as_it_is" if values["then"] == values["now"] else "attack_falls" if falls else "attack_grows"
    is_shared = seen.is_ranged and len(seen.targets) > 1
    return [Reason(code, values), *_would_fall(asked.table, asked.unit, blow, is_shared)]


def _chance_alone(attacker: str, then: float, now: float) -> Reason:
    """Return the chance of an attack that deals no damage, before and after the answer."""
    values = {"attacker": attacker, "then": percent(then)}
    if values["then"] == percent(now):
        return Reason("chance_as_it_is", values)
    return Reason("chance_changes", {**values, "now": percent(now)})


def _hits_on(seen: AttackForecast | None, name: str) -> float | None:
    return next((each.chance for each in seen.targets if each.target == name), None) if seen else None


def _would_fall(table: MatchState, unit: int, blow: Blow, is_shared: bool) -> list[Reason]:
    """Return the reason that a hit would destroy the unit, or may do so by a die or by a share of divided damage.

    The list is empty if no hit can.
    """
    left = max(0, clicks_left(table, unit))
    chance = blow.chance_of(left)
    if not chance:
        return []
    if is_shared and left:
        return [Reason("could_be_destroyed", {"left": left})]
    if chance < 1:
        return [Reason("may_be_destroyed", {"left": left, "chance": percent(chance)})]
    return [Reason("would_be_destroyed", {"left": left})]


def _own(target: str, chance: float, reason: str) -> Reason:
    return Reason(reason, {"target": target, "chance": percent(chance)})


def _own_attack_under(table: MatchState, unit: int, order: int) -> list[Reason]:
    """Return how a reaction changes the unit's own attack; a dodge gives it up."""
    own = own_attack(table, unit)
    if own is None:
        return [Reason("no_attack_to_lose")]
    if order == DODGE:
        return [_own(own.target, own.chance, "gives_up_attack")]
    changed = _after_order(table, unit, order)
    if changed is None:
        return []
    now, then = percent(own.chance), percent(changed.chance)
    code = "own_attack_grows" if then > now else "own_attack_falls" if then < now else "keeps_attack"
    return [Reason(code, {"target": changed.target, "now": now, "chance": then})]


def _after_order(table: MatchState, unit: int, order: int) -> OwnAttack | None:
    thought = table.copy(ScriptedDice([]))
    thought.emit(ORDER_GIVEN, unit, order, True)
    return own_attack(thought, unit)


def reasons_of_digging_in(asked: AnyAsked) -> list[Reason]:
    """Return how digging in on the unit's own turn changes its attack and its heat."""
    table, unit = asked.table, asked.unit
    return _own_attack_under(table, unit, DIG_IN) + reasons_of_heat(table, unit, 1)


# --- small answers -------------------------------------------------------------------------------------------------


def _initiative(asked: Asked[Ranking, FirstChoice]) -> list[Reason]:
    others = len(asked.data) - 1
    return [Reason("acts_first" if asked.choice[0] else "acts_last", {"others": others})]


def _revive(asked: Asked[None, ReviveChoice]) -> list[Reason]:
    fighter = asked.table.fighter(asked.unit)
    modifier = fighter.pilot_defense + total("revive", fighter.texts)
    faces = sum(die + modifier >= REVIVE_AT for die in range(1, DIE + 1))
    return [_attempt(asked, faces)]


def _restart(asked: Asked[ShownEffect, RestartChoice]) -> list[Reason]:
    return [_attempt(asked, DIE + 1 - EFFECTS[asked.data[1]].restart_from)]


def _attempt(asked: Asked[Any, tuple[bool]], faces: int) -> Reason:
    code = "attempt_succeeds" if asked.choice[0] else "attempt_would_succeed"
    return Reason(code, {"chance": percent(max(0, min(DIE, faces)) / DIE)})


def _reroll(asked: Asked[Rolled, RerollChoice]) -> list[Reason]:
    """Return whether the dice hit the first target, or the chance to hit it with one die rolled again."""
    table, rolled = asked.table, asked.data
    target = rolled.attack.targets[0]
    summed = sum_of(table, rolled.attack, target)
    name = table.roster.target_name(target)
    number = asked.choice[0]
    if number < 0:
        return [Reason("roll_hits" if _hits(rolled, summed) else "roll_misses", {"target": name})]
    faces = 0
    for die in range(1, DIE + 1):
        dice = (*rolled.dice[:number], die, *rolled.dice[number + 1 :])
        faces += _hits(rolled._replace(dice=dice, reroll=number), summed)
    return [Reason("roll_again", {"target": name, "face": rolled.dice[number], "chance": percent(faces / DIE)})]


def _hits(rolled: Rolled, summed: AttackSum) -> bool:
    return summed.is_hit_by(rolled.dice, critical_of(rolled.dice, rolled.reroll))


def _split(asked: Asked[Hit, SplitChoice]) -> list[Reason]:
    table, hit = asked.table, asked.data
    found = []
    for target, share in zip(hit.targets, asked.choice, strict=True):
        name = table.roster.target_name(target)
        if target >= TOKEN:
            if share:
                found.append(Reason("share_destroys_token", {"target": name}))
        elif share and share >= clicks_left(table, target):
            found.append(Reason("share_destroys", {"target": name, "damage": share}))
        elif share:
            found.append(Reason("share_goes_to", {"target": name, "damage": share, "left": clicks_left(table, target)}))
    return found


def _repair(asked: Asked[Mending, RepairChoice]) -> list[Reason]:
    mending = asked.data
    if asked.choice[0] == VALUE:
        return [Reason("mends_by_value", {"clicks": asked.table.damage_by_heat(asked.unit, mending.attack.value)})]
    return [Reason("mends_by_die")]


def _active(asked: Asked[None, ActiveChoice]) -> list[Reason]:
    """Return no reasons: only the chances say which unit should begin."""
    return []


def _tag(asked: Asked[int, TagChoice]) -> list[Reason]:
    table, unit = asked.table, asked.unit
    partner = asked.data
    values = {"left": clicks_left(table, unit), "partner": table.fighter(partner).name}
    values["partner_left"] = clicks_left(table, partner)
    return [Reason("partner_stays_out" if asked.choice[0] < 0 else "partner_comes_in", values)]


def _flag_drop(asked: Asked[CarriedFlag, DropChoice]) -> list[Reason]:
    table = asked.table
    home = table.position.flags[table.roster.side_of[asked.unit]][0]
    if asked.choice[0] < 0:
        return [Reason("keeps_flag")]
    return [Reason("flag_lies", {"distance": table.roster.lattice.distance(asked.choice[0], home)})]


def _rally(asked: Asked[None, RallyChoice]) -> list[Reason]:
    card = asked.choice[0]
    roster = asked.table.roster
    hand = roster.hand_of(asked.unit)
    if card is None:
        # A played card stays in the roster's hand; its owner's rallies say which cards those are.
        own = roster.own_units[asked.unit]
        played = {name for _, unit, name, _ in asked.table.position.rallies if unit in own}
        return [Reason("keeps_cards", {"cards": len(hand.keys() - played)})]
    return [Reason("card_does", {"card": card, "effect": hand[card].effect})]


def _source(asked: Asked[Conflict, SourceChoice]) -> list[Reason]:
    why = asked.match.decision.why if asked.match.decision else {}
    return [Reason("source_serves", {"equipment": why.get(asked.choice[0]), "value": why.get("value")})]


def _start(asked: Asked[None, StartChoice]) -> list[Reason]:
    table, place = asked.table, asked.choice[0]
    places = [table.position.hex[other] for other in table.roster.opponents[asked.unit]]
    placed = [table.roster.lattice.distance(place, other) for other in places if other >= 0]
    if placed:
        return [Reason("starts_from_opponent", {"distance": min(placed)})]
    lattice = table.roster.lattice
    middle = lattice.index(f"{(lattice.columns + 1) // 2:02d}{(lattice.rows + 1) // 2:02d}")
    return [Reason("starts_from_middle", {"distance": lattice.distance(place, middle)})]


def _token(asked: Asked[int, TokenChoice]) -> list[Reason]:
    """Return how far the token is from the unit; a token counted from a corner falls at its most likely hex.

    The list is empty if the unit or the token is off the map.
    """
    table, place = asked.table, asked.table.position.hex[asked.unit]
    hex_of, code = asked.choice[0], "token_lies"
    decision = asked.match.decision
    if decision is not None and decision.why.get("place") == "corner":
        hex_of, code = counted_hex(table, hex_of, *USUAL_COUNT), "token_falls"
    if place < 0 or hex_of < 0:
        return []
    return [Reason(code, {"distance": table.roster.lattice.distance(place, hex_of)})]


SMALL: Mapping[str, Callable[[AnyAsked], list[Reason]]] = {
    "initiative": _initiative,
    "react": reasons_of_reaction,
    "cancel": reasons_of_equipment,
    "revive": _revive,
    "restart": _restart,
    "reroll": _reroll,
    "split": _split,
    "repair": _repair,
    "active": _active,
    "tag": _tag,
    "flag_drop": _flag_drop,
    "rally": _rally,
    "source": _source,
    "start": _start,
    "token": _token,
}
"""Kind of decision -> the function that explains an answer to it; orders of a turn are explained elsewhere."""
