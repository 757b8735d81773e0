"""Changes to a 'Mech: what may go, what may come in its place, what it costs (MC-CUST-01 to 09)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from functools import cache
from typing import Any

from rules.challenge.mechs import Mech
from rules.challenge.state import Event, Pilot
from rules.challenge.tables import Membership, read_data
from rules.challenge.worth import rounded_down
from rules.core.refusals import Refusal

EVERYBODY = "all_stables"


@cache
def _equipment() -> Mapping[str, frozenset[str]]:
    data = read_data("equipment")
    return {"removable": frozenset(data["removable"]), **{row["id"]: frozenset(row["adds"]) for row in data["rows"]}}


def may_add(event: Event, membership: str) -> frozenset[str]:
    """Return what a stable or Larzellier may build in; its own list stands in place of everybody's (MCQ-MEM-08)."""
    lists = _equipment()
    own = lists.get(membership, lists[EVERYBODY])
    if event.switches.equipment_rows == "add" and event.printed.memberships[membership].is_stable:
        return own | lists[EVERYBODY]
    return own


PHYSICAL, LEGS = "physical_weapons", "leg_equipment"


def physical_relief(member: Membership, facts: Mapping[str, Any], dearer: int) -> Fraction:
    """Return the C-bills that a stable takes off for a physical weapon that it builds in (MC-STAB-11).

    `physical_cost` of the entry is the part of the cost that the physical weapon makes; where nothing else is added it
    is all that the 'Mech gets `dearer` by.
    """
    added = facts.get("added", ())
    if PHYSICAL not in added:
        return Fraction(0)
    share = facts.get("physical_cost", dearer if set(added) == {PHYSICAL} else 0)
    return Fraction(-share * member.effects.physical_weapon_percent, 100)


def changed_price(event: Event, mech: Mech, facts: Mapping[str, Any]) -> int:
    """Return what a changed 'Mech costs its owner: what it is dearer by, never below 0 C-bills (MC-CUST-06)."""
    member = event.printed.memberships[facts["with"]]
    dearer = max(0, facts["cost"] - mech.book)
    return rounded_down(max(0, int(dearer - physical_relief(member, facts, dearer))))


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
    if not facts.get("same_location", True) and not _may_move(member, facts.get("added", ())):
        yield Refusal("not_same_place", {"membership": member.id})
    if any(table.facts for table in event.tables.values()) or any(each.is_in_arena for each in event.pilots.values()):
        # Only at the start or the end of a day (MC-CUST-08): never while anybody fights.
        yield Refusal("turn_open", {})


def _may_move(member: Membership, added: Sequence[str]) -> bool:
    """Return whether a stable may place these pieces of equipment elsewhere (MC-CUST-04).

    Where it may move those of the legs, the GM sees that it is no others.
    """
    return member.effects.moves == LEGS or (member.effects.moves == PHYSICAL and set(added) == {PHYSICAL})
