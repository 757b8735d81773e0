"""The Team match: two units a side, of one stable or of two (R-FMT-02 to R-FMT-05)."""

from __future__ import annotations

from rules.competition.formats.base import RulesOfCompetition
from rules.competition.formats.starting import paired_starts
from rules.competition.state.match_state import MatchState


class Team(RulesOfCompetition):
    """Two sides of two units; one unit for a stable that has no second one (Q-154)."""

    key = "team"
    sides = (2, 2)
    units = (1, 2)

    def start_hexes(self, table: MatchState, unit: int) -> list[int]:
        """Return the free starting hexes: each team has a pair of areas, even a team of one (R-ARN-06, Q-173)."""
        return paired_starts(table, unit)
