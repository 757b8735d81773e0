"""What the greedy bot remembers while it compares places, held against asking again for each of them."""

from __future__ import annotations

import pytest

from rules.bots.attack_estimates import AttackEstimates, facings_towards
from rules.bots.estimates import Threats, best_attack, best_facing, facing_to
from rules.bots.places import Places
from rules.competition.setups import roster_of
from rules.competition.state.match_state import MatchState
from rules.tools.bench import SCENES, midgame, setups

SCENES_PLAYED = ["duel", "team", "grand_melee", "weapons_dead"]
PLACES = 12
"""Hexes looked at in each position."""


def positions(scene: str) -> list[tuple[MatchState, int, list[int]]]:
    """Tables some way into a match, the unit that decides, and free hexes all over the map."""
    found = []
    for match in midgame([roster_of(setup) for setup in setups(*SCENES[scene])]):
        table = match.table
        assert table.open is not None
        free = [place for place in table.roster.lattice.hexes if not table.position.filled() >> place & 1]
        near = sorted(free, key=lambda place: min(_distances(table, place), default=0))
        found.append((table, table.open[1], near[:PLACES] + free[:: len(free) // PLACES]))
    return found


def _distances(table: MatchState, place: int) -> list[int]:
    return [table.roster.lattice.distance(place, at) for at in table.position.hex if at >= 0]


@pytest.mark.parametrize("scene", SCENES_PLAYED)
def test_the_best_facing_is_the_best_of_all_asked_one_by_one(scene: str) -> None:
    armed = 0
    for table, unit, places in positions(scene):
        aim = AttackEstimates(table, unit)
        for place in places:
            facing, attack = best_facing(table, unit, place, aim)
            one_by_one = [best_attack(table, unit, place, other) for other in aim.facings(place)]
            best = max((found.worth for found in one_by_one if found is not None), default=None)
            assert (attack.worth if attack else None) == best
            if attack is not None:
                assert best_attack(table, unit, place, facing) == attack
                armed += 1
    assert armed


@pytest.mark.parametrize("scene", SCENES_PLAYED)
def test_threats_are_the_same_in_whatever_order_places_are_asked(scene: str) -> None:
    threatened = 0
    for table, unit, places in positions(scene):
        threats = Threats(table, unit)
        before = table.position.to_json()
        for place in places + places[::-1]:
            threat = threats.at(place, 3)
            assert threat == Threats(table, unit).at(place, 3)
            threatened += threat > 0
        assert table.position.to_json() == before
    assert threatened


@pytest.mark.parametrize("scene", SCENES_PLAYED)
def test_the_best_place_is_the_best_of_all_with_what_threatens_them(scene: str) -> None:
    for table, unit, places in positions(scene):
        worths = [Places(table, unit).worth_of(place, Places(table, unit).facing_at(place)[0]) for place in places]
        worth = max(worths)
        found = Places(table, unit).best(places, 0.0, -100.0)
        assert found is not None
        assert found[:2] == (worth, places[worths.index(worth)])
        assert Places(table, unit).best(places, 0.0, worth) is None


def test_facings_are_looked_up_as_they_are_worked_out() -> None:
    table = positions("duel")[0][0]
    lattice = table.roster.lattice
    for target in lattice.hexes[::7]:
        towards = facings_towards(lattice, target)
        assert all(towards[place] == facing_to(table, place, target) for place in lattice.hexes)
