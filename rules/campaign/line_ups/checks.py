"""Which units, pilots, gear, rally cards and tokens a stable may field in a match, and whether it must.

R-BLD, R-CEC, R-GER, R-RAL-01, R-RAL-02, R-FOR-04; Q-114, Q-139, Q-148, Q-154, Q-155.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import combinations
from math import inf
from typing import Any

from rules.campaign.classes import BUILD_TOTAL, units_a_side
from rules.campaign.garage.repair import ELIMINATED, SALVAGE
from rules.campaign.pairs import Mates, Once, first_pair
from rules.core.pilot_costs import pilot_points
from rules.core.refusals import Refusal
from rules.solaris.building import (
    SLOTS_OF_A_UNIT,
    Combatant,
    card_problems,
    class_of,
    class_problems,
    combatant_points,
    pilot_problems,
    takes_cards,
    team_cap,
    team_total_problems,
    total_problems,
    unique_keys,
    unique_problems,
)
from rules.solaris.cards import HAND_SIZE
from rules.solaris.house_rules import HouseRules


@dataclass(frozen=True)
class MatchTerms:
    """What a match asks of a stable's line-up: class, format, house rules, and how many stables share the side.

    Each of the `sharing` stables brings its part of the side's units (R-FMT-05, Q-168).
    """

    match_class: str
    format: str = "standard"
    house_rules: HouseRules = field(default_factory=HouseRules)
    sharing: int = 1

    @property
    def size(self) -> int:
        """The most units that the stable fields."""
        return max(1, units_a_side(self.format) // self.sharing)

    @property
    def takes_tokens(self) -> bool:
        """Whether each stable brings target tokens: by the house rule, never in capture the flag (R-FMT-13, Q-172)."""
        return self.house_rules.target_tokens and self.format != "capture_the_flag"

    @property
    def takes_hands(self) -> bool:
        """Whether rally cards are played."""
        return self.house_rules.rally_cards

    @property
    def ceiling(self) -> int | None:
        """Points that one unit with its cards may reach; None when only the team's total counts (Q-114)."""
        if self.house_rules.build_total_per == "team":
            return None
        return self.house_rules.build_total or BUILD_TOTAL[self.match_class]


Terms = MatchTerms | str
"""The terms of a match. A class alone means a standard match by the default house rules."""


def terms_of(terms: Terms, build_total: int | None = None) -> MatchTerms:
    """Return the full terms; `build_total`, when given, replaces that of the house rules (R-BLD-20)."""
    full = terms if isinstance(terms, MatchTerms) else MatchTerms(terms)
    if build_total is None:
        return full
    return replace(full, house_rules=replace(full.house_rules, build_total=build_total))


@dataclass(frozen=True)
class OwnedGear:
    """Gear on a stable's list: its key there and its card (catalogue shape), with the `side` of two-sided gear."""

    key: str
    definition: Mapping[str, Any]


@dataclass(frozen=True)
class OwnedUnit:
    """A unit on a stable's list: its key there, its definition (catalogue shape), its state, whether it sits out.

    `gear` is what the garage put on it.
    """

    key: str
    definition: Mapping[str, Any]
    state: str
    clicks: int = 0
    sits_out: bool = False
    gear: tuple[OwnedGear, ...] = ()


@dataclass(frozen=True)
class OwnedPilot:
    """A living pilot on a stable's list: their key there and their definition (catalogue shape)."""

    key: str
    definition: Mapping[str, Any]


@dataclass(frozen=True)
class OwnedCard:
    """A rally card on a stable's list: its key there and its card (catalogue shape)."""

    key: str
    definition: Mapping[str, Any]


def needs_pilot(unit: Mapping[str, Any]) -> bool:
    """Return whether a unit must have a pilot: all except those from before Age of Destruction (R-STB-03, R-BLD-15)."""
    return takes_cards(unit)


def unit_class(unit: Mapping[str, Any]) -> str | None:
    """Return a unit's class. A unit without a variant has the class of its points, or None (R-BLD-14, Q-115)."""
    return class_of(unit)


def build_points(unit: Mapping[str, Any], pilot: Mapping[str, Any] | None) -> int:
    """Return the points of a unit with its pilot; on their preferred unit a pilot counts differently (Q-110, D-51)."""
    return combatant_points(Combatant(unit, pilot))


def combatant_of(unit: OwnedUnit, pilot: OwnedPilot | None, gear: Sequence[OwnedGear] = ()) -> Combatant:
    """Return a unit as it would be fielded with a pilot and gear."""
    return Combatant(
        unit.definition, None if pilot is None else pilot.definition, tuple(card.definition for card in gear)
    )


def check_crew(
    unit: OwnedUnit,
    pilot: OwnedPilot | None,
    terms: Terms,
    build_total: int | None = None,
    gear: Sequence[OwnedGear] | None = None,
) -> list[Refusal]:
    """Return why a unit with this pilot may not be fielded in a match; empty when it may.

    `gear` None means all the gear that the garage put on the unit. Slots, requirements, class and build total apply to
    unit, pilot and gear together (R-BLD-08, R-CEC-06, R-GER-02, R-PLT-01). An eliminated unit cannot be used, and
    neither can its gear (R-CRP-08). The codes are unit_eliminated, unit_sits_out, pilot_missing, wrong_class,
    over_build_total and those of `rules.solaris.building.card_problems`. Raises Malformed (bad_gear).
    """
    full = terms_of(terms, build_total)
    definition = unit.definition
    name = definition["name"]
    problems = []
    if unit.state == ELIMINATED:
        problems.append(Refusal("unit_eliminated", {"name": name, "rule": "R-CRP-08"}))
    if unit.sits_out:
        problems.append(Refusal("unit_sits_out", {"name": name, "rule": "R-CRP-09"}))
    if pilot is None and needs_pilot(definition):
        problems.append(Refusal("pilot_missing", {"name": name, "rule": "R-STB-03"}))
    combatant = combatant_of(unit, pilot, unit.gear if gear is None else gear)
    needed = None if full.house_rules.points_only else full.match_class
    problems += class_problems(definition, needed) + card_problems(combatant)
    return problems + total_problems(combatant, full.ceiling)


def check_hand(hands: Sequence[Sequence[OwnedCard]], owner: str) -> list[Refusal]:
    """Return why rally cards may not be brought; empty when they may.

    A unit brings five at most, and the stable's one hand holds no card twice (R-RAL-01, R-RAL-02, Q-148). `hands` holds
    each unit's part of it, in order of the units; `owner` is the stable's name. The codes are hand_too_large and
    hand_copy.
    """
    problems = []
    seen: set[str] = set()
    for number, hand in enumerate(hands, 1):
        if len(hand) > HAND_SIZE:
            problems.append(Refusal("hand_too_large", {"unit": number, "count": len(hand), "most": HAND_SIZE}))
        for card in hand:
            key = str(card.definition["id"])
            if key in seen:
                problems.append(Refusal("hand_copy", {"side": owner, "card": card.definition["name"]}))
            seen.add(key)
    return problems


@dataclass(frozen=True)
class Crew:
    """One unit and its pilot (None for a unit from before Age of Destruction), by their keys on the stable's list.

    `gear` holds the keys of the gear that goes along. `by_duty` says that the crew is under the duty to play: its unit
    does not show Salvage (Q-139, Q-155). `combatant` is the whole crew as cards; None when Uniques and a team's total
    do not matter.
    """

    unit: str
    pilot: str | None
    points: int
    by_duty: bool
    gear: tuple[str, ...] = ()
    combatant: Combatant | None = field(default=None, compare=False, repr=False)

    @cached_property
    def once(self) -> Once:
        """What the crew needs that exists only once: its unit, its pilot, and the collector's numbers of Uniques."""
        keys = set[tuple[str, Hashable]]() if self.pilot is None else {("pilot", self.pilot)}
        uniques = () if self.combatant is None else unique_keys([self.combatant])
        return frozenset(keys | {("unit", self.unit)} | {("unique", number) for number in uniques})

    @cached_property
    def is_twice_unique(self) -> bool:
        """Whether the unit and its pilot have the same collector's number."""
        return self.combatant is not None and bool(unique_problems([self.combatant]))

    @property
    def weight(self) -> int:
        """The crew's part of a total that a team shares, in points; 0 without a combatant."""
        return 0 if self.combatant is None else self.points


def crews(
    units: Iterable[OwnedUnit], pilots: Iterable[OwnedPilot], terms: Terms, build_total: int | None = None
) -> list[Crew]:
    """Return the crews that may be fielded, best first: each unit with each pilot and with all or part of its gear.

    Crews under the duty to play come first: their units do not show Salvage (Q-139, Q-155). Then fewer clicks of
    damage, then more points, then keys decide. Cards are optional (R-CEC-01), so a unit with too many points may leave
    gear behind: gear is no excuse from the duty to play. `build_total` is that of `terms_of`.
    """
    full, pilot_list = terms_of(terms, build_total), list(pilots)
    found = [
        ((not crew.by_duty, unit.clicks, -crew.points, crew.unit, crew.pilot or ""), crew)
        for unit in units
        for crew in crews_of(unit, pilot_list, full)
    ]
    return [crew for _, crew in sorted(found, key=lambda entry: entry[0])]


def crews_of(unit: OwnedUnit, pilots: Sequence[OwnedPilot], terms: Terms) -> Iterator[Crew]:
    """Yield the crews of a unit that check_crew allows, with each pilot and with all or part of its gear."""
    for gear in _parts_of(unit.gear):
        for pilot in pilots_for(unit, pilots, terms, gear):
            yield _crew(unit, pilot, gear)


def pilots_for(
    unit: OwnedUnit, pilots: Iterable[OwnedPilot], terms: Terms, gear: Sequence[OwnedGear] = ()
) -> Iterator[OwnedPilot | None]:
    """Yield the pilots with whom check_crew allows a unit with this gear; None for a unit that takes no pilot.

    The unit and its gear are checked once for all pilots, because stables may have many.
    """
    full, definition = terms_of(terms), unit.definition
    if any(problem.code != "pilot_missing" for problem in check_crew(unit, None, full, gear=gear)):
        return
    if not needs_pilot(definition):
        yield None
    elif len(gear) < SLOTS_OF_A_UNIT:
        number = str(definition["id"])
        room = inf if full.ceiling is None else full.ceiling - combatant_points(combatant_of(unit, None, gear))
        for pilot in pilots:
            if pilot_points(pilot.definition, number) <= room and not pilot_problems(definition, pilot.definition):
                yield pilot


def _crew(unit: OwnedUnit, pilot: OwnedPilot | None, gear: Sequence[OwnedGear]) -> Crew:
    combatant = combatant_of(unit, pilot, gear)
    return Crew(
        unit.key,
        None if pilot is None else pilot.key,
        combatant_points(combatant),
        unit.state != SALVAGE,
        tuple(card.key for card in gear),
        combatant,
    )


def _parts_of(gear: Sequence[OwnedGear]) -> Iterator[tuple[OwnedGear, ...]]:
    """Yield every selection of the gear: all of it first, then ever fewer cards, down to none."""
    for count in range(len(gear), -1, -1):
        yield from combinations(gear, count)


def check_team(team: Sequence[Crew], terms: MatchTerms) -> list[Refusal]:
    """Return why these crews may not form a team; empty when they may (R-BLD-12, R-PLT-03, Q-113, Q-114).

    A team has no Unique twice and no more points than a shared total allows. The codes are unique_twice and
    team_over_build_total.
    """
    combatants = [crew.combatant for crew in team if crew.combatant is not None]
    match_class = terms.match_class
    return unique_problems(combatants) + team_total_problems(combatants, match_class, terms.house_rules, terms.sharing)


class Choices:
    """All crews of a stable in order, to find the first legal team of one or two among all or some of them.

    Crews are named by their places in `crews`, from 0. Without `terms` a team shares no total.
    """

    def __init__(self, crews: Sequence[Crew], terms: MatchTerms | None = None) -> None:
        self.crews = crews
        self._terms = terms

    def some(self, places: Iterable[int]) -> Mates:
        """Return the crews at these ascending places for `first_team`, without those that have a Unique twice."""
        return Mates(self.crews, [place for place in places if not self.crews[place].is_twice_unique])

    def first_team(self, one: Mates, other: Mates | None = None) -> tuple[int, ...] | None:
        """Return the places of the first legal team, None when there is none.

        It has one crew of `one`, and one of `other` if that is given. Both come from `some`.
        """
        most, terms = inf, self._terms
        if terms is not None:
            cap = team_cap(1 if other is None else 2, terms.match_class, terms.house_rules, terms.sharing)
            most = inf if cap is None else cap
        if other is not None:
            return first_pair(one, other, most)
        return next(((place,) for place in one.places if self.crews[place].weight <= most), None)


def best_team(choices: Sequence[Crew], size: int, terms: MatchTerms | None = None) -> tuple[Crew, ...]:
    """Return the largest legal team of up to `size` (1 or 2) crews, empty when there is none.

    Among equally large teams the first in the order of `choices` counts. Without `terms` a team shares no total.
    """
    listed = Choices(choices, terms)
    everybody = listed.some(range(len(choices)))
    for count in range(size, 0, -1):
        places = listed.first_team(*[everybody] * count)
        if places is not None:
            return tuple(choices[place] for place in places)
    return ()


def team_size(units: Iterable[OwnedUnit], pilots: Iterable[OwnedPilot], terms: MatchTerms) -> int:
    """Return how many crews of these units and pilots can form a team, at most as many as the match takes.

    The search ends as soon as there are enough, so it skips most crews.
    """
    found, pilot_list, looked_at = list[Crew](), list(pilots), 0
    for unit in units:
        found += crews_of(unit, pilot_list, terms)
        if len(found) >= 2 * looked_at:
            if len(best_team(found, terms.size, terms)) == terms.size:
                return terms.size
            looked_at = len(found)
    return len(best_team(found, terms.size, terms))


def owed_units(choices: Sequence[Crew], size: int, terms: MatchTerms | None = None) -> int:
    """Return how many of `size` units a stable must field at least, if it fields any: at least 1 (Q-154, Q-155)."""
    return max(1, len(best_team([crew for crew in choices if crew.by_duty], size, terms)))


def check_size(fielded: int, choices: Sequence[Crew], size: int, terms: MatchTerms | None = None) -> list[Refusal]:
    """Return why a line-up of `fielded` units is refused in a format of `size` units a side; empty when it is allowed.

    With fewer able fitting units than the format asks for, a stable fields those it has (Q-154). A unit that shows
    Salvage may fill a place but need not (Q-155). `choices` are all crews of the stable. The code is line_up_size.
    """
    owed = owed_units(choices, size, terms)
    if fielded > size or fielded < owed:
        return [Refusal("line_up_size", {"units": fielded, "needed": size, "owed": owed, "rule": "Q-154"})]
    return []


def must_play(
    units: Iterable[OwnedUnit], pilots: Iterable[OwnedPilot], terms: Terms, build_total: int | None = None
) -> bool:
    """Return whether a stable has a crew under the duty to play, so that it may not forfeit (R-FOR-04, Q-139)."""
    full = terms_of(terms, build_total)
    return any(True for _ in able_alone(units, pilots, full))


def able_alone(units: Iterable[OwnedUnit], pilots: Iterable[OwnedPilot], terms: MatchTerms) -> Iterator[Crew]:
    """Yield the crews under the duty to play: each fits alone, and its unit does not show Salvage."""
    pilot_list = list(pilots)
    for unit in units:
        if unit.state != SALVAGE:
            yield from (crew for crew in crews_of(unit, pilot_list, terms) if not check_team([crew], terms))
