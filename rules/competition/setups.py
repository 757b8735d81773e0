"""The readers of a setup and of its roster, by the format that the setup names."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from rules.competition.formats import format_of
from rules.competition.state.roster import Roster
from rules.competition.state.setup import MatchSetup


def read_setup(document: Mapping[str, Any], *, any_numbers: bool = False) -> MatchSetup:
    """Read a setup. With `any_numbers` its format does not check the numbers of sides and units (scenarios).

    Raises Malformed: the codes of `MatchSetup.from_json`, unknown_format, format_sides, format_units, format_starts,
    format_ground.
    """
    setup = MatchSetup.from_json(document)
    match_format = format_of(setup.format)
    if not any_numbers:
        match_format.check(setup)
    return setup


def roster_of(
    setup: MatchSetup, token_names: tuple[str, ...] | None = None, listing: list[str] | None = None
) -> Roster:
    """Return the compiled setup, with its format. The other arguments are those of `Roster`.

    Raises Malformed (unknown_format).
    """
    return Roster(setup, format_of(setup.format), token_names, listing)
