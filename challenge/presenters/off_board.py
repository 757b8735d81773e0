"""Who is off the board: where they are in their cycle, and when they may come back."""

from __future__ import annotations

from collections.abc import Container
from dataclasses import dataclass

from django.utils.translation import gettext as _

from challenge.presenters.cycle import Balance, balance_of
from challenge.presenters.standings import must_wait
from rules.challenge.state import Event, Pilot
from rules.wording import challenge_words as words
from web.languages.reader import translate


@dataclass(frozen=True)
class AbsentPilot:
    """A pilot off the board: balance, step in words, the turn of their return; None for those who need not wait."""

    pilot: Pilot
    balance: Balance
    step: str
    back_in: int | None
    has_plan: bool
    may_be_saved: bool


def absent_pilots(state: Event, with_plans: Container[str]) -> list[AbsentPilot]:
    """Return who is off the board, those with a plan that waits first, then by their return and their card."""
    found = []
    for pilot in state.pilots.values():
        saved = not pilot.alive and any(effects.death_save for effects in pilot.effects)
        if pilot.is_in_arena or pilot.forfeited or not (pilot.alive or saved):
            continue
        step = translate(words.CYCLE_STEPS[pilot.cycle_step]) if pilot.cycle_step else _("not begun")
        found.append(
            AbsentPilot(
                pilot,
                balance_of(state, pilot),
                step,
                must_wait(state, pilot),
                pilot.id in with_plans,
                saved,
            )
        )
    return sorted(found, key=lambda each: (not each.has_plan, each.back_in or 0, each.pilot.card or 0, each.pilot.id))
