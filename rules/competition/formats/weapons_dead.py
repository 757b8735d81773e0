"""Weapons Dead: no ranged orders and no ranged attacks (R-FMT-06, Q-147)."""

from __future__ import annotations

from rules.competition.formats.base import RulesOfCompetition


class WeaponsDead(RulesOfCompetition):
    """Everything but ranged attacks: an assault, dig in and defend attack by hand, and so are tokens destroyed."""

    key = "weapons_dead"
    allows_ranged = False
