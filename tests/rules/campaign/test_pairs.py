"""Crews, teams of two and the nearest line-up: what they are by trying everything, without trying everything.

Q-113, Q-114, Q-153..Q-157, Q-168.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from itertools import combinations
from typing import Any

import pytest

from rules.campaign.line_ups import checks
from rules.campaign.line_ups.checks import (
    Crew,
    MatchTerms,
    OwnedGear,
    OwnedPilot,
    OwnedUnit,
    able_alone,
    best_team,
    check_crew,
    check_team,
    crews,
    must_play,
    owed_units,
    team_size,
)
from rules.campaign.line_ups.stand_ins import Wish, WishedCrew, nearest
from rules.campaign.line_ups.tokens import TokenChoices
from rules.campaign.market.advice import Roster, can_field, survives_one_elimination
from rules.solaris.building import team_cap
from rules.solaris.house_rules import HouseRules
from tests.rules.campaign.cards import driver, gear, owned, unit

NO_TOKENS = TokenChoices((), 30)


def all_teams(choices: Sequence[Crew], size: int, terms: MatchTerms) -> Iterator[tuple[Crew, ...]]:
    """Every legal team, the best first."""
    for team in combinations(choices, size):
        pilots = [crew.pilot for crew in team if crew.pilot is not None]
        if len({crew.unit for crew in team}) == size and len({*pilots}) == len(pilots) and not check_team(team, terms):
            yield team


def best_of_all(choices: Sequence[Crew], size: int, terms: MatchTerms) -> tuple[Crew, ...]:
    found = (team for count in range(size, 0, -1) for team in all_teams(choices, count, terms))
    return next(found, ())


def changes_of(wish: Wish, team: Sequence[Crew], full: Sequence[Crew]) -> tuple[int, ...]:
    """What a team changes of a wish, counted on the team itself."""
    by_unit = {crew.unit: crew for crew in team}
    pilots = {crew.pilot for crew in team}
    kept = [(wished, by_unit[wished.unit]) for wished in wish.crews if wished.unit in by_unit]
    as_much = [(wished, crew) for wished, crew in kept if wished.gear is None]
    as_named = [(wished, crew) for wished, crew in kept if wished.gear is not None]
    unasked = [crew for crew in team if all(wished.unit != crew.unit for wished in wish.crews)]
    return (
        abs(len(wish.crews) - len(team)) if wish.crews else -len(team),
        len(wish.crews) - len(kept),
        sum(wished.pilot not in pilots for wished in wish.crews),
        sum(wished.pilot != crew.pilot for wished, crew in kept),
        sum(crew not in full for _, crew in as_much)
        + sum({*wished.gear} != {*crew.gear} for wished, crew in as_named if wished.gear is not None)
        + sum(crew not in full for crew in unasked),
    )


def nearest_of_all(wish: Wish, choices: Sequence[Crew], terms: MatchTerms) -> tuple[Crew, ...] | None:
    """The legal team that changes least, the first of equals."""
    full = [
        crew
        for crew in choices
        if not any((o.unit, o.pilot) == (crew.unit, crew.pilot) and len(o.gear) > len(crew.gear) for o in choices)
    ]
    owed = max(1, len(best_of_all([crew for crew in choices if crew.by_duty], terms.size, terms)))
    found = [team for size in range(terms.size, owed - 1, -1) for team in all_teams(choices, size, terms)]
    return min(found, key=lambda team: changes_of(wish, team, full), default=None)


Stable = tuple[list[OwnedUnit], list[OwnedPilot], MatchTerms]


def stables(seed: int, count: int) -> Iterator[tuple[random.Random, Stable]]:
    """Small stables: Uniques in several copies, units without pilots, damage, gear, limits that are alone or shared."""
    rng = random.Random(seed)
    for _ in range(count):
        units, pilots = [], []
        for number in range(rng.randint(0, 5)):
            cards = tuple(
                OwnedGear(f"g{number}{place}", gear("G", rng.choice([5, 10, 60]), rng.choice(["speed", "attack"])))
                for place in range(rng.choice([0, 0, 1, 1, 2]))
            )
            other: dict[str, Any] = {"rank": "unique"} if rng.random() < 0.4 else {}
            other |= {"variant": ""} if rng.random() < 0.15 else {}
            definition = unit(rng.choice(["U1", "U2", "X"]), rng.choice([60, 90, 120, 145]), **other)
            state = rng.choice(["undamaged", "undamaged", "able", "salvage", "eliminated"])
            one = OwnedUnit(f"u{number}", definition, state, rng.randint(0, 3), rng.random() < 0.1, cards)
            units.append(one)
        for number in range(rng.randint(0, 5)):
            kind = rng.choice(["common", "common", "legendary"])
            key = rng.choice(["P1", "P2", "X"])
            needs = {"class": ["light"]} if rng.random() < 0.8 else {"class": ["heavy"]}
            one_pilot = driver(key, rng.choice([5, 15, 40]), kind=kind, requires=needs)
            pilots.append(OwnedPilot(f"p{number}", one_pilot.definition))
        total = rng.choice([None, 120, 160, 230, 260, 300])
        rules = HouseRules(build_total_per=rng.choice(["unit", "team"]), build_total=total)
        terms = MatchTerms("light", rng.choice(["standard", "team", "team"]), rules, rng.choice([1, 1, 2]))
        yield rng, (units, pilots, terms)


def test_crews_are_those_that_check_crew_lets_through() -> None:
    for _, (units, pilots, terms) in stables(1, 200):
        found = {(crew.unit, crew.pilot, crew.gear) for crew in crews(units, pilots, terms)}
        assert found == {
            (one.key, None if pilot is None else pilot.key, tuple(card.key for card in cards))
            for one in units
            for pilot in ([*pilots] if one.definition["variant"] else [None])
            for count in range(len(one.gear) + 1)
            for cards in combinations(one.gear, count)
            if not check_crew(one, pilot, terms, gear=cards)
        }


def test_the_best_team_is_the_first_of_all_teams() -> None:
    sizes = set()
    for _, (units, pilots, terms) in stables(2, 300):
        listed = crews(units, pilots, terms)
        by_duty = [crew for crew in listed if crew.by_duty]
        for choices in (listed, listed[::-1], by_duty):
            assert best_team(choices, 2, terms) == best_of_all(choices, 2, terms)
        owed = max(1, len(best_of_all(by_duty, terms.size, terms)))
        assert owed_units(listed, terms.size, terms) == owed
        assert team_size(units, pilots, terms) == len(best_of_all(listed, terms.size, terms))
        assert must_play(units, pilots, terms) == bool(best_of_all(by_duty, 1, terms))
        assert set(able_alone(units, pilots, terms)) == {team[0] for team in all_teams(by_duty, 1, terms)}
        sizes.add(len(best_team(listed, 2, terms)))
    assert sizes == {0, 1, 2}


def test_q_157_the_nearest_line_up_is_the_first_of_those_that_change_least() -> None:
    for rng, (units, pilots, terms) in stables(3, 250):
        choices = crews(units, pilots, terms)
        for count in (0, 1, 2):
            wished = [
                WishedCrew(key, rng.choice([None, "gone", *(pilot.key for pilot in pilots)]), worn)
                for key in rng.sample([*(one.key for one in units), "gone", "sold"], count)
                for worn in [rng.choice([None, None, (), tuple(f"g{key[-1]}{place}" for place in range(2))])]
            ]
            wish = Wish(tuple(wished))
            found = nearest(wish, choices, terms, (), NO_TOKENS)
            least = nearest_of_all(wish, choices, terms)
            assert (None if found is None else {*found.crews}) == (None if least is None else {*least})


def test_who_is_left_after_an_elimination_is_found_without_all_pairs_of_crews() -> None:
    for rng, (units, pilots, terms) in stables(4, 200):
        roster = Roster(tuple(units), tuple(pilots), terms, pilots_die=rng.random() < 0.5)
        able = roster.able_crews()
        alone = [
            crew
            for crew in able
            if not any(
                other.unit != crew.unit
                and not (roster.pilots_die and crew.pilot is not None and other.pilot == crew.pilot)
                for other in able
            )
        ]
        answer = survives_one_elimination(roster)
        if can_field(roster).is_yes:
            assert answer.is_yes == (not alone)
            assert answer.is_yes or answer.team == (alone[0],)


MANY = 60
WORST = {
    "all fit": (HouseRules(), {}),
    "no two keep to the total": (HouseRules(build_total_per="team", build_total=3), {}),
    "every unit is the same Unique": (HouseRules(), {"rank": "unique"}),
    "one cheap unit among dear ones": (HouseRules(build_total_per="team", build_total=12), {"dear": 10}),
}


@pytest.fixture
def looks(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """One entry for each time that anybody asks what there is but once of a crew, or what it weighs."""
    seen: list[str] = []
    once, weight = Crew.once, Crew.weight

    def counted(reads: Any) -> property:
        return property(lambda crew: (seen.append(crew.unit), reads(crew))[1])

    monkeypatch.setattr(Crew, "once", counted(once.func))
    monkeypatch.setattr(Crew, "weight", counted(weight.fget))
    return seen


def many(case: str) -> Stable:
    """A stable of cheap units and pilots."""
    rules, other = WORST[case]
    dear = other.get("dear", 1)
    look = {"rank": other["rank"]} if "rank" in other else {}
    units = [OwnedUnit(f"u{n:02}", unit("U", dear if n else 1, **look), "undamaged") for n in range(MANY)]
    pilots = [OwnedPilot(f"p{n:02}", driver("P", 1).definition) for n in range(MANY)]
    return units, pilots, MatchTerms("light", "team", rules)


@pytest.mark.parametrize("case", list(WORST))
def test_sixty_units_and_sixty_pilots_are_looked_at_a_few_times_each(case: str, looks: list[str]) -> None:
    units, pilots, terms = many(case)
    choices = crews(units, pilots, terms)
    assert len(choices) == MANY * MANY, "six and a half million pairs"
    team = best_team(choices, 2, terms)
    assert owed_units(choices, 2, terms) == len(team) == team_size(units, pilots, terms)
    assert len(looks) < 60 * len(choices)
    looks.clear()
    for wish in (Wish(), Wish((WishedCrew("u07", "p09"), WishedCrew("u08", "gone")))):
        found = nearest(wish, choices, terms, (), NO_TOKENS)
        assert found is not None
        assert len(found.crews) == len(team)
    assert len(looks) < 100 * len(choices)


@pytest.mark.parametrize(("case", "most"), [("all fit", 4 * MANY), ("no two keep to the total", MANY * MANY)])
def test_how_many_stand_side_by_side_is_known_before_all_crews_are(
    case: str, most: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    made: list[str] = []
    make = checks.combatant_of
    monkeypatch.setattr(checks, "combatant_of", lambda one, *rest: (made.append(one.key), make(one, *rest))[1])
    units, pilots, terms = many(case)
    assert team_size(units, pilots, terms) == (2 if case == "all fit" else 1)
    # Each unit is looked at once without a pilot: that is asked for all pilots.
    assert len(made) <= most + 2 * MANY
    assert team_cap(2, "light", terms.house_rules) == (None if case == "all fit" else 3)


def test_a_unit_and_its_pilot_may_not_have_one_unique_number() -> None:
    one = OwnedUnit("u", owned("X", rank="unique").definition, "undamaged")
    choices = crews([one], [driver("X", kind="legendary")], MatchTerms("light"))
    assert [best_team(choices, 1, MatchTerms("light"))] == [()]
