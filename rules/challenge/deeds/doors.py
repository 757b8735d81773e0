"""Into the arena and out of it: portals, the turns on the field and off it, the start of an off-board cycle."""

from __future__ import annotations

from collections.abc import Iterator

from rules.challenge.asking import needs_one, not_alive, not_in_arena, pilot_of, unknown
from rules.challenge.entries import TRUTH, Entry, Kind
from rules.challenge.memberships import check_stable_fame, dismiss
from rules.challenge.state import Event, Pilot
from rules.core.refusals import Refusal
from rules.core.shapes import text

OFF_BOARD_TURNS = 2
OFF_BOARD_TURNS_OF_ELITE_CREW = 1
"""Whole turns off the board before a pilot may come back (MC-OBC-01)."""


def back_in(event: Event, pilot: Pilot, table: str) -> int | None:
    """Return the first turn of a table in which the pilot may enter; None for who has not left an arena yet."""
    if not pilot.left_turns:
        return None
    off = OFF_BOARD_TURNS_OF_ELITE_CREW if pilot.has("elite_mech_crew") else OFF_BOARD_TURNS
    whole = event.switches.off_board_turns == "whole"
    return pilot.left_turns.get(table, 0) + off + whole


def may_exit_in(event: Event, pilot: Pilot) -> int:
    """Return the first turn in which the pilot may leave by a portal (MC-EXIT-01, R-EXIT-01)."""
    completed = event.switches.exit_turns == "completed"
    return (pilot.in_arena_since or 0) + event.minimum_turns - (not completed)


def _check_enter(event: Event, entry: Entry) -> Iterator[Refusal]:
    """Ask for a 'Mech that can fight, for the turns off the board, and for a portal that nobody else takes."""
    yield from needs_one(event, entry)
    strangers = list(unknown(event, entry))
    yield from strangers
    if strangers or entry.pilot is None:
        return
    pilot = pilot_of(event, entry)
    yield from not_alive(pilot)
    if pilot.is_in_arena:
        yield Refusal("pilot_in_arena", {"pilot": pilot.id})
    if pilot.mech is None:
        yield Refusal("no_mech", {"pilot": pilot.id})
    elif pilot.mech.state == "destroyed" or pilot.mech.ejected:
        yield Refusal("mech_not_ready", {"pilot": pilot.id})
    table = event.table(entry.table)
    first = back_in(event, pilot, entry.table)
    if first is not None and table.turn < first:
        yield Refusal("too_early_to_enter", {"pilot": pilot.id, "turn": first})
    if pilot.eliminated:
        yield Refusal("out_of_the_final", {"pilot": pilot.id})
    portal = entry.facts.get("portal")
    if portal is not None and any(
        fact.entry.what == "enter" and fact.entry.facts.get("portal") == portal for fact in table.facts
    ):
        yield Refusal("portal_taken", {"portal": portal})


def _enter(event: Event, entry: Entry) -> None:
    pilot, table = pilot_of(event, entry), event.table(entry.table)
    if event.plays("advanced_stables"):
        check_stable_fame(event, pilot)
    pilot.table = entry.table
    pilot.in_arena_since = table.turn
    pilot.portal = entry.facts.get("portal")
    pilot.unconscious_since = None
    pilot.earned = 0
    pilot.bonus_taken = False
    pilot.coupon = False
    if pilot.mech is not None:
        table.models[pilot.id] = pilot.mech.model


def leave(event: Event, pilot: Pilot, table: str) -> None:
    """Take a pilot off the board, and begin their off-board cycle. Whoever leaves the final is out (MC-EXIT-03)."""
    if not pilot.is_in_arena:
        return
    pilot.in_arena_since = None
    pilot.portal = None
    pilot.unconscious_since = None
    pilot.left_turns = {name: each.turn for name, each in event.tables.items()}
    pilot.cycle_step = 0
    pilot.replacement_rolls.clear()
    if event.stage == "final":
        pilot.eliminated = True


def _check_exit(event: Event, entry: Entry) -> Iterator[Refusal]:
    yield from needs_one(event, entry)
    strangers = list(unknown(event, entry))
    yield from strangers
    if strangers or entry.pilot is None:
        return
    pilot = pilot_of(event, entry)
    yield from not_in_arena(pilot)
    if pilot.is_in_arena:
        first = may_exit_in(event, pilot)
        if event.table(entry.table).turn < first and not pilot.has("inside_contact"):
            yield Refusal("too_early_to_leave", {"pilot": pilot.id, "turn": first})


def _exit(event: Event, entry: Entry) -> None:
    """Leave by a portal; a stable may dismiss who leaves crippled (MC-STAB-03)."""
    pilot = pilot_of(event, entry)
    leave(event, pilot, entry.table)
    crippled = pilot.mech is not None and pilot.mech.state == "crippled"
    if crippled and pilot.stable is not None and pilot.stable.effects.withdraws_crippled:
        dismiss(event, pilot, pilot.stable, pays=event.switches.bromley_pays)


KINDS = (
    Kind("enter", _enter, _check_enter, {"portal": text(40)}),
    Kind("exit", _exit, _check_exit, {"portal": text(40), "early": TRUTH}),
)
