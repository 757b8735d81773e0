"""With what a newcomer starts: a new player, one whose pilot is dead, one who is bankrupt (MC-NEW-01, MC-NEW-02)."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from rules.challenge.mechs import CLASSES, class_of_tons
from rules.challenge.state import START, Event
from rules.challenge.worth import Worth

ROUNDED_DOWN_TO_TONS = 5


def class_by_mean(tons: Sequence[int | float]) -> str:
    """Return the class of the mean of these tons, rounded down to a multiple of 5; none means light.

    Clan 'Mechs count by their tons alone (MCQ-NEW-01).

    >>> class_by_mean([60, 72])
    'heavy'
    >>> class_by_mean([59.9])
    'medium'
    """
    if not tons:
        return CLASSES[0]
    mean = sum(map(Fraction, tons)) / len(tons)
    return class_of_tons(int(mean // ROUNDED_DOWN_TO_TONS) * ROUNDED_DOWN_TO_TONS)


def start_of_newcomer(event: Event, weight_class: str | None = None) -> Worth:
    """Return what a new pilot starts with.

    Where newcomers are in play it is the row of the class that the GM names, or of the class allowed now, or of the
    mean of all 'Mechs that pilots use.
    """
    if not event.plays("newcomers"):
        return START
    in_use = [pilot.mech.model.tons for pilot in event.pilots.values() if pilot.alive and pilot.mech is not None]
    return event.printed.newcomers[weight_class or event.allowed_class or class_by_mean(in_use)]
