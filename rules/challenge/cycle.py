"""The off-board cycle: steps in one order, each of which may be skipped, and no way back (MC-OBC-02 to 07)."""

from __future__ import annotations

from collections.abc import Iterator

from rules.challenge.entries import STEPS, Entry
from rules.challenge.memberships import SPONSORS_LOOKED, let_sponsors_look
from rules.challenge.shared_checks import not_off_board, unknown
from rules.challenge.state import Event, Pilot
from rules.core.refusals import Refusal

CHIPS, SPONSORS, DROP, REPAIR, SELL, JOIN, LEARN, STABLE, BUY = range(1, 10)
"""The steps: cash chips, sponsors look; drop, repair and heal, sell, join; abilities, the stable looks, buy a 'Mech."""

PHASE_OF: dict[int, str] = {
    **dict.fromkeys((CHIPS, SPONSORS), STEPS[0]),
    **dict.fromkeys((DROP, REPAIR, SELL, JOIN), STEPS[1]),
    **dict.fromkeys((LEARN, STABLE, BUY), STEPS[2]),
}


def off_board_faults(event: Event, entry: Entry, step: int | None) -> Iterator[Refusal]:
    """Refuse a pilot who is on the board or dead, and a step left behind; None has no order (MC-OBC-07)."""
    if (yield from unknown(event, entry)) or entry.pilot is None:
        return
    pilot = event.pilots[entry.pilot]
    yield from not_off_board(pilot)
    if step is not None and step < pilot.cycle_step:
        yield Refusal("step_left_behind", {"pilot": pilot.id, "step": step, "now": pilot.cycle_step})
    if step is not None and entry.step is not None and entry.step != PHASE_OF[step]:
        yield Refusal("wrong_step", {"what": entry.what, "step": PHASE_OF[step]})


APPROVED, SALE_TO_COME = "approved", "sale to come"
"""What is noted of a cycle: a judge has approved it; a repair on credit waits for the sale that pays for it."""


def entrance_faults(event: Event, entry: Entry) -> Iterator[Refusal]:
    """Refuse a pilot who comes back without the approval that the event asks for, or before a sale they owe."""
    pilot = event.pilots.get(entry.pilot or "")
    if pilot is None:
        return
    if event.switches.cycle_approval and pilot.left_turns and not pilot.did(APPROVED):
        yield Refusal("not_approved", {"pilot": pilot.id})
    if pilot.did(SALE_TO_COME):
        yield Refusal("sale_to_come", {"pilot": pilot.id})


def begin_step(event: Event, entry: Entry, off_board: bool, step: int | None) -> None:
    """Do what an entry brings with it before it applies.

    Nobody passes their sponsors unseen (MC-ADVSP-00): they look when the pilot goes past that step or comes back. What
    is done after the approval wants a new one.
    """
    pilot = event.pilots.get(entry.pilot or "")
    if pilot is None or not (off_board or entry.what == "enter"):
        return
    passes = entry.what == "enter" or (step is not None and step > SPONSORS)
    if passes and event.plays("advanced_sponsors") and pilot.left_turns and not pilot.did(SPONSORS_LOOKED):
        let_sponsors_look(event, pilot)
    if off_board:
        pilot.noted.pop(APPROVED, None)


def go_to(pilot: Pilot, step: int | None) -> None:
    """Note the step that a pilot has come to."""
    if step is not None:
        pilot.cycle_step = max(pilot.cycle_step, step)
