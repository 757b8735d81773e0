"""Pages as a browser reads them, whatever the lines of their templates."""

from __future__ import annotations

import re


def closed_up(html: str) -> str:
    """Leave one space where white space runs, and none beside a tag."""
    return re.sub(r"(?<=>) | (?=[<>])", "", re.sub(r"\s+", " ", html))
