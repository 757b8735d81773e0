"""What a person who is invited should know before they found a stable: house rules, calendar, and the next dates."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from rules.campaign.season.planning import Plan
from stables.models import Season, Stable
from stables.presenters.season_rules import Setting, changed_settings
from stables.presenters.waiting import coming_days_off
from stables.services.base.deadlines import calendar_of
from stables.services.running.calendars import season_plan
from stables.text.calendar import calendar_sentences, days_in_words


@dataclass(frozen=True)
class Terms:
    """The terms of a season.

    `changed` are the settings in which it differs from the book. `calendar` and `days_off` are sentences and days in
    words. `plan` has the latest times; before the start they are those of a season that begins now.
    """

    changed: list[Setting]
    calendar: list[str]
    days_off: list[str]
    plan: Plan
    is_begun: bool


def terms_of(season: Season, stables: Sequence[Stable]) -> Terms:
    """Return the terms of a season with these stables; at most three queries, and none before the start."""
    is_begun = season.state == Season.State.RUNNING
    newest = season.cycles.order_by("-number").first() if is_begun else None
    return Terms(
        changed_settings(season.rules),
        calendar_sentences(calendar_of(season)),
        [days_in_words(each) for each in coming_days_off(season)],
        season_plan(season, newest, len(stables)),
        is_begun,
    )
