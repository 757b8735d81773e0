"""Which units, pilots, gear, rally cards and tokens a stable may field in a match, and whether it must.

R-BLD, R-CEC, R-GER, R-RAL-01, R-RAL-02, R-FOR-04; Q-114, Q-139, Q-148, Q-154, Q-155.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import combinations
from typing import Any

from rules.campaign.classes import BUILD_TOTAL, units_a_side
from rules.campaign.repair import ELIMINATED, SALVAGE
from rules.core.building import (
    Combatant,
    card_problems,
    class_of,
    class_problems,
    combatant_points,
    takes_cards,
    team_total_problems,
    total_problems,
    unique_problems,
)
from rules.core.cards import HAND_SIZE
from rules.core.house_rules import HouseRules
from rules.core.refusals import Refusal

TOKENS_PER_SIDE = 3
"""Target tokens a player brings, whatever the size of his team (R-BLD-17, Q-172)."""


@dataclass(frozen=True)
class MatchTerms:
    """What a match asks of a stable's line-up: its class and format, the house rules, and whether it shares a side.

    `sharing` counts the stables that have the side together: each brings its part of the units (R-FMT-05, Q-168).
    """

    match_class: str
    format: str = "standard"
    house_rules: HouseRules = field(default_factory=HouseRules)
    sharing: int = 1

    @property
    def size(self) -> int:
        """Units that the stable fields."""
        return max(1, units_a_side(self.format) // self.sharing)

    @property
    def takes_tokens(self) -> bool:
        """Whether each stable brings target tokens: in every format but capture the flag (R-FMT-13, Q-172)."""
        return self.house_rules.target_tokens and self.format != "capture_the_flag"

    @property
    def takes_hands(self) -> bool:
        """Whether rally cards are played."""
        return self.house_rules.rally_cards

    @property
    def ceiling(self) -> int | None:
        """Points that one unit with its cards may reach; None where only the team's total counts (Q-114)."""
        if self.house_rules.build_total_per == "team":
            return None
        return self.house_rules.build_total or BUILD_TOTAL[self.match_class]


Terms = MatchTerms | str
"""The terms of a match; a class alone stands for a match of one unit by the ordinary house rules."""


def terms_of(terms: Terms, build_total: int | None = None) -> MatchTerms:
    """Return terms given in full or by their class; `build_total` replaces the class's own ceiling (R-BLD-20)."""
    full = terms if isinstance(terms, MatchTerms) else MatchTerms(terms)
    if build_total is None:
        return full
    return replace(full, house_rules=replace(full.house_rules, build_total=build_total))


@dataclass(frozen=True)
class OwnedGear:
    """Gear on a stable's list: its key there and its card (catalogue shape); two-sided gear with its `side`."""

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
    """A living pilot on a stable's list: his key there and his definition (catalogue shape)."""

    key: str
    definition: Mapping[str, Any]


@dataclass(frozen=True)
class OwnedCard:
    """A rally card on a stable's list: its key there and its card (catalogue shape)."""

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

    It takes the gear that the garage put on it, unless `gear` names less. Slots, requirements, class and build total
    are asked of all of them together (R-BLD-08, R-CEC-06, R-GER-02, R-PLT-01); of an eliminated unit nothing can be
    used, its gear included (R-CRP-08).
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


def different_tokens(tokens: Iterable[Mapping[str, Any]], pool: int) -> list[tuple[str, str, str]]:
    """Return every choice of three different tokens that is worth exactly `pool` RP, in order of their ids."""
    return [triple for triple in token_triples(tokens, pool) if len(set(triple)) == len(triple)]


def check_hand(hands: Sequence[Sequence[OwnedCard]], owner: str) -> list[Refusal]:
    """Return why rally cards may not be brought: five a unit at most, no two copies in the stable's one hand.

    `hands` are those of the units in their order, `owner` the stable's name (R-RAL-01, R-RAL-02, Q-148).
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
    """One unit and its pilot (null for a unit from before Age of Destruction), by their keys on the stable's list.

    `gear` are the keys of the gear that goes with it, `combatant` is all of it as cards, null where nobody asks.
    """

    unit: str
    pilot: str | None
    points: int
    by_duty: bool
    gear: tuple[str, ...] = ()
    combatant: Combatant | None = field(default=None, compare=False, repr=False)


def crews(
    units: Iterable[OwnedUnit], pilots: Iterable[OwnedPilot], terms: Terms, build_total: int | None = None
) -> list[Crew]:
    """Return every unit with every pilot, and with all or less of its gear, that may be fielded, best first.

    A crew fielded by duty, one whose unit does not show Salvage (Q-139, Q-155), comes before others; then fewer
    clicks of damage, then more points, then keys. Cards are optional (R-CEC-01), so a unit that is too dear with its
    gear may go without: gear is no excuse from the duty to play.
    """
    full = terms_of(terms, build_total)
    pilot_list = list(pilots)
    found = []
    for unit in units:
        choices: list[OwnedPilot | None] = [*pilot_list] if needs_pilot(unit.definition) else [None]
        for pilot in choices:
            for gear in _parts_of(unit.gear):
                if check_crew(unit, pilot, full, gear=gear):
                    continue
                combatant = combatant_of(unit, pilot, gear)
                crew = Crew(
                    unit.key,
                    None if pilot is None else pilot.key,
                    combatant_points(combatant),
                    unit.state != SALVAGE,
                    tuple(card.key for card in gear),
                    combatant,
                )
                found.append(((not crew.by_duty, unit.clicks, -crew.points, crew.unit, crew.pilot or ""), crew))
    return [crew for _, crew in sorted(found, key=lambda entry: entry[0])]


def _parts_of(gear: Sequence[OwnedGear]) -> Iterator[tuple[OwnedGear, ...]]:
    """All of the gear, then less of it, down to none."""
    for count in range(len(gear), -1, -1):
        yield from combinations(gear, count)


def check_team(team: Sequence[Crew], terms: MatchTerms) -> list[Refusal]:
    """Return what forbids these crews side by side: a Unique twice, or too many points where the team shares a total.

    R-BLD-12, R-PLT-03, Q-113, Q-114.
    """
    combatants = [crew.combatant for crew in team if crew.combatant is not None]
    match_class = terms.match_class
    return unique_problems(combatants) + team_total_problems(combatants, match_class, terms.house_rules, terms.sharing)


def teams(choices: Sequence[Crew], size: int, terms: MatchTerms | None = None) -> Iterator[tuple[Crew, ...]]:
    """Return every legal team of exactly `size` (1 or 2) crews of different units and pilots, the best first."""
    for team in combinations(choices, size):
        if len({crew.unit for crew in team}) < size:
            continue
        pilots = [crew.pilot for crew in team if crew.pilot is not None]
        if len(set(pilots)) == len(pilots) and not (terms is not None and check_team(team, terms)):
            yield team


def best_team(choices: Sequence[Crew], size: int, terms: MatchTerms | None = None) -> tuple[Crew, ...]:
    """Return up to `size` (1 or 2) crews of different units and pilots: as many as can be, then those listed first."""
    for count in range(size, 0, -1):
        for team in teams(choices, count, terms):
            return team
    return ()


def owed_units(choices: Sequence[Crew], size: int, terms: MatchTerms | None = None) -> int:
    """Return how many of `size` units a stable must field at least, if it fields any (Q-154, Q-155)."""
    return max(1, len(best_team([crew for crew in choices if crew.by_duty], size, terms)))


def check_size(fielded: int, choices: Sequence[Crew], size: int, terms: MatchTerms | None = None) -> list[Refusal]:
    """Return why a line-up of `fielded` units is refused in a format of `size` units a side; empty when it may stand.

    With fewer able fitting units than the format asks for, a stable fields those it has (Q-154); a unit that shows
    Salvage may fill a place, and never must (Q-155). `choices` are all crews of the stable.
    """
    owed = owed_units(choices, size, terms)
    if fielded > size or fielded < owed:
        return [Refusal("line_up_size", {"units": fielded, "needed": size, "owed": owed, "rule": "Q-154"})]
    return []


def must_play(
    units: Iterable[OwnedUnit], pilots: Iterable[OwnedPilot], terms: Terms, build_total: int | None = None
) -> bool:
    """Return whether a stable has an able fitting unit with a pilot, so that it may not forfeit (R-FOR-04, Q-139)."""
    full = terms_of(terms, build_total)
    return bool(best_team([crew for crew in crews(units, pilots, full) if crew.by_duty], 1, full))
