"""What equipment may know of a declared attack."""

from __future__ import annotations

from rules.competition.attacks.forms import Attack
from rules.competition.state.match_state import MatchState
from rules.competition.state.position import CLOSE, RANGED, SHUTDOWN
from rules.competition.state.roster import TOKEN
from rules.core.attack_hooks import AttackFacts


def facts_of(table: MatchState, attack: Attack) -> AttackFacts:
    """Return what equipment may know of an attack; of several targets the first stands for all."""
    target = attack.targets[0]
    return AttackFacts(
        attack.is_ranged,
        attack.order in (CLOSE, RANGED),
        attack.is_single,
        target < TOKEN,
        target < TOKEN and bool(table.position.status[target] & SHUTDOWN),
    )
