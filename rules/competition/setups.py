"""From a document to the roster of a match, by the format that it names."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from rules.competition.formats import format_of
from rules.competition.state.roster import Roster
from rules.competition.state.setup import MatchSetup


def read_setup(document: Mapping[str, Any], *, any_numbers: bool = False) -> MatchSetup:
    """Read a setup; raises Malformed for what cannot be read or is not built.

    With `any_numbers` the format is not asked whether it takes so many sides and units (scenarios).
    """
    setup = MatchSetup.from_json(document)
    match_format = format_of(setup.format)
    if not any_numbers:
        match_format.check(setup)
    return setup


def roster_of(
    setup: MatchSetup, token_names: tuple[str, ...] | None = None, listing: list[str] | None = None
) -> Roster:
    """Compile a setup by its format; raises Malformed("unknown_format"). The rest is as in `Roster`."""
    return Roster(setup, format_of(setup.format), token_names, listing)
