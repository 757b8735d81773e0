"""Into the arena and out of it: portals, the turns on the field and off it, the start of an off-board cycle."""

from __future__ import annotations

from collections.abc import Iterator

from rules.challenge.entries import TRUTH, Entry, Kind
from rules.challenge.exits import MODES, WAYS, why_not_leave
from rules.challenge.memberships import check_stable_fame, dismiss, lost_at_the_entrance, sell_without_builder
from rules.challenge.shared_checks import cannot_pay, needs_one, not_alive, not_in_arena, pilot_of, turn_of, unknown
from rules.challenge.state import Event, Pilot
from rules.challenge.worth import NOTHING, Worth
from rules.core.refusals import Refusal
from rules.core.shapes import text, whole, word

OFF_BOARD_TURNS = 2
OFF_BOARD_TURNS_OF_ELITE_CREW = 1
"""Whole turns off the board before a pilot may come back (MC-OBC-01)."""


def back_in(event: Event, pilot: Pilot, table: str) -> int | None:
    """Return the first turn of a table in which the pilot may enter; None for a pilot who has not left an arena yet."""
    if not pilot.left_turns:
        return None
    off = OFF_BOARD_TURNS_OF_ELITE_CREW if pilot.has("elite_mech_crew") else OFF_BOARD_TURNS
    whole = event.switches.off_board_turns == "whole"
    return pilot.left_turns.get(table, 0) + off + whole


def may_exit_in(event: Event, pilot: Pilot) -> int:
    """Return the first turn in which the pilot may leave by a portal (MC-EXIT-01, MCQ-EXIT-01)."""
    completed = event.switches.exit_turns == "completed"
    return (pilot.in_arena_since or 0) + event.minimum_turns - (not completed)


def _check_enter(event: Event, entry: Entry) -> Iterator[Refusal]:
    """Ask for a 'Mech that can fight, for the turns off the board, and for a portal that nobody else takes."""
    yield from needs_one(event, entry)
    if (yield from unknown(event, entry)) or entry.pilot is None:
        return
    pilot = pilot_of(event, entry)
    yield from not_alive(pilot)
    if not pilot.approved:
        yield Refusal("pilot_not_approved", {"pilot": pilot.id})
    if pilot.forfeited:
        yield Refusal("pilot_forfeited", {"pilot": pilot.id})
    if pilot.is_in_arena:
        yield Refusal("pilot_in_arena", {"pilot": pilot.id})
    yield from _check_mech(event, pilot)
    first = back_in(event, pilot, entry.table)
    if first is not None and turn_of(event, entry) < first:
        yield Refusal("too_early_to_enter", {"pilot": pilot.id, "turn": first})
    if pilot.eliminated:
        yield Refusal("out_of_the_final", {"pilot": pilot.id})
    if event.stage == "final" and event.finalists is not None and pilot.id not in event.finalists:
        yield Refusal("not_in_the_final", {"pilot": pilot.id})
    portal = entry.facts.get("portal")
    there = on_board(event, entry.table)
    if (
        portal is not None
        and portal in {each.portal for each in there}
        and all(each.in_arena_since == turn_of(event, entry) for each in there)
    ):
        # Only in the initial set-up: nobody has been on the board before this turn (MC-SETUP-02).
        yield Refusal("portal_taken", {"portal": portal})


def _check_mech(event: Event, pilot: Pilot) -> Iterator[Refusal]:
    """Ask for a 'Mech that can fight, and that no stable or sponsor sells as its pilot enters (MC-MEM-09)."""
    if pilot.mech is None:
        yield Refusal("no_mech", {"pilot": pilot.id})
        return
    if not pilot.mech.can_fight:
        yield Refusal("mech_not_ready", {"pilot": pilot.id})
    for member in lost_at_the_entrance(event, pilot):
        if pilot.mech.built_by == member.id:
            yield Refusal("mech_sold_at_the_door", {"pilot": pilot.id, "membership": member.id})


def on_board(event: Event, table: str) -> list[Pilot]:
    """Return the pilots in the arena of a table."""
    return [pilot for pilot in event.pilots.values() if pilot.is_in_arena and pilot.table == table]


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
    pilot.sheets_in = False
    pilot.auto_eject = entry.facts.get("auto_eject", True)
    table.crippled_before.discard(pilot.id)
    if pilot.mech is not None:
        table.models[pilot.id] = pilot.mech.model
        if pilot.mech.state == "crippled":
            table.crippled_before.add(pilot.id)


def leave(event: Event, pilot: Pilot) -> None:
    """Take a pilot off the board, and begin their off-board cycle. Whoever leaves the final is out (MC-EXIT-03).

    A stable may dismiss who leaves crippled (MC-STAB-03); rebar is handed in (MC-REBAR-02). A changed 'Mech whose
    builder the pilot lost on the board is sold now (MC-MEM-09).
    """
    if not pilot.is_in_arena:
        return
    if pilot.rebar:
        pilot.rebar = False
        event.post(pilot, "rebar_surrendered", Worth())
    pilot.in_arena_since = None
    pilot.portal = None
    pilot.unconscious_since = None
    pilot.left_turns = {name: each.turn for name, each in event.tables.items()}
    pilot.cycle_step = 0
    pilot.replacement_rolls.clear()
    if event.stage == "final":
        pilot.eliminated = True
    crippled = pilot.alive and pilot.mech is not None and pilot.mech.state == "crippled"
    if crippled and pilot.stable is not None and pilot.stable.effects.withdraws_crippled:
        dismiss(event, pilot, pilot.stable, pays=event.switches.bromley_pays)
    sell_without_builder(event, pilot)


def _check_exit(event: Event, entry: Entry) -> Iterator[Refusal]:
    yield from needs_one(event, entry)
    if (yield from unknown(event, entry)) or entry.pilot is None:
        return
    pilot = pilot_of(event, entry)
    yield from not_in_arena(pilot)
    if pilot.is_in_arena:
        allowed = pilot.has("inside_contact") or (entry.facts.get("early", False) and event.early_leaving is not None)
        if turn_of(event, entry) < may_exit_in(event, pilot) and not allowed:
            yield Refusal("too_early_to_leave", {"pilot": pilot.id, "turn": may_exit_in(event, pilot)})
        price = _price_of_leaving(event, pilot, entry)
        yield from cannot_pay(event, pilot, Worth(0, price.cp, price.c_bills))
        yield from _check_movement(pilot, entry)


def _check_movement(pilot: Pilot, entry: Entry) -> Iterator[Refusal]:
    """Ask whether the movement reaches the portal and leads out, where the entry says so (MC-EXIT-05, 06)."""
    facts = entry.facts
    if "way" not in facts or pilot.mech is None:
        return
    model, mode = pilot.mech.model, facts.get("mode", "walk")
    points = facts.get("points", {"walk": model.walk, "run": model.run, "jump": model.jump}[mode])
    # One point to walk is the work of damage: no 'Mech is built so slow.
    lame = mode == "walk" and points == 1
    yield from why_not_leave(facts["way"], mode, points, facts.get("spent", 0), pilot.has("inside_contact"), lame)


def _price_of_leaving(event: Event, pilot: Pilot, entry: Entry) -> Worth:
    """Return what leaving costs: before the least turns what the GM has announced (MC-EXIT-02), else nothing."""
    is_early = turn_of(event, entry) < may_exit_in(event, pilot)
    if event.early_leaving is None or not is_early or pilot.has("inside_contact"):
        return NOTHING
    return event.early_leaving


def _exit(event: Event, entry: Entry) -> None:
    """Leave by a portal, and pay for leaving early."""
    pilot = pilot_of(event, entry)
    price = _price_of_leaving(event, pilot, entry)
    if price != NOTHING:
        event.post(pilot, "left_early", price.times(-1))
    leave(event, pilot)


_POINTS = whole(0, 99)
KINDS = (
    Kind("enter", _enter, _check_enter, {"portal": text(40), "auto_eject": TRUTH}),
    Kind(
        "exit", _exit, _check_exit,
        {"portal": text(40), "early": TRUTH, "way": word(*WAYS), "mode": word(*MODES), "points": _POINTS,
         "spent": _POINTS},
    ),
)  # fmt: skip
