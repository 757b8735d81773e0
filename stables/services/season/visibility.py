"""The visibility of a season, which its organisers may change at any time."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from django.db import transaction

from rules.core.refusals import Malformed
from stables.models import Season
from stables.services.base.locks import lock_season
from stables.services.base.log import record
from stables.services.season.messages import tell_of_change


@dataclass(frozen=True)
class ChosenVisibility:
    """The visibility of a season now: a value of Season.Visibility."""

    visibility: str


def known_visibility(value: str) -> str:
    """Return a value of Season.Visibility. Raises Malformed (setting_out_of_range) for any other."""
    if value not in Season.Visibility.values:
        raise Malformed("setting_out_of_range", setting="visibility", value=value)
    return value


@transaction.atomic
def change_visibility(*, season_id: int, visibility: str, actor: Any = None) -> ChosenVisibility:
    """Change who may see a season, even a finished one; setting the present value changes and logs nothing.

    Everybody in the season hears of it (`tell_of_change`). Raises Malformed (setting_out_of_range).
    """
    wanted = known_visibility(visibility)
    season = lock_season(season_id)
    if season.visibility != wanted:
        season.visibility = wanted
        season.save(update_fields=["visibility"])
        record(season, f"visibility_{wanted}", actor=actor)
        codes = [f"visibility_{value}" for value in Season.Visibility.values]
        tell_of_change(season, f"visibility_{wanted}", actor, instead_of=codes)
    return ChosenVisibility(wanted)
