"""The end of the time for line-ups (season setting unplayed, Q-157)."""

from __future__ import annotations

from dataclasses import dataclass

from rules.core.refusals import SeasonRefused
from stables.models import FixtureSide, Round, Season
from stables.services.line_ups import submit_nearest_legal


@dataclass(frozen=True)
class CalledTime:
    """The numbers of the stables for which the round did not wait any longer, by what became of them."""

    forfeited: tuple[int, ...]
    nominated: tuple[int, ...]


def call_time(*, round_id: int) -> CalledTime:
    """Wait no longer for line-ups of a round: with unplayed "forfeit" a missing one forfeits, with "ai" one is chosen.

    Each side is a transaction of its own; sides that are ready are left alone. Safe to repeat. Raises SeasonRefused
    (no_round_to_call) when the season is not running or the round is settled.
    """
    called = Round.objects.select_related("cycle__season").get(pk=round_id)
    season = called.cycle.season
    waiting = FixtureSide.objects.filter(fixture__round=called, fixture__state="line_ups", forfeits="", line_up=None)
    if season.state != Season.State.RUNNING or called.state == Round.State.SETTLED:
        raise SeasonRefused("no_round_to_call", state=season.get_state_display())
    rules = season.rules
    forfeited: list[int] = []
    nominated: list[int] = []
    for side in waiting.select_related("stable").order_by("fixture__number", "id"):
        sealed = submit_nearest_legal(
            stable_id=side.stable_id,
            fixture_id=side.fixture_id,
            forfeits=FixtureSide.Forfeit.ABSENT if rules.unplayed == "forfeit" else "",
        )
        (forfeited if sealed.forfeits else nominated).append(side.stable.number)
    return CalledTime(tuple(forfeited), tuple(nominated))
