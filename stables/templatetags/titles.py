"""The words for what decided a title."""

from __future__ import annotations

from django import template

from stables.text import names as words

register = template.Library()


@register.filter
def title_decision(key: str) -> str:
    """Return what a page says for `decided_by` of a title, as the log and the season's page do."""
    return words.word(words.TITLE_DECIDED_BY, key)
