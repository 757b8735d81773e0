"""The writer of an evening at random, who leaves out whatever the rules do not allow now."""

from __future__ import annotations

from collections.abc import Generator
from random import Random
from typing import Any

from rules.challenge.deeds.doors import on_board
from rules.challenge.entries import read_entry
from rules.challenge.folding import apply, why_not
from rules.challenge.kinds import KINDS
from rules.challenge.state import Event, Pilot

Document = dict[str, Any]
Written = Generator[Document, None, bool]
"""Entries as they are written; what comes back says whether the last one was."""
Entries = Generator[Document, None, None]


class Scribe:
    """The event as it stands, the chance that decides, and what the record sheets of the table show.

    `hurt` is the damage of each pilot's 'Mech since it entered, by which it is crippled and destroyed. `seats` are the
    tables at which they play, `cycled` the off-board cycle that each has gone through.
    """

    def __init__(self, event: Event, chance: Random, tables: int) -> None:
        self.event = event
        self.chance = chance
        self.tables = ("main", *(f"table {number}" for number in range(2, tables + 1)))
        self.turn = 1
        self.hurt: dict[str, int] = {}
        self.seats: dict[str, str] = {}
        self.cycled: dict[str, object] = {}
        self.bets = 0

    def write(self, document: Document) -> Written:
        """Write an entry where the rules allow it, or the GM overrules them, and return whether it was written."""
        entry = read_entry(document, KINDS)
        if entry.overruled is None and next(why_not(self.event, entry), None) is not None:
            return False
        apply(self.event, entry)
        yield document
        return True

    def problems(self, document: Document) -> set[str]:
        """Return the codes of why the rules forbid an entry now."""
        return {refusal.code for refusal in why_not(self.event, read_entry(document, KINDS))}

    def off(self, pilot: Pilot, do: str, **facts: Any) -> Written:
        """Write what a pilot does off the board."""
        return (yield from self.write({"do": do, "pilot": pilot.id, **facts}))

    def happens(self, probability: float) -> bool:
        """Return whether something happens that has this probability."""
        return self.chance.random() < probability

    def dice(self) -> list[int]:
        """Roll two dice."""
        return [self.chance.randint(1, 6), self.chance.randint(1, 6)]

    def some(self, things: list[Any], most: int) -> list[Any]:
        """Return at most so many of these things, in a random order."""
        return self.chance.sample(things, min(most, len(things)))

    def here(self, table: str) -> list[Pilot]:
        """Return the pilots in the arena of a table."""
        return on_board(self.event, table)

    def outside(self) -> list[Pilot]:
        """Return the living pilots who may play and are off the board."""
        return [each for each in self.event.pilots.values() if each.alive and each.approved and not each.is_in_arena]
