"""The greedy bot's choices about flags, partners and the unit that begins, which some formats ask for."""

from __future__ import annotations

from typing import NamedTuple

from rules.bots.estimates import facing_to
from rules.competition.formats.flags import CarriedFlag, DropChoice, carried_by, flags_at
from rules.competition.formats.tag_team import ActiveChoice, TagChoice
from rules.competition.state.match_format import FlagTry
from rules.competition.state.match_state import MatchState
from rules.competition.state.position import SHUTDOWN, UNCONSCIOUS

WORN = 0.5
"""A unit with less than this share of its dial left changes with a fresher partner."""

FLAG_WORTH = 6.0
"""The worth of carrying another side's flag home, in points of damage. A try is worth half of it, times its chance.

The own flag is worth half."""

FLAG_STEP = 0.25
"""The worth of a hex nearer to the goal of an errand, in points of damage."""


def name_active(table: MatchState, unit: int, data: None) -> ActiveChoice:
    """Return the side's unit of most points as the one that begins."""
    return (max(table.roster.side_units[table.roster.side_of[unit]], key=lambda own: table.fighter(own).total),)


def left_of(table: MatchState, unit: int) -> float:
    """Return the share of a unit's dial that is left, 0 to 1."""
    return 1 - table.position.clicks[unit] / table.fighter(unit).clicks


def tag(table: MatchState, unit: int, data: int) -> TagChoice:
    """Return the choice to change if the unit is worn or helpless and the partner `data` is in better shape, else to
    stay.
    """
    status = table.position.status
    helpless = SHUTDOWN | UNCONSCIOUS
    is_worn = left_of(table, unit) < WORN or status[unit] & helpless
    if not is_worn or status[data] & helpless or left_of(table, data) <= left_of(table, unit):
        return (-1, 0, 0)
    return change(table, unit, data)


def change(table: MatchState, unit: int, partner: int) -> TagChoice:
    """Return the choice to change with the partner, who looks at the nearest opponent."""
    place = table.position.hex[unit]
    opponents = [table.position.hex[other] for other in table.roster.opponents[unit]]
    nearest = min(
        (at for at in opponents if at >= 0),
        key=lambda at: table.roster.lattice.distance(place, at),
        default=table.roster.arena.lattice.hexes[0],
    )
    return (partner, table.position.facing[unit], facing_to(table, place, nearest))


def drop(table: MatchState, unit: int, data: CarriedFlag) -> DropChoice:
    """Return the hex in which to drop a flag: home if that is on offer, else, for a flag shaken off, the one nearest to
    home.
    """
    assert table.open is not None
    home = table.position.flags[table.roster.side_of[unit]][0]
    if not data[1]:
        return (home,)
    options: list[DropChoice] = table.open[0].options(table, unit, data)
    return min(options, key=lambda choice: table.roster.lattice.distance(choice[0], home))


class Errand(NamedTuple):
    """A unit's way to a goal: it should come to a distance of `away` hexes, 0 or 1, from the hex `goal`."""

    goal: int
    away: int

    def left(self, table: MatchState, place: int) -> int:
        """Return how many hexes the unit still has to go from `place`."""
        return abs(table.roster.lattice.distance(place, self.goal) - self.away)


def errand_of(table: MatchState, unit: int) -> Errand | None:
    """Return the errand of a unit, None when it has none.

    A worn unit goes to a fresher partner. A unit with a flag goes to a hex next to its own home, where it can put the
    flag down (R-FMT-17). A flag that lies anywhere outside that home calls the side's nearest unit without a flag.
    """
    position, roster = table.position, table.roster
    side = roster.side_of[unit]
    for partner, place in position.waiting:
        if roster.side_of[partner] == side and left_of(table, unit) < min(WORN, left_of(table, partner)):
            return Errand(place, 0)
    if not position.flags:
        return None
    home = position.flags[side][0]
    if carried_by(table, unit):
        return Errand(home, 1)
    wanted = [place for flag, (_, place, _) in enumerate(position.flags) if place >= 0 and place != home]
    own = [other for other in roster.side_units[side] if position.hex[other] >= 0 and not carried_by(table, other)]
    distance = roster.lattice.distance
    for place in sorted(wanted, key=lambda place: distance(position.hex[unit], place)):
        if min(own, key=lambda other: distance(position.hex[other], place)) == unit:
            return Errand(place, 0)
    return None


def worth_of_try(table: MatchState, unit: int, way: FlagTry) -> float:
    """Return the worth of trying for a flag on the way, in points of damage.

    A flag in the side's own home is worth -1: it stays there.
    """
    side = table.roster.side_of[unit]
    flag = flags_at(table, unit, way.tried)[0]
    if way.tried == table.position.flags[side][0]:
        return -1.0
    die = 3 + table.fighter(unit).pilot_attack * table.pilot_counts(unit)
    worth = FLAG_WORTH if flag != side else FLAG_WORTH / 2
    return worth / 2 * min(6, max(0, die)) / 6
