"""Rules that nothing enforces, shown where their topic comes up."""

from __future__ import annotations

from django.utils.translation import gettext as _

from rules.challenge.reminders import reminders_for
from rules.challenge.state import Event

OF_A_TURN = ("fire", "criticals", "board", "exit")
OF_SURPRISES = ("turret", "surprise")


def reminders(*topics: str) -> list[tuple[str, str]]:
    """Return the reminders of some topics: each rule with its sentence."""
    return [(rule, _(said)) for topic in topics for rule, said in reminders_for(topic).items()]


def topics_of_set_up(state: Event, is_set_up: bool) -> tuple[str, ...]:
    """Return what comes up while pilots enter: the arena before its first turn, the stage, teams."""
    found = ("set_up", state.stage) if is_set_up else (state.stage,)
    return (*found, "team") if state.plays("teams") else found
