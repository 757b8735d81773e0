"""What units and pilots did themselves, by the results that hold: matches, wins, kills, and the damage they took."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from rules.campaign.results.corrections import Document, Line, stables_of


@dataclass(frozen=True)
class CrewRecord:
    """The record of one unit or pilot.

    `matches` are those in which it was in the arena, `wins` those of them that its stable won. `kills` are its own.
    `damage` is the number of clicks that it lost in matches, and `eliminations` how often it was eliminated; a pilot
    has those of the units that they piloted.
    """

    matches: int = 0
    wins: int = 0
    kills: int = 0
    damage: int = 0
    eliminations: int = 0

    @property
    def losses(self) -> int:
        return self.matches - self.wins

    def plus(self, other: CrewRecord) -> CrewRecord:
        """Return the record of both."""
        return CrewRecord(
            self.matches + other.matches,
            self.wins + other.wins,
            self.kills + other.kills,
            self.damage + other.damage,
            self.eliminations + other.eliminations,
        )


NO_RECORD = CrewRecord()


def crew_records(documents: Iterable[Document]) -> dict[Line, CrewRecord]:
    """Return the records of all units and pilots that were in the arena, from the valid documents of results.

    A forfeit and a voided result brought nobody into the arena. A unit and its pilot have one entry each. The damage of
    old documents, which do not say how a unit came, counts as none.
    """
    found: dict[Line, CrewRecord] = {}
    for document in documents:
        if document["ended_by"] == "void":
            continue
        stables = stables_of(document)
        for unit in document["units"].values():
            number = int(unit["stable"])
            own = CrewRecord(
                1,
                int(bool(stables[number]["won"])),
                int(unit["kills"]),
                max(0, int(unit["clicks"]) - int(unit.get("before", unit["clicks"]))),
                int(bool(unit["eliminated"])),
            )
            for code in (unit["asset"], unit["pilot"]):
                if code is not None:
                    found[number, code] = found.get((number, code), NO_RECORD).plus(own)
    return found


def individuals_of(documents: Iterable[Document]) -> set[Line]:
    """Return the pilots, and the units without one, that were in the arena (Q-162)."""
    return {
        (int(unit["stable"]), str(unit["asset"] if unit["pilot"] is None else unit["pilot"]))
        for document in documents
        if document["ended_by"] != "void"
        for unit in document["units"].values()
    }
