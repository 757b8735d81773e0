"""Links with a label, such as lead back from a page."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Link:
    """A label, and the address that it leads to; without one it is only said."""

    label: str
    url: str = ""
