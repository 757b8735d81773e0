"""The off-board cycle: steps in one order, each of which may be skipped, and no way back (MC-OBC-02 to 07)."""

from __future__ import annotations

from collections.abc import Iterator

from rules.challenge.asking import not_off_board, unknown
from rules.challenge.entries import STEPS, Entry
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
    """Refuse who is on the board or dead, and a step left behind; no order binds the step None (MC-OBC-07)."""
    strangers = list(unknown(event, entry))
    yield from strangers
    if strangers or entry.pilot is None:
        return
    pilot = event.pilots[entry.pilot]
    yield from not_off_board(pilot)
    if step is not None and step < pilot.cycle_step:
        yield Refusal("step_left_behind", {"pilot": pilot.id, "step": step, "now": pilot.cycle_step})
    if step is not None and entry.step is not None and entry.step != PHASE_OF[step]:
        yield Refusal("wrong_step", {"what": entry.what, "step": PHASE_OF[step]})


def go_to(pilot: Pilot, step: int | None) -> None:
    """Note the step that a pilot has come to."""
    if step is not None:
        pilot.cycle_step = max(pilot.cycle_step, step)
