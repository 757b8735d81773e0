"""The sentences of the season's log. Placeholders are the parameters of the entry."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.utils.translation import gettext, gettext_noop

SENTENCES: Mapping[str, str] = {
    "cycle_closed": gettext_noop("Cycle {cycle} is closed."),
    "season_started": gettext_noop("The season has begun with {stables} stables."),
}
"""Code -> template with {name} placeholders."""


def told(code: str, parameters: Mapping[str, Any]) -> str:
    """Return the sentence of an entry in the reader's language."""
    return gettext(SENTENCES[code]).format(**parameters)
