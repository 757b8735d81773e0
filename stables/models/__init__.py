"""What is stored of a season: its plan, its stables and what they own, its fixtures, and three append-only books."""

from stables.models.fixture import Crew, Fixture, FixtureSide, LineUp, Result
from stables.models.season import Cycle, Round, Season
from stables.models.stable import Asset, LedgerEntry, Stable
from stables.models.standing import Placing, ReputationEntry, Title

__all__ = [
    "Asset",
    "Crew",
    "Cycle",
    "Fixture",
    "FixtureSide",
    "LedgerEntry",
    "LineUp",
    "Placing",
    "ReputationEntry",
    "Result",
    "Round",
    "Season",
    "Stable",
    "Title",
]
