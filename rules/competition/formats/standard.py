"""The Standard match: the Rules of Competition without exception, for as many sides and units as people like."""

from __future__ import annotations

from dataclasses import replace

from rules.competition.formats.base import RulesOfCompetition
from rules.solaris.house_rules import HouseRules


class Standard(RulesOfCompetition):
    """R-FMT-01."""

    key = "standard"


def sudden_death(house_rules: HouseRules) -> HouseRules:
    """Return the switches of a sudden death match: a Standard match without pilot death and rally cards (R-SUD-01,
    Q-169).

    Everything else of it is the campaign's: who plays, in which class, and that only the winner counts.
    """
    return replace(house_rules, pilot_death=False, rally_cards=False)
