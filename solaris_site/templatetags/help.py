"""Links into the help, for every template: `{% load help %}`."""

from __future__ import annotations

from typing import Any

from django import template
from django.utils.safestring import SafeString

from solaris_site import help_glossary, help_markup
from solaris_site.help_events import EVENT_RULES
from solaris_site.help_season import settings_of
from stables.models import Season

register = template.Library()


@register.simple_tag
def rule(identifier: str) -> SafeString:
    """`{% rule "R-MOV-02" %}`: the id as a link to its explanation; nothing for an empty one."""
    return help_markup.rule_link(identifier) if identifier else SafeString("")


@register.simple_tag
def event_rule(kind: str) -> SafeString:
    """`{% event_rule told.kind %}`: the rule behind a line of a match's log as a link; nothing where there is none."""
    return rule(EVENT_RULES.get(kind, ""))


@register.filter
def linked(text: Any) -> SafeString:
    """`{{ sentence|linked }}`, or `{% filter linked %}...{% endfilter %}` around text in a template: every rule and
    ruling that it names leads to its explanation. What is not safe is escaped."""
    return help_markup.linked(text)


@register.filter
def prose(text: str) -> SafeString:
    """A line of docs/ with its Markdown shown and its rules linked."""
    return help_markup.prose(text)


@register.simple_tag
def glossary_term(key: str) -> help_glossary.Term:
    """The entry of a word in the glossary; KeyError for a word that it does not have."""
    return help_glossary.TERM_OF[key]


@register.inclusion_tag("help/season_rules.html")
def season_rules(season: Season) -> dict[str, Any]:
    """`{% season_rules season %}`: every setting and house rule of a season, folded; no query."""
    settings = settings_of(season.rules)
    return {"settings": settings, "changed": sum(setting.is_changed for setting in settings)}
