"""The check of `manage.py check --deploy` on the operator's own pages."""

from __future__ import annotations

from typing import Any

from django.conf import settings
from django.core.checks import CheckMessage, Tags, Warning, register

from web import operator_pages

LOCAL = frozenset({"localhost", "127.0.0.1", "[::1]"})
HINT = "Set OPERATOR_PAGES to a folder with imprint.md, privacy.md and contact.md; docs/operations.md says what for."


@register(Tags.security, deploy=True)
def operator_pages_are_there(**options: Any) -> list[CheckMessage]:
    """Warn where a public site lacks a page (help.W001), and where a file of the folder is not shown (help.W002)."""
    found: list[CheckMessage] = [
        Warning(f"A page of the operator is not shown: {problem}", id="help.W002")
        for problem in operator_pages.problems()
    ]
    lacking = [name for name in operator_pages.NAMES if operator_pages.find(name) is None]
    if lacking and not LOCAL.issuperset(settings.ALLOWED_HOSTS):
        text = f"This site has no page of its operator: {', '.join(lacking)}. Most countries ask for one."
        found.append(Warning(text, hint=HINT, id="help.W001"))
    return found
