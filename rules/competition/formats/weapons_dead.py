"""Weapons Dead: no ranged orders and no ranged attacks (R-FMT-06, Q-147)."""

from __future__ import annotations

from rules.competition.formats.base import RulesOfCompetition


class WeaponsDead(RulesOfCompetition):
    """A match of close combat only, also under assault, dig in and defend, and against tokens."""

    key = "weapons_dead"
    allows_ranged = False
