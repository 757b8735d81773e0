"""Sentences on what the reports of a match at a table ask of owners and referees. Names are marked not to translate."""

from __future__ import annotations

from collections.abc import Iterable

from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _

from stables.models import Stable
from stables.selectors.reports import Reported


def owner_task(reported_match: Reported, mine: Stable) -> SafeString | None:
    """Return what the owner of a side has to do about the reports of their match; None when only others have to act."""
    number = reported_match.fixture.round.number
    if reported_match.differs:
        text = _("Round {number}: the reports of your match differ: look at both, or an organiser or referee decides.")
        return format_html(text, number=number)
    if _has_spoken(reported_match, mine):
        return None
    text = _("Round {number}: {stable} has reported: confirm it or say otherwise.")
    return format_html(text, number=number, stable=names(reported_match.reporters))


def awaited(reported_match: Reported, mine: Stable) -> SafeString | None:
    """Return whom or what an owner's report waits for; None while the owner has something to do."""
    if reported_match.differs or not _has_spoken(reported_match, mine):
        return None
    number = reported_match.fixture.round.number
    if not reported_match.waits_for:
        return format_html(_("Round {number}: your report counts when its time is over."), number=number)
    text = _("Round {number}: your report waits for {stables}.")
    return format_html(text, number=number, stables=names(reported_match.waits_for))


def decision_task(reported_match: Reported) -> SafeString:
    """Return the task of a person who may decide about reports that differ."""
    return format_html(_("Decide the result of {match}."), match=match_of(reported_match))


def match_of(reported_match: Reported) -> SafeString:
    """Return who meets whom in a match, as text."""
    sides: dict[str, list[Stable]] = {}
    for side in reported_match.sides:
        sides.setdefault(side.side, []).append(side.stable)
    opponents = SafeString("")
    for stables in sides.values():
        others = names(stables)
        opponents = format_html(_("{one} against {other}"), one=opponents, other=others) if opponents else others
    return opponents


def names(stables: Iterable[Stable]) -> SafeString:
    """Return the names of stables, marked not to translate."""
    return format_html_join(", ", '<span translate="no">{}</span>', ((stable.name,) for stable in stables))


def _has_spoken(reported_match: Reported, mine: Stable) -> bool:
    return any(stable.pk == mine.pk for stable in reported_match.reporters)
