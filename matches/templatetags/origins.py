"""Where a match goes on from, in templates: `{% load origins %}`."""

from __future__ import annotations

from datetime import date

from django import template

from matches.models import Match
from matches.selectors import puzzles

register = template.Library()


@register.filter
def puzzle_day(match: Match) -> date | None:
    """Return, for `{{ match|puzzle_day }}`, the day of the puzzle that a match goes on from, None if from no puzzle."""
    return puzzles.day_of_origin(match)
