"""What the page proposes: answers to the open decision that people need not choose themselves, beside those chosen."""

from __future__ import annotations

from collections.abc import Mapping

from rules.bots.estimates import facing_to
from rules.competition.match import Match as EngineMatch
from rules.competition.narrowing import NONE, Narrowing, narrow

Answers = Mapping[str, str]


def narrowed(engine: EngineMatch, answers: Answers) -> Narrowing:
    """Return the answers to the open decision, with proposals where people need not choose themselves."""
    decision = engine.decision
    assert decision is not None, "the match is over"
    unit = engine.snapshot()["units"][decision.unit]
    origin = unit["hex"] or ""
    actions = engine.legal_actions()
    proposals = {"mode": "walk", "path": "", "cancel": NONE}
    if decision.kind == "free_spin":
        proposals["facing"] = NONE
    if decision.kind == "tag":
        proposals |= {"facing_out": str(unit["facing"]), "facing_in": str(unit["facing"])}
    found = narrow(actions, origin, answers, proposals)
    if found.question is not None and found.question.key == "facing":
        proposals["facing"] = _facing_to_opponents(engine, decision.unit, {"hex": origin, **found.settled})
        found = narrow(actions, origin, answers, proposals)
    return found


def _facing_to_opponents(engine: EngineMatch, name: str, answers: Answers) -> str:
    """Return the facing towards the chosen target; without one towards the nearest opponent, or the arena's middle."""
    roster, position = engine.table.roster, engine.table.position
    unit, lattice = roster.unit_of[name], roster.lattice
    place = lattice.index(answers["hex"])
    target = roster.unit_of.get(answers.get("target", ""))
    others = [other for other in roster.opponents[unit] if position.hex[other] >= 0]
    away = lattice.distances(place)
    if target is not None and position.hex[target] >= 0:
        towards = position.hex[target]
    elif others:
        towards = min((position.hex[other] for other in others), key=lambda there: away[there])
    else:
        towards = lattice.index(f"{(lattice.columns + 1) // 2:02d}{lattice.rows // 2:02d}")
    return str(facing_to(engine.table, place, towards) if towards != place else position.facing[unit])
