"""Questions that decide nothing: whatever is answered, the match comes out alike, or one answer is as good as any.

Only what everybody sees is looked at. So nobody can tell from a question that is left out what a rival has in hand.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from rules.competition.attacks.arithmetic import CRITICAL_HIT, CRITICAL_MISS, critical_of, sum_of
from rules.competition.attacks.resolving import Rolled
from rules.competition.match import Match
from rules.competition.state.match_state import Choice, MatchState
from rules.competition.state.position import SHUTDOWN

FACES = range(1, 7)

CRITICAL_MISSED, MISSED, HIT, CRITICALLY_HIT = range(4)
"""How an attack ends for one target, the best for the attacker last."""


def indifferent_action(match: Match) -> dict[str, Any] | None:
    """Return a legal answer to the open decision if no other would be better for its side now or later.

    Return None when the answers differ, and when nothing is open.
    """
    if match.table.open is None:
        return None
    kind, _, data = match.table.open
    found = _ANSWERS.get(kind.name, _none)(match.table, data)
    return None if found is None else match.action_of(found)


def _none(table: MatchState, data: object) -> Choice | None:
    return None


def _initiative(table: MatchState, data: object) -> Choice | None:
    """Return "last" when all units are shut down, and so none takes an order before the round is over.

    A unit that restarts takes none either (R-SHD-05, R-SHD-11), and a card acts on its own unit only (R-RAL-05). A
    house rule may let them vent; that changes nothing for the others.
    """
    status = table.position.status
    in_play = [unit for unit in table.roster.units if table.is_in_play(unit)]
    return (False,) if all(status[unit] & SHUTDOWN for unit in in_play) else None


def _reroll(table: MatchState, rolled: Rolled) -> Choice | None:
    """Return "none" when no other face of any die would help against any target (R-SEA-04, R-CRT-08)."""
    sums = [sum_of(table, rolled.attack, target) for target in rolled.attack.targets]

    def ends(dice: tuple[int, ...], reroll: int | None) -> list[int]:
        critical = critical_of(dice, reroll)
        known = {CRITICAL_HIT: CRITICALLY_HIT, CRITICAL_MISS: CRITICAL_MISSED}
        return [known.get(str(critical), HIT if one.is_hit_by(dice, critical) else MISSED) for one in sums]

    now = ends(rolled.dice, None)
    for die, before in enumerate(rolled.dice):
        for face in FACES:
            dice = (*rolled.dice[:die], face, *rolled.dice[die + 1 :])
            if face != before and any(then > was for then, was in zip(ends(dice, die), now, strict=True)):
                return None
    return (-1,)


_ANSWERS: Mapping[str, Callable[[MatchState, Any], Choice | None]] = {"initiative": _initiative, "reroll": _reroll}
"""Kind of decision -> the answer that is as good as any, None when there is none."""
