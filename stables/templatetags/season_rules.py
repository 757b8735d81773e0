"""The rules of a season, for its pages: `{% load season_rules %}`."""

from __future__ import annotations

from typing import Any

from django import template

from stables.models import Season
from stables.presenters.season_rules import announced_changes, settings_of

register = template.Library()


@register.inclusion_tag("help/season_rules.html")
def season_rules(season: Season) -> dict[str, Any]:
    """Return every setting and house rule of a season, how many of them differ from the book, and announced changes.

    No query.

    `{% season_rules season %}` shows them folded.
    """
    settings = settings_of(season.rules)
    return {
        "settings": settings,
        "changed": sum(setting.is_changed for setting in settings),
        "announced": announced_changes(season) if season.pending_settings else [],
    }
