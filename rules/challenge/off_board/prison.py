"""The save from death of Solaris Prison (MC-DEATH-03, MCQ-DEATH-02)."""

from __future__ import annotations

from collections.abc import Iterator

from rules.challenge.awards import DEATH
from rules.challenge.deeds.desk import next_card
from rules.challenge.entries import DICE, Entry, Kind
from rules.challenge.memberships import restore
from rules.challenge.shared_checks import living_of, pilot_of
from rules.challenge.state import FATAL_WOUNDS, ROLL_THAT_STANDS, Event
from rules.challenge.worth import Worth
from rules.core.refusals import Refusal


def _check(event: Event, entry: Entry) -> Iterator[Refusal]:
    """Only a killed member of Solaris Prison rolls, before their player goes on with another pilot.

    They roll once; only Edge rolls again.
    """
    pilot = pilot_of(event, entry)
    living = living_of(event, pilot.player)
    if living is not None and living is not pilot:
        yield Refusal("player_has_pilot", {"player": pilot.player, "pilot": living.id})
    if pilot.alive:
        yield Refusal("pilot_alive", {"pilot": pilot.id})
    if not any(effects.death_save for effects in pilot.effects):
        yield Refusal("no_death_save", {"pilot": pilot.id})
    if pilot.did(ROLL_THAT_STANDS):
        yield Refusal("roll_stands", {"pilot": pilot.id})


def _roll(event: Event, entry: Entry) -> None:
    """Save the pilot on 10 or more of two dice: the last award is taken back, a wound short of death stays."""
    pilot = pilot_of(event, entry)
    least = max((effects.death_save for effects in pilot.effects), default=0)
    if pilot.alive or not least:
        return
    if sum(entry.facts["dice"]) < least:
        pilot.note(ROLL_THAT_STANDS)
        event.post(pilot, "prison_failed", Worth(), dice=entry.facts["dice"])
        return
    if any(other.card == pilot.card and other.alive for other in event.pilots.values()):
        # A pilot who came after the death has the card.
        pilot.card = next_card(event)
    pilot.alive = True
    event.post(pilot, "prison_saved", DEATH.times(-1), dice=entry.facts["dice"])
    pilot.wounds = FATAL_WOUNDS - 1 if event.switches.prison_save == "one_below_fatal" else 0
    if not pilot.wounds:
        restore(event, pilot, None)


KINDS = (Kind("prison_roll", _roll, _check, {"dice": DICE}, ("dice",), True),)
