"""Links with a label, such as those that lead back from a page."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Link:
    """A label, and the address that it leads to; without an address it is plain text."""

    label: str
    url: str = ""
