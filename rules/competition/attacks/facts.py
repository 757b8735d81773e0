"""The facts of a declared attack that equipment may use."""

from __future__ import annotations

from rules.competition.attacks.forms import Attack
from rules.competition.state.match_state import MatchState
from rules.competition.state.position import CLOSE, RANGED, SHUTDOWN
from rules.competition.state.roster import TOKEN
from rules.core.attack_hooks import AttackFacts


def facts_of(table: MatchState, attack: Attack) -> AttackFacts:
    """Return the facts of an attack that equipment may use; of several targets only the first one is looked at."""
    target = attack.targets[0]
    return AttackFacts(
        attack.is_ranged,
        attack.order in (CLOSE, RANGED),
        attack.is_single,
        target < TOKEN,
        target < TOKEN and bool(table.position.status[target] & SHUTDOWN),
    )
