"""The words for how hard a bot plays in templates: `{% load levels %}`."""

from __future__ import annotations

from django import template

from matches.text import match

register = template.Library()


@register.filter
def bot_name(bot: str) -> str:
    """Return, for `{{ side.bot|bot_name }}`, a bot as a player's opponent: "AI (Fair)"."""
    return match.bot_name(bot)
