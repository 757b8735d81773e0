"""The Stones a stable starts with (R-STB-01)."""

from __future__ import annotations

from rules.campaign.classes import MULTI_CLASS

STARTING_CAPITAL = {"light": 1000, "medium": 1500, "heavy": 2000, "assault": 2500, MULTI_CLASS: 3000}
"""Stones by the season's class: Featherweight, Lightweight, Middleweight, Heavyweight, multi-class."""


def starting_capital(season_class: str) -> int:
    """Return the starting capital in Stones of a weight class or of "multi". Raises KeyError for others."""
    return STARTING_CAPITAL[season_class]
