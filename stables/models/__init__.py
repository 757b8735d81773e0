"""The stored parts of a season: its plan, its stables and their assets, its fixtures, and its append-only books."""

from stables.models.appointments import NoShowClaim, Proposal
from stables.models.basket import Basket
from stables.models.calendar_feeds import CalendarFeed
from stables.models.coming import Coming, ComingQuestion
from stables.models.fixture import Crew, CrewCard, Fixture, FixtureForecast, FixtureSide, LineUp, SavedLineUp
from stables.models.log import LogEntry
from stables.models.membership import ExternalSeat, HandOver, Invitation, SeasonRole, StableIdentity
from stables.models.places import Passing, StandIn, WaitingPlace
from stables.models.reputation import Placing, ProvisionalTitle, ReputationEntry, SuddenDeath, Title
from stables.models.result import Correction, Report, Result, Ruling
from stables.models.season import Cycle, Round, Season
from stables.models.stable import Asset, LedgerEntry, SkippedCycle, Stable
from stables.models.tabletop import TableMark, TablePin
from stables.models.webhooks import Delivery, Webhook

__all__ = [
    "Asset",
    "Basket",
    "CalendarFeed",
    "Coming",
    "ComingQuestion",
    "Correction",
    "Crew",
    "CrewCard",
    "Cycle",
    "Delivery",
    "ExternalSeat",
    "Fixture",
    "FixtureForecast",
    "FixtureSide",
    "HandOver",
    "Invitation",
    "LedgerEntry",
    "LineUp",
    "LogEntry",
    "NoShowClaim",
    "Passing",
    "Placing",
    "Proposal",
    "ProvisionalTitle",
    "Report",
    "ReputationEntry",
    "Result",
    "Round",
    "Ruling",
    "SavedLineUp",
    "Season",
    "SeasonRole",
    "SkippedCycle",
    "Stable",
    "StableIdentity",
    "StandIn",
    "SuddenDeath",
    "TableMark",
    "TablePin",
    "Title",
    "WaitingPlace",
    "Webhook",
]
