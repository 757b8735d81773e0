"""Sentences as HTML: rules and rulings become links to their anchors, and the inline Markdown of docs/ becomes tags."""

from __future__ import annotations

import re
from typing import Any

from django.urls import reverse
from django.utils.html import conditional_escape, format_html
from django.utils.safestring import SafeString, mark_safe
from markdown_it import MarkdownIt
from markdown_it.rules_core import StateCore

from help.text.documents import IDENTIFIER, books

_KEPT = re.compile(r"(<(a|button|option|summary|textarea|title|code|svg)\b.*?</\2>|<[^>]*>)", re.DOTALL)
"""Markup that must get no link inside: tags, and elements such as links, buttons and code with their content."""

_PAGES = {
    "rules.md": "help:rules",
    "rulings.md": "help:rulings",
    "decisions.md": "help:decisions",
    "challenge-rules.md": "help:challenge_rules",
    "challenge-rulings.md": "help:challenge_rulings",
}


def address_of(identifier: str) -> str:
    """Return the address of the explanation of a rule (R-MOV-02, MC-REP-01) or a ruling (Q-34, MCQ-REP-01); "" for an
    unknown id.
    """
    known = books()
    if not known.knows(identifier):
        return ""
    if identifier in known.challenge_lines:
        page = "help:challenge_rulings" if identifier.startswith("MCQ-") else "help:challenge_rules"
        return f"{reverse(page)}#{identifier}"
    if identifier in known.answers:
        return f"{reverse('help:rulings')}#{identifier}"
    return f"{reverse('help:rules_group', args=[identifier[2:5].lower()])}#{identifier}"


def rule_link(identifier: str) -> SafeString:
    """Return an id as HTML: a link to its explanation, or a span for an unknown id."""
    address = address_of(identifier)
    if not address:
        return format_html('<span class="rule" translate="no">{}</span>', identifier)
    return format_html('<a class="rule" href="{}" translate="no">{}</a>', address, identifier)


def linked(text: Any) -> SafeString:
    """Return a sentence, escaped unless it is safe already, with every rule and ruling in it as a link.

    Tags stay unchanged, and so does text inside elements of _KEPT, such as links and buttons.
    """
    pieces = _KEPT.split(conditional_escape(text))
    # The separator has two groups, so the pieces are: text, markup, its element, text, ...
    pieces[0::3] = [IDENTIFIER.sub(_plain_link, piece) for piece in pieces[0::3]]
    del pieces[2::3]
    return mark_safe("".join(pieces))


def _plain_link(found: re.Match[str]) -> str:
    address = address_of(found[0])
    return f'<a href="{address}" translate="no">{found[0]}</a>' if address else found[0]


def prose(text: str) -> SafeString:
    """Return a line of docs/ as HTML, with `code`, *emphasis*, links between the documents, and links to rules and
    rulings.
    """
    return linked(mark_safe(_INLINE.renderInline(text)))


def _finish(state: StateCore) -> None:
    """Hide links without a target, so that only their text stays, and mark code as not to be translated."""
    address: object = ""
    for token in state.tokens[0].children or ():
        if token.type == "link_open":
            address = token.attrs["href"]
        token.hidden = token.tag == "a" and not address
        if token.tag == "code":
            token.attrs["translate"] = "no"


_INLINE = MarkdownIt("zero").enable(["backticks", "emphasis", "escape", "link"])
_INLINE.normalizeLink = lambda url: reverse(_PAGES[url]) if url in _PAGES else ""  # type: ignore[method-assign]
_INLINE.core.ruler.push("finish", _finish)
