"""Links with a label, such as those from a page back to the pages above it."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Link:
    """A label and its address; without an address it is plain text."""

    label: str
    url: str = ""
