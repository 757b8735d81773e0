"""Capture the Flag: two flags, captured by a die, carried home (R-FMT-13 to R-FMT-19, R-FMT-23, Q-143 to Q-145, Q-152).

A declared path may name the hex of a lying flag: the unit tries for the flag from the hex before and does not enter.
The path continues with the next hex. A path that names the hex again tries for the second flag there.
"""

from __future__ import annotations

from itertools import permutations

from rules.competition.formats import flags
from rules.competition.formats.team import Team
from rules.competition.state.events import REPUTATION
from rules.competition.state.format_events import FLAG_CAPTURED, FLAG_DROPPED, FLAG_PLACED, FLAG_SHAKEN, FLAG_TRIED
from rules.competition.state.match_format import FlagTry, Path, Task
from rules.competition.state.match_state import MatchState
from rules.competition.state.position import SURRENDERED
from rules.competition.state.setup import MatchSetup
from rules.core.refusals import Malformed, Refusal
from rules.solaris.rewards import FLAG_AT_HOME, FLAG_CARRIED, FLAG_POINTS

CAPTURE_FROM = 4
"""What d6 plus the pilot's attack modifier must reach (R-FMT-15)."""

DROPPED_UP_TO = 2
"""The highest die on which a carrier that is hit drops its flags (R-FMT-18)."""

FLAG_AREA = "C"


class CaptureTheFlag(Team):
    """A team match without target tokens, with a flag a side."""

    key = "capture_the_flag"
    has_tokens = False

    def check(self, setup: MatchSetup) -> None:
        """Raise Malformed as the base does, and (format_starts) for fewer C hexes than sides (R-FMT-14)."""
        super().check(setup)
        areas = (setup.arena.get("starts") or {}).get(FLAG_AREA) or ()
        if len(areas) < len(setup.sides):
            raise Malformed("format_starts", format=self.key, area=FLAG_AREA, count=len(areas), needed=len(setup.sides))

    def setup_tasks(self, table: MatchState) -> list[Task]:
        """Return the placing of the flags (R-FMT-14)."""
        return [(place_flags,)]

    # --- moving -----------------------------------------------------------------------------------------------------

    def entered(self, table: MatchState, path: Path, is_jump: bool) -> Path:
        """Return the path without the hexes that are only tried for."""
        return tuple(place for place, is_try in flags.steps_of(table, path, is_jump) if not is_try)

    def try_problem(
        self, table: MatchState, unit: int, path: Path, speed: int, flat: bool, is_jump: bool
    ) -> Refusal | None:
        """Return why the unit may not try for the flags that a path names, as `flags.try_problem` does (Q-143)."""
        return flags.try_problem(table, unit, path, speed, flat, is_jump)

    def flag_tries(self, table: MatchState, unit: int) -> list[FlagTry]:
        """Return the moves that try for a flag."""
        return flags.flag_tries(table, unit)

    def path_of(self, table: MatchState, unit: int, way: FlagTry) -> Path:
        """Return the path that names the flag's hex."""
        return flags.path_of_try(table, unit, way)

    def follows_path(self, table: MatchState, unit: int) -> bool:
        """Return whether the path matters: a carrier may put its flag down where it passes its own area."""
        return any(carrier == unit for _, _, carrier in table.position.flags)

    def on_the_way(self, table: MatchState, unit: int, path: Path, is_jump: bool) -> Path:
        """Roll for the flags tried for, and offer to put down flags carried past the unit's own area.

        Return the hexes really entered. The rules are R-FMT-15 to 17.
        """
        position, roster = table.position, table.roster
        side = roster.side_of[unit]
        near_home = roster.arena.adjacent[position.flags[side][0]] if position.flags else 0
        steps = flags.steps_of(table, path, is_jump)
        landing = sum(not is_try for _, is_try in steps)
        at, tried, passed, entered = position.hex[unit], set[int](), set[int](), list[int]()
        for place, is_try in [(at, False), *steps]:
            if is_try:
                untried = [flag for flag in flags.flags_at(table, unit, place) if flag not in tried]
                tried.add(untried[0])
                try_for(table, unit, untried[0])
            else:
                entered.append(place)
                at = place
            # A jump passes only the hexes where it begins and where it lands.
            if near_home >> at & 1 and (not is_jump or len(entered) in (1, landing + 1)):
                passed.update(flags.carried_by(table, unit))
        table.push(*((flags.ask_flag_drop, unit, flag) for flag in sorted(passed)))
        return tuple(entered[1:])

    # --- fighting ---------------------------------------------------------------------------------------------------

    def after_hits(self, table: MatchState, targets: tuple[int, ...]) -> None:
        """Roll one die for each carrier that the attack hit (R-FMT-18)."""
        for target in targets:
            carried = flags.carried_by(table, target)
            if carried:
                (die,) = table.dice.roll(1, "flag_shaken")
                is_dropped = die <= DROPPED_UP_TO
                table.emit(FLAG_SHAKEN, target, die, is_dropped)
                if is_dropped:
                    table.push(*((flags.ask_forced_drop, target, flag) for flag in carried))

    def before_departure(self, table: MatchState, unit: int) -> None:
        """Put down the flags of a unit, in its hex, before it leaves the arena (Q-144)."""
        for flag in flags.carried_by(table, unit):
            table.emit(FLAG_DROPPED, unit, flag, table.position.hex[unit], "gone")

    def award(self, table: MatchState) -> None:
        """Give reputation for flags at home and carried (R-FMT-19, Q-145), none to a side that surrendered (Q-166)."""
        position, roster = table.position, table.roster
        for side in range(len(roster.sides) if position.flags else 0):
            if any(position.status[unit] & SURRENDERED for unit in roster.side_units[side]):
                continue
            home = position.flags[side][0]
            for flag, (_, place, carrier) in enumerate(position.flags):
                is_own = flag == side
                if home >= 0 and place == home:
                    award = FLAG_POINTS[is_own, FLAG_AT_HOME]
                    table.emit(REPUTATION, side, award, "own_flag_home" if is_own else "other_flag_home")
                elif carrier >= 0 and roster.side_of[carrier] == side:
                    award = FLAG_POINTS[is_own, FLAG_CARRIED]
                    table.emit(REPUTATION, side, award, "own_flag_carried" if is_own else "other_flag_carried")


def place_flags(table: MatchState) -> None:
    """Put each side's flag on a C hex so that all units together are nearest to their flags (R-FMT-14)."""
    roster, places = table.roster, table.position.hex
    distance = roster.lattice.distance

    def way(side: int, home: int) -> int:
        return sum(distance(places[unit], home) for unit in roster.side_units[side] if places[unit] >= 0)

    sides = range(len(roster.sides))
    homes = min(
        permutations(roster.arena.starts[FLAG_AREA], len(sides)),
        key=lambda homes: sum(way(side, homes[side]) for side in sides),
    )
    for side in sides:
        table.emit(FLAG_PLACED, side, homes[side])


def try_for(table: MatchState, unit: int, flag: int) -> None:
    """Roll the die for a flag; on a success the unit carries it (R-FMT-15)."""
    (die,) = table.dice.roll(1, "flag")
    modifier = table.fighter(unit).pilot_attack * table.pilot_counts(unit)
    success = die + modifier >= CAPTURE_FROM
    table.emit(FLAG_TRIED, unit, flag, die, modifier, success)
    if success:
        table.emit(FLAG_CAPTURED, unit, flag)
