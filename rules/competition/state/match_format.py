"""Where a match format may add to the Rules of Competition.

The engine asks the roster's format object at the points named here and nowhere compares formats. Formats keep no
state; what changes during a match is in the Position. The table's module imports this one, so the type of the table is
a parameter here.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Generic, NamedTuple, TypeVar

from rules.competition.state.setup import MatchSetup
from rules.core.fixed import Fixed
from rules.core.refusals import Malformed, Refusal
from rules.solaris.house_rules import HouseRules

Path = tuple[int, ...]
Doing = Callable[..., None]
Task = tuple[Doing] | tuple[Doing, Any] | tuple[Doing, Any, Any, *tuple[Any, ...]]
"""A function and its arguments after the table, as the table's agenda holds them: none, one, or more."""

PlayedOn = TypeVar("PlayedOn")
"""The type of the table."""


class FlagTry(NamedTuple):
    """A move that tries for a flag on its way: its mode, the flag's hex and the hex before it, the speed spent to get
    there, and the destination. A jump tries where it lands: there is the hex before, with 0 spent."""

    mode: int
    tried: int
    before: int
    spent: int
    destination: int


class MatchFormat(Fixed, Generic[PlayedOn]):
    """The Rules of Competition except the starting hexes, and the base of every format.

    `sides` and `units`: least and most sides of a match and units of a side. `has_tokens`: whether target tokens are
    used if the house rules use them. `allows_ranged`: whether ranged attacks may be made at all.
    """

    _is_fixed = True
    key = ""
    sides = (2, 8)
    units = (1, 7)
    has_tokens = True
    allows_ranged = True

    # --- before the match -------------------------------------------------------------------------------------------

    def check(self, setup: MatchSetup) -> None:
        """Raise Malformed (format_sides, format_units) unless the format takes this many sides and units."""
        least, most = self.sides
        if not least <= len(setup.sides) <= most:
            raise Malformed("format_sides", format=self.key, count=len(setup.sides), least=least, most=most)
        least, most = self.units
        for side in setup.sides:
            if not least <= len(side.units) <= most:
                raise Malformed(
                    "format_units", format=self.key, side=side.key, count=len(side.units), least=least, most=most
                )

    def last_round(self, house_rules: HouseRules) -> int | None:
        """Return the round after which time is up (R-FMT-22); None when only a clock limits the match."""
        if house_rules.clock_seconds is not None and house_rules.time_limit_rounds is None:
            return None
        return house_rules.rounds(self.key)

    def start_hexes(self, table: PlayedOn, unit: int) -> list[int]:
        """Return the free hexes in which this unit may start (R-ARN-05 to R-ARN-07)."""
        raise NotImplementedError

    def setup_tasks(self, table: PlayedOn) -> list[Task]:
        """Return the tasks after all units are placed, before the first token."""
        return []

    # --- during a round ---------------------------------------------------------------------------------------------

    def initiative_tasks(self, table: PlayedOn) -> list[Task]:
        """Return the tasks between the revive attempts and the initiative rolls."""
        return []

    def cleanup_tasks(self, table: PlayedOn) -> list[Task]:
        """Return the tasks between the heat losses and a new token (Q-24)."""
        return []

    # --- moving -----------------------------------------------------------------------------------------------------

    def entered(self, table: PlayedOn, path: Path, is_jump: bool) -> Path:
        """Return the hexes of a declared path that the unit really enters."""
        return path

    def try_problem(
        self, table: PlayedOn, unit: int, path: Path, speed: int, flat: bool, is_jump: bool
    ) -> Refusal | None:
        """Return why the unit may not try for the flags that a declared path names; None when it may."""
        return None

    def flag_tries(self, table: PlayedOn, unit: int) -> list[FlagTry]:
        """Return the moves that try for a flag, one for each outcome."""
        return []

    def path_of(self, table: PlayedOn, unit: int, way: FlagTry) -> Path:
        """Return the path to declare for a try."""
        raise NotImplementedError

    def follows_path(self, table: PlayedOn, unit: int) -> bool:
        """Return whether it matters which hexes this unit passes."""
        return False

    def on_the_way(self, table: PlayedOn, unit: int, path: Path, is_jump: bool) -> Path:
        """Do what a unit does along a path just before it moves, and return the hexes that it really enters."""
        return path

    # --- fighting ---------------------------------------------------------------------------------------------------

    def after_hits(self, table: PlayedOn, targets: tuple[int, ...]) -> None:
        """React to an attack that has been scored on the targets that it hit, () for a miss; a pin is a hit too."""

    def before_departure(self, table: PlayedOn, unit: int) -> None:
        """React to a unit that is about to leave the arena, eliminated or surrendered."""

    # --- the end ----------------------------------------------------------------------------------------------------

    def award(self, table: PlayedOn) -> None:
        """Give the format's reputation when the match ends, before the winner is found."""

    def rank(self, table: PlayedOn, winner: int) -> None:
        """Put all sides in order, if the format has places, once the winner is found."""
