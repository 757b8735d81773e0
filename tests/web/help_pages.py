"""Pages of the help, their anchors and links."""

from __future__ import annotations

import re
from functools import cache
from html import unescape

from django.conf import settings
from django.test import Client

ROOT = settings.BASE_DIR
RULES, RULINGS, DECISIONS = (
    (ROOT / "docs" / name).read_text(encoding="utf-8") for name in ("rules.md", "rulings.md", "decisions.md")
)
GROUPS = re.findall(r"^## ([A-Z]{3}) ", RULES, re.MULTILINE)
OF_OPERATOR = ("imprint", "privacy", "contact")
"""Pages from files of the operator; the tests have a folder of theirs (tests/web/pages_of_operator)."""
OF_GAME = ("rules", "rulings", "decisions", "glossary", "equipment", "heat", "formats", "cards")
PAGES = ("index", *OF_GAME, "who_sees_what", *OF_OPERATOR)
ADDRESSES = [
    *(f"/help/{'' if page == 'index' else page.replace('_', '-') + '/'}" for page in PAGES),
    *(f"/help/rules/{key.lower()}/" for key in GROUPS),
    "/help/rules/challenge/",
    "/help/rulings/challenge/",
    "/help/first-evening/",
]


@cache
def page(address: str) -> str:
    """The page as a stranger gets it. Tests without the database show that none is asked."""
    answer = Client().get(address)
    assert answer.status_code == 200, address
    return answer.content.decode()


def anchors(address: str) -> list[str]:
    return re.findall(r'\bid="([^"]+)"', page(address))


def links(html: str) -> list[str]:
    return [unescape(found) for found in re.findall(r'<a\b[^>]*?\bhref="([^"]+)"', html)]


def assert_leads_somewhere(link: str, source: str = "") -> None:
    """A link to the help has its page, and its fragment an anchor there."""
    path, _, fragment = link.partition("#")
    path = (path or source).partition("?")[0]
    assert path in ADDRESSES, f"{source}: {link}"
    assert not fragment or fragment in anchors(path), f"{source}: {link}"


def help_links(html: str) -> list[str]:
    return [link for link in links(html) if link.startswith("/help/")]
