"""Tag Team: one active unit a side, its partner waiting for the change (R-FMT-07 to R-FMT-12, Q-142, Q-173).

The waiting unit's `hex` in the Position is -1, so that nothing sees, touches or harms it; the hex that it fills is in
`waiting`.
"""

from __future__ import annotations

import random
from collections.abc import Mapping
from typing import Any

from rules.competition.formats.team import Team
from rules.competition.state import reading
from rules.competition.state.events import REPAIRED
from rules.competition.state.format_events import ACTIVATED, ACTIVE_NAMED, TAGGED
from rules.competition.state.match_format import Task
from rules.competition.state.match_state import DecisionKind, MatchState
from rules.core.refusals import IllegalAction, Malformed, Refusal


class TagTeam(Team):
    """A team match in which one unit a side is active."""

    key = "tag_team"

    def setup_tasks(self, table: MatchState) -> list[Task]:
        """Return a task for each player to name their active unit, from the first player clockwise (R-FMT-08)."""
        return [(ask_active, side) for side in clockwise(table)]

    def initiative_tasks(self, table: MatchState) -> list[Task]:
        """Return the tasks in which partners of fallen units become active, then the offers to change.

        The rules are R-FMT-09 and R-FMT-10.
        """
        sides = clockwise(table)
        return [*((activate, side) for side in sides), *((ask_tag, side) for side in sides)]

    def cleanup_tasks(self, table: MatchState) -> list[Task]:
        """Return the repair of waiting units (R-CLN-08)."""
        return [(repair_waiting,)]


def clockwise(table: MatchState) -> list[int]:
    """Return all sides clockwise from the first player's."""
    count = len(table.roster.sides)
    return [(table.position.first_side + step) % count for step in range(count)]


def pair_of(table: MatchState, side: int) -> tuple[int, int]:
    """Return the active unit of a side, or -1, and the waiting one, or -1."""
    waiting = [unit for unit, _ in table.position.waiting if table.roster.side_of[unit] == side]
    active = [unit for unit in table.roster.side_units[side] if table.position.hex[unit] >= 0]
    return active[0] if active else -1, waiting[0] if waiting else -1


ActiveChoice = tuple[int]
"""(unit,)."""


class NameActive(DecisionKind[None, ActiveChoice]):
    """Which unit is active when the match begins (R-FMT-08)."""

    name = "active"
    is_for_side = True

    def options(self, table: MatchState, unit: int, data: None) -> list[ActiveChoice]:
        return [(other,) for other in table.roster.side_units[table.roster.side_of[unit]]]

    def problems(self, table: MatchState, unit: int, data: None, choice: ActiveChoice) -> list[Refusal]:
        return []

    def read(self, table: MatchState, unit: int, data: None, document: Mapping[str, Any]) -> ActiveChoice:
        reading.only(document, "choose", "active")
        return (_own_unit(table, unit, document.get("active")),)

    def write(self, table: MatchState, unit: int, data: None, choice: ActiveChoice) -> dict[str, Any]:
        return {"choose": self.name, "active": table.fighter(choice[0]).name}

    def why(self, table: MatchState, unit: int, data: None) -> dict[str, Any]:
        return {"units": [table.fighter(choice[0]).name for choice in self.options(table, unit, data)]}

    def resolve(self, table: MatchState, unit: int, data: None, choice: ActiveChoice) -> None:
        (waiting,) = (other for (other,) in self.options(table, unit, data) if other != choice[0])
        table.emit(ACTIVE_NAMED, choice[0], waiting)


TagChoice = tuple[int, int, int]
"""(partner or -1, facing of the unit that goes out, facing of the one that comes in)."""


class Tag(DecisionKind[int, TagChoice]):
    """Whether the active unit changes with its partner (R-FMT-09). Data: the partner."""

    name = "tag"

    def options(self, table: MatchState, unit: int, data: int) -> list[TagChoice]:
        return [(-1, 0, 0), *((data, going, coming) for going in range(12) for coming in range(12))]

    def sample(self, table: MatchState, unit: int, data: int, rng: random.Random) -> TagChoice:
        if rng.random() < 0.5:
            return (-1, 0, 0)
        return (data, int(rng.random() * 12), int(rng.random() * 12))

    def default(self, table: MatchState, unit: int, data: int) -> TagChoice:
        return (-1, 0, 0)

    def problems(self, table: MatchState, unit: int, data: int, choice: TagChoice) -> list[Refusal]:
        return []

    def read(self, table: MatchState, unit: int, data: int, document: Mapping[str, Any]) -> TagChoice:
        reading.only(document, "choose", "with", "facings")
        if document.get("with") is None:
            return (-1, 0, 0)
        partner = _own_unit(table, unit, document["with"])
        if partner != data:
            raise IllegalAction("not_the_partner", unit=document["with"], partner=table.fighter(data).name)
        facings = document.get("facings", {})
        names = (table.fighter(unit).name, table.fighter(data).name)
        if not isinstance(facings, Mapping) or not set(facings) <= set(names):
            raise Malformed("bad_field", field="facings", value=facings)
        now = table.position.facing
        going, coming = (reading.facing(facings, name, now[table.roster.unit_of[name]]) for name in names)
        return (data, going, coming)

    def write(self, table: MatchState, unit: int, data: int, choice: TagChoice) -> dict[str, Any]:
        if choice[0] < 0:
            return {"choose": self.name, "with": None}
        partner = table.fighter(data).name
        return {
            "choose": self.name,
            "with": partner,
            "facings": {table.fighter(unit).name: choice[1], partner: choice[2]},
        }

    def why(self, table: MatchState, unit: int, data: int) -> dict[str, Any]:
        return {"with": table.fighter(data).name}

    def resolve(self, table: MatchState, unit: int, data: int, choice: TagChoice) -> None:
        if choice[0] >= 0:
            table.emit(TAGGED, unit, data, choice[1], choice[2])


NAME_ACTIVE = NameActive()
TAG = Tag()


def _own_unit(table: MatchState, unit: int, named: object) -> int:
    side = table.roster.side_units[table.roster.side_of[unit]]
    found = table.roster.unit_of.get(named) if isinstance(named, str) else None
    if found is None or found not in side:
        raise Malformed("unknown_unit", unit=named)
    return found


def ask_active(table: MatchState, side: int) -> None:
    """Ask a side of two units which one is active; a side's only unit is active without asking (Q-154)."""
    units = table.roster.side_units[side]
    if len(units) == 2:
        table.ask(NAME_ACTIVE, units[0])


def activate(table: MatchState, side: int) -> None:
    """Let the partner of an eliminated unit become active in the hex where it waits (Q-142)."""
    active, waiting = pair_of(table, side)
    if active < 0 <= waiting:
        table.emit(ACTIVATED, waiting)


def ask_tag(table: MatchState, side: int) -> None:
    """Offer a change when active and waiting unit are in adjacent hexes, at any elevation (R-FMT-09, Q-142)."""
    active, waiting = pair_of(table, side)
    if waiting < 0:  # a waiting unit always has an active partner: `activate` has run
        return
    place = next(at for unit, at in table.position.waiting if unit == waiting)
    if table.roster.lattice.neighbours[table.position.hex[active]] >> place & 1:
        table.ask(TAG, active, waiting)


def repair_waiting(table: MatchState) -> None:
    """Repair 1 damage of each waiting unit, never past the start or a black marker (R-FMT-12, R-GEN-06)."""
    for unit, _ in table.position.waiting:
        clicks = table.position.clicks[unit]
        if clicks > 0 and not table.fighter(unit).repair_markers[clicks]:
            table.emit(REPAIRED, unit, clicks, clicks - 1, -1)
