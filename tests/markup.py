"""Pages as a browser reads them, whatever the lines of their templates."""

from __future__ import annotations

import html
import re

from django.utils.html import strip_tags


def closed_up(page: str) -> str:
    """Leave one space where white space runs, and none beside a tag."""
    return re.sub(r"(?<=>) | (?=[<>])", "", re.sub(r"\s+", " ", page))


def read_aloud(page: str) -> str:
    """Return the text of a page as a screen reader has it: one space where white space runs."""
    return " ".join(html.unescape(strip_tags(page)).split())
