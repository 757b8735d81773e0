"""The Rules of Competition without exception: what every format plays unless it has a rule of its own."""

from __future__ import annotations

from rules.competition.formats.starting import labelled_starts, paired_starts
from rules.competition.state.match_format import MatchFormat
from rules.competition.state.match_state import MatchState


class RulesOfCompetition(MatchFormat[MatchState]):
    """The base of the six formats."""

    def start_hexes(self, table: MatchState, unit: int) -> list[int]:
        """Return the free starting hexes of a unit.

        Two teams of two have pairs of areas (R-ARN-06), all others the marks of the arena (R-ARN-05, R-ARN-07).
        """
        if [len(units) for units in table.roster.side_units] == [2, 2]:
            return paired_starts(table, unit)
        return labelled_starts(table)
