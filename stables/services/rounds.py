"""The course of a cycle's rounds: the end of the time for line-ups, a settled round, and what follows (Q-157)."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from django.utils import timezone

from rules.core.refusals import SeasonRefused
from stables.models import Cycle, Fixture, FixtureSide, Result, Round, Season
from stables.services.asking import ask_for
from stables.services.entrants import playing
from stables.services.line_ups import submit_nearest_legal
from stables.services.news import tell_chosen
from stables.services.times import silence_ends


@dataclass(frozen=True)
class CalledTime:
    """The numbers of the stables for which the round did not wait any longer, by what became of them."""

    forfeited: tuple[int, ...]
    nominated: tuple[int, ...]


def newest_round(season_id: int) -> Round | None:
    """Return the round of a season that was paired last, the one whose time may be called; one query."""
    return Round.objects.filter(cycle__season=season_id).order_by("-cycle__number", "-number").first()


def call_time(*, round_id: int) -> CalledTime:
    """Wait no longer for line-ups of a round: a missing one is the saved one, else the nearest legal one, flagged.

    Only a stable that can field nothing forfeits, as unable: the setting `unplayed` is about matches, not line-ups.
    Each side is a transaction of its own; sides that are ready are left alone. Safe to repeat. Raises SeasonRefused
    (no_round_to_call) when the season is not running or the round is settled.
    """
    called = Round.objects.select_related("cycle__season").get(pk=round_id)
    season = called.cycle.season
    waiting = FixtureSide.objects.filter(fixture__round=called, fixture__state="line_ups", forfeits="", line_up=None)
    if season.state != Season.State.RUNNING or called.state == Round.State.SETTLED:
        raise SeasonRefused("no_round_to_call", state=season.get_state_display())
    forfeited: list[int] = []
    nominated: list[int] = []
    for side in waiting.select_related("stable__owner", "stable__season").order_by("fixture__number", "id"):
        try:
            sealed = submit_nearest_legal(stable_id=side.stable_id, fixture_id=side.fixture_id)
        except SeasonRefused:
            continue  # its owner was quicker
        (forfeited if sealed.forfeits else nominated).append(side.stable.number)
        if not sealed.forfeits:
            tell_chosen(side, called)
    return CalledTime(tuple(forfeited), tuple(nominated))


def settle_when_complete(played_in: Round) -> bool:
    """Settle a round once everybody who is still paired in the cycle has a fixture in it and all of them are settled.

    Call it with the round locked. Asks for what follows, once. Returns whether all of the round is settled.
    """
    fixtures = Fixture.objects.filter(round=played_in)
    if fixtures.exclude(state=Fixture.State.SETTLED).exists():
        return False
    cycle = Cycle.objects.select_related("season").get(pk=played_in.cycle_id)
    placed = set(FixtureSide.objects.filter(fixture__round=played_in).values_list("stable", flat=True))
    if any(stable.pk not in placed for stable in playing(cycle.season, cycle.number)):
        return False
    if played_in.state != Round.State.SETTLED:
        played_in.state = Round.State.SETTLED
        played_in.save(update_fields=["state"])
    ask_for(cycle.season, "stables.advance_round", f"round:{played_in.pk}:advance", round=played_in.pk)
    return True


def move_on(cycle: Cycle) -> None:
    """Ask for the round after those that are settled without a gap, or after the last one for the close of the cycle.

    A paused season waits until it goes on; one that is over does not move. Safe to repeat.
    """
    season = cycle.season
    if season.state != Season.State.RUNNING or season.paused_at is not None or cycle.state != Cycle.State.ROUNDS:
        return
    settled = set(cycle.rounds.filter(state=Round.State.SETTLED).values_list("number", flat=True))
    following = next(number for number in range(1, len(settled) + 2) if number not in settled)
    if following <= (cycle.rounds_planned or 0):
        ask_for_round(cycle, following)
    else:
        key = f"cycle:{cycle.pk}:close"
        ask_for(season, "stables.close_cycle", key, not_before=_silence_may_end(cycle), cycle=cycle.pk)


def _silence_may_end(cycle: Cycle) -> datetime | None:
    """Until when a result that silence confirmed may still be opened again, so that the cycle waits with its close.

    None when nobody can any more. It is as long as silence itself lasts.
    """
    silent = Result.objects.filter(fixture__round__cycle=cycle, source=Result.Source.SILENCE, corrections=None)
    newest = silent.order_by("-settled_at").first()
    until = None if newest is None else silence_ends(cycle.season, newest.settled_at)
    return until if until is not None and until > timezone.now() else None


def ask_for_round(cycle: Cycle, number: int) -> None:
    """Ask for the pairing of a round, once."""
    ask_for(cycle.season, "stables.pair_round", f"cycle:{cycle.pk}:pair:{number}", cycle=cycle.pk, number=number)
