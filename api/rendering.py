"""The JSON of the interface: every text in it is bare."""

from __future__ import annotations

from typing import Any

from rest_framework.renderers import JSONRenderer

from rules.wording.isolation import FIRST, LAST


class BareRenderer(JSONRenderer):
    """A renderer without the signs that isolate names on pages (rules.wording.isolation).

    A program compares names, and isolates them itself where it shows them.
    """

    def render(self, *arguments: Any, **options: Any) -> bytes:
        written: bytes = super().render(*arguments, **options)
        return written.replace(FIRST.encode(), b"").replace(LAST.encode(), b"")
