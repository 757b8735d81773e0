"""Changes to a 'Mech: what may go, what may come in its place, what it costs (MC-CUST-01 to 09)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cache
from typing import Any

from rules.challenge.asking import cannot_pay
from rules.challenge.mechs import Mech
from rules.challenge.state import Event, Pilot
from rules.challenge.tables import read_data
from rules.challenge.worth import Worth
from rules.core.refusals import Refusal

EVERYBODY = "all_stables"


@cache
def _equipment() -> Mapping[str, frozenset[str]]:
    data = read_data("equipment")
    return {"removable": frozenset(data["removable"]), **{row["id"]: frozenset(row["adds"]) for row in data["rows"]}}


def may_add(event: Event, membership: str) -> frozenset[str]:
    """Return what a stable or Larzellier may build in; its own list stands in place of everybody's (R-MEM-08)."""
    lists = _equipment()
    own = lists.get(membership, lists[EVERYBODY])
    if event.switches.equipment_rows == "add":
        return own | lists[EVERYBODY]
    return own


def changed_price(mech: Mech, cost: int) -> int:
    """Return what a changed 'Mech costs its owner: what it is dearer by, never below 0 C-bills (MC-CUST-06)."""
    return max(0, cost - mech.book)


def why_not_customise(event: Event, pilot: Pilot, mech: Mech, facts: Mapping[str, Any]) -> Iterator[Refusal]:
    """Yield why a 'Mech may not be changed so."""
    member = next((each for each in pilot.memberships if each.id == facts["with"]), None)
    if member is None or not (member.is_stable or member.effects.customises):
        yield Refusal("no_customising", {"membership": facts["with"]})
        return
    if mech.model.omni:
        yield Refusal("no_custom_omni", {"mech": mech.model.id})
    removable = _equipment()["removable"]
    for item in facts.get("removed", ()):
        if item not in removable:
            yield Refusal("not_removable", {"item": item})
    allowed = may_add(event, member.id)
    for item in facts.get("added", ()):
        if item not in allowed:
            yield Refusal("not_addable", {"item": item, "membership": member.id})
    if facts.get("weight_added", 0) > facts.get("weight_removed", 0):
        yield Refusal("too_heavy", {})
    if not facts.get("same_location", True) and not _may_move(member.id):
        yield Refusal("not_same_place", {"membership": member.id})
    if any(table.facts for table in event.tables.values()):
        # Only at the start or the end of a day (MC-CUST-08).
        yield Refusal("turn_open", {})
    yield from cannot_pay(event, pilot, Worth(0, 0, changed_price(mech, facts["cost"])))


def _may_move(membership: str) -> bool:
    """Return whether a stable may place equipment elsewhere (MC-CUST-04)."""
    return membership in ("cenotaph", "toranaga", "zelazni")
