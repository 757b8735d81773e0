"""The form of a glossary entry."""

from __future__ import annotations

from dataclasses import dataclass

from django.utils.functional import Promise


@dataclass(frozen=True)
class Term:
    """One entry: `key` is its anchor, `rules` are ids of rules and rulings, `related` are keys of other entries."""

    key: str
    name: str | Promise
    text: str | Promise
    rules: tuple[str, ...] = ()
    related: tuple[str, ...] = ()
