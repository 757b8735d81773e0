"""Links into the help, for every template: `{% load help %}`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django import template
from django.utils.safestring import SafeString

from help.text import help_pages, markup
from help.text.content import glossary
from help.text.content.events import EVENT_RULES
from help.text.content.term import Term

register = template.Library()


@register.simple_tag
def rule(identifier: str) -> SafeString:
    """Return, for `{% rule "R-MOV-02" %}`, the id as a link to its explanation; nothing for an empty one."""
    return markup.rule_link(identifier) if identifier else SafeString("")


@register.simple_tag
def event_rule(kind: str) -> SafeString:
    """Return, for `{% event_rule line.kind %}`, the rule behind a line of a match's log as a link; nothing where there
    is none.
    """
    return rule(EVENT_RULES.get(kind, ""))


@register.filter
def linked(text: Any) -> SafeString:
    """Link, by `{{ sentence|linked }}` or `{% filter linked %}...{% endfilter %}`, the rules of a text: every rule and
    ruling that it names leads to its explanation. What is not safe is escaped."""
    return markup.linked(text)


@register.simple_tag
def glossary_term(key: str) -> Term:
    """Return the entry of a word in the glossary; KeyError for a word that it does not have."""
    return glossary.TERM_OF[key]


@register.simple_tag
def help_page_of(code: str, parameters: Mapping[str, Any]) -> help_pages.HelpPage | None:
    """Return, for `{% help_page_of code parameters as page %}`, where the help speaks of what a refusal is about, if
    anywhere.
    """
    return help_pages.help_page_of(code, parameters)
