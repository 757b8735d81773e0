"""Coded reasons about heat: the step that an answer leads to, the effects that show there, and their chances."""

from __future__ import annotations

from rules.bots.advice.reason import Reason, percent
from rules.competition.attacks.aftermath import ORDER_HEAT
from rules.competition.state.match_state import MatchState
from rules.competition.state.position import DEFEND, DIG_IN, SHUTDOWN
from rules.competition.state.roster import DAMAGE_LOCATIONS
from rules.competition.units.heat import EFFECTS
from rules.core.card_hooks import Text, giver, total
from rules.core.equipment_hooks import run_heat
from rules.core.pilot_hooks import ONCE_A_ROUND

CHARGE_HEAT = 2
"""Heat of a charge (R-CHG-12)."""

ORDERS = {name: amount for name, amount in ORDER_HEAT.values()}
"""Heat of an order that attacks, by its name."""

DIE = 6


def heat_of_order(table: MatchState, unit: int, order: str, runs: bool = False, cancelled: int = 0) -> int:
    """Return the heat that an order itself adds to a unit (sections HET, CHG).

    The bits in `cancelled` are equipment that the unit does without. Equipment counts only for the heat of a run.
    """
    if order == "move":
        return run_heat(table.equipment(unit) & ~cancelled)[0] if runs else 0
    if order in ORDERS:
        # An attack within a reaction adds no heat: the reaction has added it already.
        return 0 if table.position.orders[unit] & (DIG_IN | DEFEND) else ORDERS[order]
    return {"dig_in": 1, "defend": 1, "dodge": 1, "charge": CHARGE_HEAT}.get(order, 0)


def reasons_of_heat(table: MatchState, unit: int, added: int) -> list[Reason]:
    """Return what `added` heat does to the unit when its dial turns.

    The list is empty without added heat, and for a unit that is shut down.
    """
    position = table.position
    if added <= 0 or position.status[unit] & SHUTDOWN:
        return []
    step = position.heat[unit] + position.heat_die[unit] + added
    if step >= table.fighter(unit).steps:
        return [Reason("heat_shuts_down", {"added": added})]
    heating = Reason("heat_adds", {"added": added, "step": step, "steps": table.fighter(unit).steps})
    consequences = _effects(table, unit, step) + _weaker(table, unit, step)
    return [heating, *consequences] if consequences else [Reason("heat_harmless", {"added": added, "step": step})]


def _effects(table: MatchState, unit: int, step: int) -> list[Reason]:
    """Return the effects that show at a step and may strike."""
    texts = table.texts(unit) if table.roster.has_texts else ()
    shown = [key for _, key in table.fighter(unit).effects[step]]
    keys = [key for key in shown if not giver("ignores_heat_effect", texts, EFFECTS[key].kind)]
    again = tuple(text for text in texts if giver("rerolls_heat_effect", (text,)))
    chances = _chances_to_strike([(EFFECTS[key].safe_from - 1) / DIE for key in keys], again)
    return [
        Reason("heat_effect_shows", {"effect": key, "chance": percent(chance), "rule": EFFECTS[key].rule})
        for key, chance in zip(keys, chances, strict=True)
    ]


def _chances_to_strike(plain: list[float], again: tuple[Text, ...]) -> list[float]:
    """Return the chances, 0 to 1, that effects strike when they are rolled one after the other.

    `plain` are their chances without cards. `again` are the texts that let the unit roll again when an effect would
    strike: the first of them is used, and one that serves once a round is used up.
    """
    found = []
    left: dict[tuple[Text, ...], float] = {again: 1.0}
    for chance in plain:
        strikes = 0.0
        then: dict[tuple[Text, ...], float] = {}
        for texts, share in left.items():
            after = texts[1:] if texts and texts[0][1] in ONCE_A_ROUND else texts
            strikes += share * chance * (chance if texts else 1.0)
            then[texts] = then.get(texts, 0.0) + share * (1 - chance)
            then[after] = then.get(after, 0.0) + share * chance
        found.append(strikes)
        left = then
    return found


def _weaker(table: MatchState, unit: int, step: int) -> list[Reason]:
    """Return the damage values that are lower at a heat step than now."""
    position, fighter, pilot = table.position, table.fighter(unit), table.pilot_counts(unit)
    found = []
    for value, name in enumerate(DAMAGE_LOCATIONS):
        now = table.damage(unit, value)
        then = fighter.damage[value][pilot][step][position.clicks[unit]]
        if then < now:
            found.append(Reason("heat_weakens", {"value": name, "now": now, "then": then}))
    return found


def reasons_of_vent(table: MatchState, unit: int) -> list[Reason]:
    """Return how many heat steps venting takes off, and the effects that it avoids."""
    position, fighter = table.position, table.fighter(unit)
    amount = fighter.vent + total("vent", table.texts(unit))
    pending = 0 if position.status[unit] & SHUTDOWN else position.heat_die[unit]
    before = min(fighter.steps, position.heat[unit] + pending)
    after = max(0, before - amount)
    if before == after:
        return [Reason("nothing_to_cool")]
    found = [Reason("vent_cools", {"now": before, "then": after})]
    if before < fighter.steps:
        escaped = {key for _, key in fighter.effects[before]} - {key for _, key in fighter.effects[after]}
        found += [Reason("heat_effect_avoided", {"effect": key}) for key in sorted(escaped)]
    return found
