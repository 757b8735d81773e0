"""One line for each event of a match."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from rules.wording.filling import Translate, fill, gettext_noop, identity
from rules.wording.vocabulary import name

SILENT_KINDS = frozenset({"turn_over", "set_up", "set_scene"})
"""Kinds that tell a reader nothing: their line is empty."""

UNKNOWN_KIND = gettext_noop("{kind}: {parameters}")


def event_sentence(event: Mapping[str, Any], names: Mapping[str, str], translate: Translate = identity) -> str:
    """One line for an event; empty for what needs none. Never raises; an unknown kind shows its name and parameters."""
    kind = str(event.get("event", ""))
    if kind in SILENT_KINDS:
        return ""
    rest = [f"{key} {names.get(str(value), value)}" for key, value in event.items() if key not in ("event", "see", "why")]
    return fill(translate(UNKNOWN_KIND), {"kind": name(kind, translate), "parameters": ", ".join(rest)})
