"""Open proposals of dates and modes that wait for the answer of a stable."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime

from django.db.models import Exists, F, OuterRef

from stables.models import Fixture, FixtureSide, Proposal, Season


@dataclass(frozen=True)
class OpenProposal:
    """A proposal that waits for the answer of the stable `stable_id`. `at` None proposes no date, `mode` "" no mode."""

    stable_id: int
    fixture_id: int
    round: int
    proposer: str
    at: datetime | None
    mode: str


def may_be_asked() -> Exists:
    """Return whether others propose something for a match of a stable, to annotate stables with; no further query."""
    others = Proposal.objects.filter(fixture__sides__stable=OuterRef("pk"), state=Proposal.State.OPEN)
    return Exists(others.exclude(stable=OuterRef("pk")))


def open_proposals_of(stables: Iterable[int]) -> list[OpenProposal]:
    """Return the proposals of others that these stables have not answered, the oldest first; one query, none for none.

    Only matches that can still be arranged count: in running seasons, without a report or a result.
    """
    wanted = list(stables)
    if not wanted:
        return []
    accepted = Proposal.accepted_by.through.objects.filter(
        proposal=OuterRef("fixture__proposals"), stable=OuterRef("stable")
    )
    rows = (
        FixtureSide.objects.filter(
            stable__in=wanted,
            fixture__proposals__state=Proposal.State.OPEN,
            fixture__round__cycle__season__state=Season.State.RUNNING,
            fixture__reports=None,
        )
        .exclude(fixture__state=Fixture.State.SETTLED)
        .filter(~Exists(accepted))
        .order_by("fixture__proposals")
        .values_list(
            "stable",
            "fixture",
            "fixture__round__number",
            F("fixture__proposals__stable__name"),
            "fixture__proposals__at",
            "fixture__proposals__mode",
            "fixture__proposals__stable",
        )
    )
    return [OpenProposal(*row[:-1]) for row in rows if row[0] != row[-1]]
