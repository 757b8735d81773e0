"""The inbox of the people who run seasons: what only they can settle, with its page, and what happened lately."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from django.urls import reverse
from django.utils import timezone
from django.utils.functional import Promise
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from people.selectors import WordedNotice, worded
from rules.campaign.results.agreeing import may_decide
from stables.models import FixtureSide, Season
from stables.presenters.desk import Office, offices_of
from stables.selectors.fixtures import pairing_of
from stables.selectors.notices import offices as selected
from stables.selectors.notices.places import place_in
from stables.selectors.reports import reported_in
from stables.text.jobs import label_of
from stables.text.notice_topics import NEWS_OF_OFFICES

LATELY = 60
"""The most notices that are read for what happened lately, of all seasons together."""

HEADINGS: dict[str, str | Promise] = {
    "failed": _("Failed"),
    "disputes": _("Disputed results"),
    "no_shows": _("Somebody did not come"),
    "late": _("Late matches"),
    "proposals": _("Proposals that wait for an answer"),
    "programs": _("Programs that wait for consent"),
    "waiting": _("Waiting list"),
}
"""Kinds of matters in their order -> their heading."""


@dataclass(frozen=True)
class Matter:
    """Something that waits: a text, the names that it is about, and the page where it is settled."""

    text: str
    names: str
    address: str


@dataclass
class OfSeason:
    """What waits in a season that the reader helps to run, by kind, and what happened there lately."""

    office: Office
    matters: dict[str, list[Matter]] = field(default_factory=dict)
    lately: list[WordedNotice] = field(default_factory=list)

    @property
    def season(self) -> Season:
        return self.office.season

    @property
    def kinds(self) -> list[tuple[str | Promise, list[Matter]]]:
        return [(heading, self.matters[kind]) for kind, heading in HEADINGS.items() if kind in self.matters]

    def add(self, kind: str, text: str, names: str, address: str) -> None:
        self.matters.setdefault(kind, []).append(Matter(text, names, address))


def inbox(user: Any, now: datetime | None = None) -> list[OfSeason]:
    """Return the seasons that a person helps to run, those with something to settle first; at most 14 queries.

    Referees read of disputed results, organisers of all that waits.
    """
    found = {each.season.pk: OfSeason(each) for each in offices_of(user)}
    if not found:
        return []
    _disputes(found, user)
    organised = {pk: each for pk, each in found.items() if each.office.has_console}
    if organised:
        _matches(organised, now or timezone.now())
        _places(organised)
    by_slug = {each.season.slug: each for each in found.values()}
    news = user.notices.filter(code__in=NEWS_OF_OFFICES).order_by("-pk")[:LATELY]
    for item in worded(news):
        season = by_slug.get(str(place_in(item.notice).get("season_slug")))
        if season is not None:
            season.lately.append(item)
    return sorted(found.values(), key=lambda each: not each.matters)


def _disputes(found: dict[int, OfSeason], user: Any) -> None:
    for reported in reported_in(found).values():
        season = found[reported.fixture.round.cycle.season_id]
        if reported.differs:
            is_mine = not may_decide(season.office.office, reported.is_of(user.pk))
            text = gettext("Round {number}: the reports differ. You play in this match, so somebody else decides.")
            text = text if is_mine else gettext("Round {number}: the reports differ. Decide the result.")
            address = reverse("stables:fixture", args=[season.season.slug, reported.fixture.pk])
            season.add(
                "disputes", text.format(number=reported.fixture.round.number), pairing_of(reported.sides), address
            )


def _matches(found: dict[int, OfSeason], now: datetime) -> None:
    """Fill in what waits about matches; four queries."""
    claims, proposals, late = selected.claims_in(found), selected.proposals_in(found), selected.late_in(found, now)
    sides = selected.sides_of(
        [*(claim.fixture_id for claim in claims), *(each.fixture_id for each in proposals), *late]
    )
    for claim in claims:
        text = gettext("Round {number}: {claimant} says that {absent} did not come.")
        _about(found, "no_shows", sides[claim.fixture_id], text, claimant=claim.claimant.name, absent=claim.absent.name)
    for fixture_id in late:
        _about(found, "late", sides[fixture_id], gettext("Round {number}: the time to play is over."))
    for proposal in proposals:
        text = gettext("Round {number}: {stable} proposes a date or a mode, and nobody has answered.")
        _about(found, "proposals", sides[proposal.fixture_id], text, stable=proposal.stable.name)


def _about(found: dict[int, OfSeason], kind: str, sides: list[FixtureSide], text: str, **names: str) -> None:
    fixture = sides[0].fixture
    season = found[fixture.round.cycle.season_id]
    address = reverse("stables:organise_fixture", args=[season.season.slug, fixture.pk])
    season.add(kind, text.format(number=fixture.round.number, **names), pairing_of(sides), address)


def _places(found: dict[int, OfSeason]) -> None:
    """Fill in what waits about people, programs and jobs; three queries."""
    for pk, name in selected.failed_in(found):
        season = found[pk]
        address = reverse("stables:console", args=[season.season.slug])
        season.add("failed", gettext("The season waits until this is started again:"), label_of(name), address)
    for seat in selected.seats_in(found):
        season = found[seat.stable.season_id]
        address = reverse("stables:programs", args=[season.season.slug])
        season.add("programs", gettext("Not everybody has agreed to the program. Stable:"), seat.stable.name, address)
    for place in selected.waiting_in(found):
        season = found[place.season_id]
        is_offered = place.offered_until is not None
        text = gettext("A place is offered to:") if is_offered else gettext("Waits for a place:")
        address = reverse("stables:waiting_list", args=[season.season.slug])
        season.add("waiting", text, place.user.get_username(), address)
