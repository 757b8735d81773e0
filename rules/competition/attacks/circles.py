"""Single-use circles that their owner may cancel to avoid the point of damage that they cost (R-SEG-06, R-SEG-08)."""

from __future__ import annotations

from rules.competition.attacks.facts import facts_of
from rules.competition.attacks.forms import AttackChoice, as_attack
from rules.competition.state.match_state import MatchState
from rules.competition.state.position import RANGED
from rules.competition.state.roster import TOKEN
from rules.core.attack_hooks import helps_attacker
from rules.core.equipment import OPTIONAL
from rules.core.equipment_hooks import is_armor


def unspent_circles(table: MatchState, unit: int) -> int:
    """Return the bits of single-use items at work that would cost 1 damage and can be cancelled.

    Nearly every unit has none.
    """
    circles = table.roster.fighters[unit].single_use[table.position.clicks[unit]]
    if not circles:
        return 0
    return circles & table.equipment(unit) & OPTIONAL & ~table.position.spent[unit]


def without_circles(
    table: MatchState, unit: int, circles: int, order: int, found: list[tuple[int, AttackChoice]]
) -> list[tuple[int, AttackChoice]]:
    """Return, for each attack of `found` (facings and choice) that would use circles, the same attack without them."""
    listed = {choice for _, choice in found}
    more = []
    free = table.fighter(unit).free_on_value
    click = table.position.clicks[unit]
    for facings, choice in found:
        declined = circles & ~free[choice[1]][click] & ~choice[-1] & _serving(table, unit, order, choice)
        again = (*choice[:-1], choice[-1] | declined)
        if declined and again not in listed:
            more.append((facings, again))
    return more


def _serving(table: MatchState, unit: int, order: int, choice: AttackChoice) -> int:
    """Return the attacker's bits that would take effect in this attack; 0 for a repair."""
    targets = choice[2]
    if targets[0] < TOKEN and table.roster.side_of[targets[0]] == table.roster.side_of[unit]:
        return 0
    active = table.equipment(unit) & ~choice[-1]
    on_value = table.equipment_on_value(unit, choice[1]) & active
    # A shot into a fight may hit the armor of friends as well.
    meets_armor = (choice[0] == RANGED and choice[5]) or any(_is_armored(table, target) for target in targets)
    return helps_attacker(active, on_value, facts_of(table, as_attack(unit, order, choice)), meets_armor)


def _is_armored(table: MatchState, target: int) -> bool:
    return is_armor(table.equipment(target) if target < TOKEN else table.roster.token_armor[target - TOKEN])
