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
    """Return a rule's id as a link to its explanation; "" for an empty id. `{% rule "R-MOV-02" %}`"""
    return markup.rule_link(identifier) if identifier else SafeString("")


@register.simple_tag
def event_rule(kind: str) -> SafeString:
    """Return the rule behind a kind of event as a link; "" for a kind without one. `{% event_rule line.kind %}`"""
    return rule(EVENT_RULES.get(kind, ""))


@register.filter
def linked(text: Any) -> SafeString:
    """Return a text in which every known rule and ruling is a link to its explanation. Text that is not safe is
    escaped.

    `{{ sentence|linked }}` or `{% filter linked %}...{% endfilter %}`
    """
    return markup.linked(text)


@register.simple_tag
def glossary_term(key: str) -> Term:
    """Return the glossary's entry with this key. Raises KeyError for an unknown key."""
    return glossary.TERM_OF[key]


@register.simple_tag
def help_page_of(code: str, parameters: Mapping[str, Any]) -> help_pages.HelpPage | None:
    """Return the place in the help that explains a refusal; None for an unknown code.

    `{% help_page_of code parameters as page %}`
    """
    return help_pages.help_page_of(code, parameters)
