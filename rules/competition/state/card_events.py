"""Events that cards bring: a source of equipment chosen, a rally card played, a pilot's ability used."""

from __future__ import annotations

from rules.competition.state.event_kinds import kind
from rules.competition.state.position import ABILITY_USED, GEAR_SERVES, Position

SourceChosenEvent = tuple[int, int, str, int, str]


def _source_chosen(position: Position, event: SourceChosenEvent) -> None:
    bit = GEAR_SERVES[event[3]]
    status = position.status
    status[event[1]] = status[event[1]] | bit if event[4] == "gear" else status[event[1]] & ~bit


SOURCE_CHOSEN = kind("source_chosen", "unit:u value:n slot:n from:n")(_source_chosen)


GearChosenEvent = tuple[int, int, str, int, str]


def _gear_chosen(position: Position, event: GearChosenEvent) -> None:
    status = position.status
    for card, bit in enumerate(GEAR_SERVES):
        status[event[1]] = status[event[1]] | bit if card == event[3] else status[event[1]] & ~bit


GEAR_CHOSEN = kind("gear_chosen", "unit:u value:n slot:n gear:n")(_gear_chosen)
"""The choice between two gear cards on one value."""


RallyPlayedEvent = tuple[int, int, str, str]


def _rally_played(position: Position, event: RallyPlayedEvent) -> None:
    position.rallies = (*position.rallies, (position.round, event[1], event[2], event[3]))


RALLY_PLAYED = kind("rally_played", "unit:u card:n effect:n")(_rally_played)


AbilityUsedEvent = tuple[int, int, str, str]


def _ability_used(position: Position, event: AbilityUsedEvent) -> None:
    position.orders[event[1]] |= ABILITY_USED


ABILITY = kind("ability_used", "unit:u pilot:n ability:n")(_ability_used)
