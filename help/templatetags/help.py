"""Links into the help, for every template: `{% load help %}`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django import template
from django.urls import reverse
from django.utils.functional import Promise
from django.utils.safestring import SafeString
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from help.text import help_pages, markup
from help.text.content import glossary
from help.text.content.events import EVENT_RULES
from help.text.content.term import Term
from web.crumbs import Link

register = template.Library()

TABS: Mapping[str, tuple[str, Promise]] = {
    "index": ("help:index", _("Start")),
    "rules": ("help:rules", _("Rules")),
    "glossary": ("help:glossary", _("Glossary")),
    "formats": ("help:formats", _("Formats")),
    "equipment": ("help:equipment", _("Equipment")),
    "heat": ("help:heat", _("Heat")),
    "cards": ("help:cards", _("Cards")),
    "rulings": ("help:rulings", _("Rulings")),
    "decisions": ("help:decisions", _("Decisions")),
    "challenge": ("help:challenge_rules", _("Melee Challenge")),
    "who_sees_what": ("help:who_sees_what", _("Who sees what")),
    "api": ("api_help:overview", _("For programs")),
}
"""The help's tabs by the `page` of a view: the name of the address, and the label."""


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


@register.simple_tag
def help_tabs() -> dict[str, Link]:
    """Return the links of the help's tabs by page. `{% help_tabs as tabs %}`"""
    return {page: Link(str(label), reverse(address)) for page, (address, label) in TABS.items()}


@register.simple_tag
def help_crumbs(page: str, below: str = "") -> list[Link]:
    """Return the links above a page of the help, then its own name: `below`, or that of its tab. The start has none.

    `{% help_crumbs page as crumbs %}`
    """
    if page == "index":
        return []
    tab = help_tabs()[page]
    return [Link(gettext("Help"), reverse("help:index")), *((tab, Link(below)) if below else (Link(tab.label),))]
