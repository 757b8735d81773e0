"""Markdown that people write, as HTML: no HTML of theirs, no pictures, and links that search engines do not follow."""

from __future__ import annotations

import re
from functools import lru_cache

from django.utils.safestring import SafeString, mark_safe
from markdown_it import MarkdownIt
from markdown_it.rules_core import StateCore

_ADDRESS = re.compile(r"(?:https?://|mailto:|/(?!/)|#)", re.IGNORECASE)
"""The beginnings of addresses that become links: other sites, mail, and this site."""

LINKS_SAY = "nofollow noopener ugc"
LEVELS_DOWN, LOWEST = 1, 6
"""How far headings move down, since a page has its own first heading, and the level below which none goes."""
MOST_TEXTS = 64
"""Rendered texts that a process keeps: some texts take a tenth of a second, and pages show them at each view."""


@lru_cache(maxsize=MOST_TEXTS)
def rendered(text: str) -> SafeString:
    """Return Markdown as HTML: paragraphs with their lines, headings, lists, quotations, emphasis, links.

    HTML and pictures stay text. A link whose address has another beginning than _ADDRESS stays text, too.
    """
    return mark_safe(_PAGE.render(text))


def _finish(state: StateCore) -> None:
    """Move headings down, and say of each link that it is a person's own."""
    for token in state.tokens:
        if token.type in ("heading_open", "heading_close"):
            token.tag = f"h{min(LOWEST, int(token.tag[1:]) + LEVELS_DOWN)}"
        for child in token.children or ():
            if child.type == "link_open":
                child.attrs["rel"] = LINKS_SAY


class _Page(MarkdownIt):
    """The Markdown of a page."""

    def validateLink(self, url: str) -> bool:  # noqa: N802 - the name that MarkdownIt asks for
        return _ADDRESS.match(url) is not None


_PAGE = _Page("commonmark", {"html": False, "breaks": True})
_PAGE.disable(["html_block", "html_inline", "image", "fence", "code"])
_PAGE.core.ruler.push("finish", _finish)
