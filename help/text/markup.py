"""Sentences as HTML: rules and rulings become links to their anchors, and the little Markdown of docs/ is shown."""

from __future__ import annotations

import re
from typing import Any

from django.urls import reverse
from django.utils.html import conditional_escape, format_html
from django.utils.safestring import SafeString, mark_safe

from help.text.documents import IDENTIFIER, books

_KEPT = re.compile(r"(<(a|button|option|summary|textarea|title|code|svg)\b.*?</\2>|<[^>]*>)", re.DOTALL)
"""Markup in which no link may be put: tags themselves, and elements that hold no links."""

_MARKS = re.compile(r"`([^`]+)`|\[([^\]]+)\]\(([^)]+)\)|(?<!\*)\*([^*]+)\*(?!\*)")
"""Code, a link with its target, emphasis."""

_PAGES = {"rules.md": "help:rules", "rulings.md": "help:rulings", "decisions.md": "help:decisions"}


def address_of(identifier: str) -> str:
    """Return where a rule (R-MOV-02) or a ruling (Q-34) is explained; empty when there is none of that id."""
    known = books()
    if not known.knows(identifier):
        return ""
    if identifier in known.answers:
        return f"{reverse('help:rulings')}#{identifier}"
    return f"{reverse('help:rules_group', args=[identifier[2:5].lower()])}#{identifier}"


def rule_link(identifier: str) -> SafeString:
    """Return the id as a link to its explanation; an unknown one as plain text."""
    address = address_of(identifier)
    if not address:
        return format_html('<span class="rule" translate="no">{}</span>', identifier)
    return format_html('<a class="rule" href="{}" translate="no">{}</a>', address, identifier)


def linked(text: Any) -> SafeString:
    """Return a sentence, escaped unless it is safe already, with every rule and ruling in it as a link.

    Only text between tags is touched, and none inside links, buttons and options.
    """
    pieces = _KEPT.split(conditional_escape(text))
    # Two groups a separator: text, markup, its element, text, ...
    pieces[0::3] = [_with_links(piece) for piece in pieces[0::3]]
    del pieces[2::3]
    return mark_safe("".join(pieces))


def _with_links(text: str) -> str:
    return IDENTIFIER.sub(lambda found: _plain_link(found[0]), text)


def _plain_link(identifier: str) -> str:
    address = address_of(identifier)
    return f'<a href="{address}" translate="no">{identifier}</a>' if address else identifier


def prose(text: str) -> SafeString:
    """Return a line of docs/ as HTML: `code`, *emphasis*, links between the documents, rules and rulings linked.

    A link to anything else is shown as its text.
    """
    return linked(mark_safe(_MARKS.sub(_shown, conditional_escape(text))))


def _shown(mark: re.Match[str]) -> str:
    code, label, target, stressed = mark.groups()
    if code:
        return f'<code translate="no">{code}</code>'
    if stressed:
        return f"<em>{_MARKS.sub(_shown, stressed)}</em>"
    page = _PAGES.get(target)
    return f'<a href="{reverse(page)}">{label}</a>' if page else label
