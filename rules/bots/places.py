"""The worth of a place to the greedy bot: the best attack from there and water for a hot unit, less the threats, the
way to the nearest opponent and the way left on an errand. All in points of damage."""

from __future__ import annotations

from rules.bots import objectives
from rules.bots.attack_estimates import AttackEstimates
from rules.bots.estimates import Threats, best_facing, best_of
from rules.competition.state.match_state import MatchState

CAUTION = 0.7
"""How much a point of damage taken weighs against one dealt."""

UNARMED_CAUTION = 0.3
"""The share of CAUTION that counts in a place without an attack: there, closing in counts more than safety."""

DISTANCE_COST = 0.03
COOLING = 0.2
"""The worth of water to a unit with heat on its dial, in points of damage."""


class Places:
    """The worth of places to one unit at the present table; make a new object when the table has changed."""

    __slots__ = ("_away", "_cooling", "_opponents", "_threats", "_way", "aim", "table", "unit")

    def __init__(self, table: MatchState, unit: int) -> None:
        position, lattice = table.position, table.roster.lattice
        self.table = table
        self.unit = unit
        self.aim = AttackEstimates(table, unit)
        self._threats = Threats(table, unit)
        opponents = [position.hex[other] for other in table.roster.opponents[unit] if position.hex[other] >= 0]
        self._opponents = [lattice.distances(opponent) for opponent in opponents]
        self._cooling = table.roster.arena.water if position.heat[unit] else 0
        errand = objectives.errand_of(table, unit)
        self._way = lattice.distances(errand.goal) if errand else b""
        self._away = errand.away if errand else 0

    def facing_at(self, place: int) -> tuple[int, float]:
        """Return the facing whose attack from `place` is worth most, and that worth; 0 without an attack."""
        facing, attack = best_facing(self.table, self.unit, place, self.aim)
        return facing, attack.worth if attack else 0.0

    def worth_of(self, place: int, facing: int) -> float:
        """Return the worth of `place` with this facing, threats included."""
        return self.threatened(place, facing, self.attack_worth(place, facing))

    def attack_worth(self, place: int, facing: int) -> float:
        """Return the worth of the best attack from `place` with this facing; 0 without an attack."""
        found = best_of(self.aim, place, facing, self.aim.attacks(place))
        return found.worth if found else 0.0

    def threatened(self, place: int, facing: int, attack: float) -> float:
        """Return the worth of a place and facing, threats included; `attack` is the worth of the attack from there."""
        return self._balance(place, attack, self._threats.at(place, facing))

    def unthreatened(self, place: int, attack: float) -> float:
        """Return the worth of a place without threats, which is never less than `threatened` returns.

        `attack` is the worth of the attack from there.
        """
        return self._balance(place, attack, 0.0)

    def _balance(self, place: int, attack: float, threat: float) -> float:
        """Return the worth of a place with this attack and this threat; a greater threat never raises it."""
        away = min([distances[place] for distances in self._opponents], default=0)
        is_cooling = COOLING if self._cooling >> place & 1 else 0.0
        errand = objectives.FLAG_STEP * abs(self._way[place] - self._away) if self._way else 0.0
        caution = 1.0 if attack > 0 else UNARMED_CAUTION
        return attack - CAUTION * threat * caution - DISTANCE_COST * away + is_cooling - errand

    def best(self, places: list[int], cost: float, least: float) -> tuple[float, int, int] | None:
        """Return the worth, hex and facing of the best of `places`, the first of equals.

        `cost` is taken off each worth. Return None if no place is then worth more than `least`.

        Threats take long to compute and only lower the worth. So places are tried in the order of their worth without
        threats, until none can beat the best one found.
        """
        hopes = []
        for number, place in enumerate(places):
            facing, attack = self.facing_at(place)
            hopes.append((cost - self.unthreatened(place, attack), number, place, facing, attack))
        best: tuple[float, int, int] | None = None
        best_number = -1
        for hope, number, place, facing, attack in sorted(hopes):
            if -hope < least:
                break
            real = self.threatened(place, facing, attack) - cost
            if real > least or (real == least and number < best_number):
                least, best, best_number = real, (real, place, facing), number
        return best
