"""The time window of a stable: what it may do now in the market, with sales, swaps and repairs.

R-AST-03, R-AST-07, R-AST-10, R-AST-11, R-CRP-01, Q-133, Q-170.
"""

from __future__ import annotations

from dataclasses import dataclass

from rules.campaign.states import OPEN
from rules.core.refusals import SeasonRefused
from stables.models import Cycle, Fixture, FixtureSide, SkippedCycle, Stable


@dataclass(frozen=True)
class Window:
    """A stable's position in a cycle, from which follows what it may do now.

    `next_round` is the round of its next match, and `matches_left` counts from that match on. While the market is open
    they are 1 and 0, since the rounds are not planned yet; when no match of the cycle may come any more both are 0, or
    the round is one beyond the last. `is_between_matches` means that it may sell and repair. `in_break` means that the
    market is open, or no match of the cycle is left. `cycle` is 0 before the first cycle.
    """

    cycle: int
    match_class: str
    is_market: bool
    is_between_matches: bool
    in_break: bool
    next_round: int
    matches_left: int = 0
    format: str = ""

    @property
    def pause(self) -> tuple[int, int]:
        """The pause before the next match, as cycle and round. A cycle's market and the time up to its first match are
        one pause."""
        return self.cycle, self.next_round

    @property
    def is_mid_cycle(self) -> bool:
        """Whether the stable is between matches in a cycle whose market is closed."""
        return self.is_between_matches and not self.in_break

    @property
    def gear_may_move(self) -> bool:
        """Whether gear may be moved: between matches, but not after the last match of a cycle, whose compulsory repairs
        come first (Q-170)."""
        return self.is_market or self.is_mid_cycle

    def can_buy(self, buy_between_matches: bool) -> bool:
        """Return whether assets may be bought now (R-AST-03, Q-133)."""
        return self.is_market or (buy_between_matches and self.is_between_matches)

    def require_market(self, buy_between_matches: bool) -> None:
        """Raise SeasonRefused (market_closed) unless assets may be bought now."""
        if not self.can_buy(buy_between_matches):
            raise SeasonRefused("market_closed", rule="R-AST-03")

    def require_sales(self) -> None:
        """Raise SeasonRefused (sales_closed) unless assets may be sold now."""
        if not self.is_between_matches:
            raise SeasonRefused("sales_closed", rule="R-AST-07")

    def require_repairs(self) -> None:
        """Raise SeasonRefused (repairs_closed) unless units may be repaired now."""
        if not self.is_between_matches:
            raise SeasonRefused("repairs_closed", rule="R-CRP-01")

    def require_swaps(self, moves_gear: bool) -> None:
        """Raise SeasonRefused (swaps_closed, swaps_wait_for_repairs) unless assets may be moved now.

        `moves_gear` says that gear is put on a unit or taken off it. Pilots do not affect repairs and need not wait.
        """
        if not self.is_between_matches:
            raise SeasonRefused("swaps_closed", rule="R-AST-10")
        if moves_gear and not self.gear_may_move:
            raise SeasonRefused("swaps_wait_for_repairs", rule="Q-170")


def repairs_are_over(stable: Stable, window: Window) -> bool:
    """Return whether the stable swapped gear in this pause and may repair nothing more in it (R-AST-11, Q-170)."""
    return (stable.swapped_cycle, stable.swapped_round) == window.pause


def before_match(cycle: Cycle, round_number: int, is_open: bool) -> Window:
    """Return the window of a stable that is paired in a round. No query.

    `is_open` says that its line-up is called for and not handed in yet.
    """
    left = (cycle.rounds_planned or 0) - round_number + 1
    return Window(cycle.number, cycle.match_class, False, is_open, False, round_number, left, cycle.format)


def in_market(cycle: Cycle) -> Window:
    """Return the window of all stables while the market of a cycle is open. No query."""
    return Window(cycle.number, cycle.match_class, True, True, True, 1, 0, cycle.format)


def window_of(stable: Stable) -> Window:
    """Return the window of a stable; at most four queries. Fetch `stable` with its season.

    Lock the stable's row before acting on the window.
    """
    season = stable.season
    cycle = Cycle.objects.filter(season=season).order_by("-number").first()
    open_season = season.state in OPEN
    if cycle is None or not open_season or cycle.state in (Cycle.State.CLOSING, Cycle.State.CLOSED):
        if cycle is None:
            return Window(0, "", False, False, True, 0)
        return Window(cycle.number, cycle.match_class, False, False, True, 0, 0, cycle.format)
    if cycle.state == Cycle.State.MARKET:
        return in_market(cycle)
    sides = FixtureSide.objects.filter(stable=stable, fixture__round__cycle=cycle)
    # Only what the window needs: Django takes longer to name all columns of four rows than the query does.
    side = (
        sides.exclude(fixture__state=Fixture.State.SETTLED)
        .order_by("pk")
        .values_list("fixture__state", "fixture__round__number", "forfeits", "line_up")
        .first()
    )
    if side is not None:
        state, round_number, forfeits, line_up = side
        return before_match(cycle, round_number, state == Fixture.State.LINE_UPS and not forfeits and line_up is None)
    planned = cycle.rounds_planned or 0
    played = sides.count()
    if not played and SkippedCycle.objects.filter(stable=stable, cycle_number=cycle.number).exists():
        # For a stable that sits the cycle out, its last match is always over (R-CYC-11).
        played = planned
    left = planned - played
    return Window(cycle.number, cycle.match_class, False, True, played >= planned, played + 1, left, cycle.format)
