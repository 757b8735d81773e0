"""The feat that a player claims from a phone."""

from __future__ import annotations

from typing import Any

from django.http import QueryDict

from challenge.forms.deeds import facts_of
from rules.challenge.entries import PHASES
from rules.challenge.kinds import KINDS
from rules.challenge.state import Event, Pilot
from rules.core.digits import whole_number
from rules.core.refusals import Malformed

TURN_DIGITS = 3


def feat_of(data: QueryDict, state: Event, pilot: Pilot) -> dict[str, Any]:
    """Return the entry that a form says of a pilot, in the turn that it was shown in, else the open one of their table.

    Raises Malformed (bad_entry) for a kind that does not happen on the board, and for a number that is none.
    """
    name = data.get("what", "")
    kind = KINDS.get(name)
    if kind is None or kind.off_board:
        raise Malformed("bad_entry", field="what", problem="unknown_key", key=name[:60])
    document: dict[str, Any] = {
        "what": name,
        "by": pilot.id,
        "table": pilot.table,
        "turn": turn_in(data, state.table(pilot.table).turn),
    }
    if data.get("at"):
        document["at"] = data["at"]
    if data.get("phase") in PHASES:
        document["phase"] = data["phase"]
    document |= facts_of(data, kind.facts)
    if "hit" in kind.facts and "hit" not in document:
        document["hit"] = False
    return document


def turn_in(data: QueryDict, now: int) -> int:
    """Return the turn that a form names: a claim that a phone kept for a while is one of its own turn."""
    turn = whole_number(data.get("turn", ""), TURN_DIGITS)
    return now if turn is None else turn
