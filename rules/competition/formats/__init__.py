"""The six match formats (section FMT): one module each on one base."""

from __future__ import annotations

from collections.abc import Mapping

from rules.competition.formats.capture_the_flag import CaptureTheFlag
from rules.competition.formats.grand_melee import GrandMelee
from rules.competition.formats.standard import Standard
from rules.competition.formats.tag_team import TagTeam
from rules.competition.formats.team import Team
from rules.competition.formats.weapons_dead import WeaponsDead
from rules.competition.state.match_format import MatchFormat
from rules.competition.state.match_state import MatchState
from rules.core.refusals import Malformed

FORMATS: Mapping[str, MatchFormat[MatchState]] = {
    match_format.key: match_format
    for match_format in (Standard(), Team(), WeaponsDead(), TagTeam(), CaptureTheFlag(), GrandMelee())
}
"""Every format that can be played, by its key."""


def format_of(key: str) -> MatchFormat[MatchState]:
    """Return the format of this key. Raises Malformed (unknown_format)."""
    if key not in FORMATS:
        raise Malformed("unknown_format", format=key)
    return FORMATS[key]
