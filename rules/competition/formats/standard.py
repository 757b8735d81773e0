"""The Standard match: the Rules of Competition without exception, for as many sides and units as people like."""

from __future__ import annotations

from dataclasses import replace

from rules.competition.formats.base import RulesOfCompetition
from rules.solaris.house_rules import HouseRules


class Standard(RulesOfCompetition):
    """The Standard match (R-FMT-01)."""

    key = "standard"


def sudden_death(house_rules: HouseRules) -> HouseRules:
    """Return the house rules of a sudden death match: no pilot death and no rally cards (R-SUD-01, Q-169).

    It is a Standard match otherwise. The campaign decides who plays, in which class, and that only the winner counts.
    """
    return replace(house_rules, pilot_death=False, rally_cards=False)
