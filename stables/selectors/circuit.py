"""The course of a season in one line: its planned cycles, with the winners of the finished ones."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from django.utils.functional import Promise
from django.utils.translation import gettext as _

from stables.models import Cycle, Season
from stables.text import names as words


@dataclass(frozen=True)
class Leg:
    """A planned cycle: its number, the name of its format, its state in words, and its address on the season's page.

    `address` is empty before it begins. `first` names its winner, "" without places. `is_shown` says that the page
    shows this cycle.
    """

    number: int
    format_name: str | Promise
    state: str | Promise
    first: str
    address: str
    is_shown: bool


def circuit(season: Season, cycles: Iterable[Cycle], shown: int | None) -> list[Leg]:
    """Return the legs of a season in order; `shown` is the number of the cycle that the page shows.

    Fetch `cycles` with their current `placings`, and these with their `stable`; then there is no query.
    """
    begun = {cycle.number: cycle for cycle in cycles}
    own = season.get_absolute_url()
    legs = []
    for number, key in enumerate(season.rules.cycles, 1):
        cycle = begun.get(number)
        legs.append(
            Leg(
                number=number,
                format_name=words.word(words.FORMATS, cycle.format if cycle is not None else key),
                state=_("to come") if cycle is None else cycle.get_state_display(),
                first=_first(cycle),
                address="" if cycle is None else f"{own}?cycle={number}#cycle-{number}",
                is_shown=number == shown,
            )
        )
    return legs


def _first(cycle: Cycle | None) -> str:
    """Return the name of the stable in first place, "" for a cycle without places."""
    placings = cycle.placings.all() if cycle is not None else ()
    return ", ".join(placing.stable.name for placing in placings if placing.place == 1)


def chosen(cycles: list[Cycle], wanted: str) -> Cycle | None:
    """Return the cycle whose number is `wanted`, the first of `cycles` if there is no such cycle.

    `cycles` are in order, the newest first. Return None if there are none.
    """
    named = (cycle for cycle in cycles if str(cycle.number) == wanted)
    return next(named, cycles[0] if cycles else None)
