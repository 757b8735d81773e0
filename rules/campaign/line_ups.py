"""Which units, pilots and tokens a stable may field in a match, and whether it must (R-BLD, R-FOR-04, Q-139, Q-155)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from rules.campaign.classes import BUILD_TOTAL
from rules.campaign.repair import ELIMINATED, SALVAGE
from rules.core.building import (
    Combatant,
    card_problems,
    class_of,
    class_problems,
    combatant_points,
    takes_cards,
    total_problems,
)
from rules.core.refusals import Refusal

TOKENS_PER_SIDE = 3
"""Target tokens a player brings, whatever the size of his team (R-BLD-17, Q-172)."""


@dataclass(frozen=True)
class OwnedUnit:
    """A unit on a stable's list: its key there, its definition (catalogue shape), its state, whether it sits out."""

    key: str
    definition: Mapping[str, Any]
    state: str
    clicks: int = 0
    sits_out: bool = False


@dataclass(frozen=True)
class OwnedPilot:
    """A living pilot on a stable's list: his key there and his definition (catalogue shape)."""

    key: str
    definition: Mapping[str, Any]


def needs_pilot(unit: Mapping[str, Any]) -> bool:
    """Return whether a unit must have a pilot: all but those from before Age of Destruction (R-STB-03, R-BLD-15)."""
    return takes_cards(unit)


def unit_class(unit: Mapping[str, Any]) -> str | None:
    """Return a unit's class; one without a variant takes the class of its points (R-BLD-14, Q-115)."""
    return class_of(unit)


def build_points(unit: Mapping[str, Any], pilot: Mapping[str, Any] | None) -> int:
    """Return the points of a unit with its pilot; on his preferred unit his alternative value counts (Q-110, D-51)."""
    return combatant_points(Combatant(unit, pilot))


def check_crew(
    unit: OwnedUnit, pilot: OwnedPilot | None, match_class: str, build_total: int | None = None
) -> list[Refusal]:
    """Return why a unit with this pilot may not be fielded in a match of the class; empty when it may.

    `build_total` replaces the class's own ceiling of points for one unit and its pilot (R-BLD-20).
    """
    definition = unit.definition
    name = definition["name"]
    problems = []
    if unit.state == ELIMINATED:
        problems.append(Refusal("unit_eliminated", {"name": name, "rule": "R-CRP-08"}))
    if unit.sits_out:
        problems.append(Refusal("unit_sits_out", {"name": name, "rule": "R-CRP-09"}))
    if pilot is None and needs_pilot(definition):
        problems.append(Refusal("pilot_missing", {"name": name, "rule": "R-STB-03"}))
    combatant = Combatant(definition, None if pilot is None else pilot.definition)
    problems += class_problems(definition, match_class) + card_problems(combatant)
    return problems + total_problems(combatant, BUILD_TOTAL[match_class] if build_total is None else build_total)


def check_tokens(tokens: Sequence[Mapping[str, Any]], pool: int = 30) -> list[Refusal]:
    """Return why a choice of target tokens is refused: three of them, worth `pool` RP together (R-BLD-17, D-43)."""
    worth = sum(int(token["rp"]) for token in tokens)
    if len(tokens) != TOKENS_PER_SIDE or worth != pool:
        return [
            Refusal(
                "tokens_not_allowed", {"count": len(tokens), "worth": worth, "needed": TOKENS_PER_SIDE, "pool": pool}
            )
        ]
    return []


def token_triples(tokens: Iterable[Mapping[str, Any]], pool: int = 30) -> list[tuple[str, str, str]]:
    """Return every choice of three tokens, copies allowed, that is worth exactly `pool` RP, in order of their ids."""
    listed = sorted(tokens, key=lambda token: str(token["id"]))
    triples = []
    for first, one in enumerate(listed):
        for second, two in enumerate(listed[first:], first):
            for three in listed[second:]:
                if one["rp"] + two["rp"] + three["rp"] == pool:
                    triples.append((str(one["id"]), str(two["id"]), str(three["id"])))
    return triples


@dataclass(frozen=True)
class Crew:
    """One unit and its pilot (null for a unit from before Age of Destruction), by their keys on the stable's list."""

    unit: str
    pilot: str | None
    points: int
    by_duty: bool


def crews(
    units: Iterable[OwnedUnit], pilots: Iterable[OwnedPilot], match_class: str, build_total: int | None = None
) -> list[Crew]:
    """Return every unit with every pilot that may be fielded, best first.

    A crew fielded by duty, one whose unit does not show Salvage (Q-139, Q-155), comes before others; then fewer
    clicks of damage, then more points, then keys.
    """
    pilot_list = list(pilots)
    found = []
    for unit in units:
        choices: list[OwnedPilot | None] = [*pilot_list] if needs_pilot(unit.definition) else [None]
        for pilot in choices:
            if check_crew(unit, pilot, match_class, build_total):
                continue
            points = build_points(unit.definition, None if pilot is None else pilot.definition)
            crew = Crew(unit.key, None if pilot is None else pilot.key, points, unit.state != SALVAGE)
            found.append(((not crew.by_duty, unit.clicks, -points, crew.unit, crew.pilot or ""), crew))
    return [crew for _, crew in sorted(found, key=lambda entry: entry[0])]


def best_team(choices: Sequence[Crew], size: int) -> tuple[Crew, ...]:
    """Return up to `size` (1 or 2) crews of different units and pilots: as many as can be, then those listed first."""
    if size > 1:
        for place, first in enumerate(choices):
            for second in choices[place + 1 :]:
                if first.unit != second.unit and (first.pilot is None or first.pilot != second.pilot):
                    return first, second
    return tuple(choices[:1])


def check_size(fielded: int, choices: Sequence[Crew], size: int) -> list[Refusal]:
    """Return why a line-up of `fielded` units is refused in a format of `size` units a side; empty when it may stand.

    With fewer able fitting units than the format asks for, a stable fields those it has (Q-154); a unit that shows
    Salvage may fill a place, and never must (Q-155). `choices` are all crews of the stable.
    """
    owed = min(size, len(best_team([crew for crew in choices if crew.by_duty], size)))
    if fielded > size or fielded < max(owed, 1):
        return [Refusal("line_up_size", {"units": fielded, "needed": size, "owed": max(owed, 1), "rule": "Q-154"})]
    return []


def must_play(
    units: Iterable[OwnedUnit], pilots: Iterable[OwnedPilot], match_class: str, build_total: int | None = None
) -> bool:
    """Return whether a stable has an able fitting unit with a pilot, so that it may not forfeit (R-FOR-04, Q-139)."""
    return any(crew.by_duty for crew in crews(units, pilots, match_class, build_total))
