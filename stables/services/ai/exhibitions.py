"""A whole season of stables run by the AI, through the same services and jobs as any other."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass
from itertools import cycle
from typing import Any

from django.db import transaction

from catalogue.selectors.releases import latest_release
from catalogue.services.releases import load_release
from jobs.models import Job
from jobs.services import in_this_process, reclaim_expired, run_pending
from jobs.statements import without_kept_statements
from matches.services.forecasts import without_forecasts
from rules import bots
from rules.bots.owners.characters import CHARACTERS
from rules.campaign.classes import FORMATS, MULTI_CLASS, draw_class_order
from rules.campaign.season.calendar import Calendar
from rules.core.dice import SeededDice, stream_seed
from stables.models import Fixture, Result, Round, Season, Stable
from stables.services.base.locks import lock_season
from stables.services.season.seasons import found_stable, open_season, start_season

NAMES = (
    "Ashen Banner",
    "Brass Meridian",
    "Cobalt Foundry",
    "Dusk Lanterns",
    "Emberline",
    "Ferrous Choir",
    "Gilded Anvil",
    "Harrow Gate",
)
"""The stables of an exhibition, in order of founding."""

PAUSE_SECONDS = 0.05
"""The pause between two looks at a season whose work another process does."""


@dataclass(frozen=True)
class Progress:
    """How far a season is: the number of its results, and the number planned for all its cycles."""

    done: int
    planned: int


def season_secret(seed: int) -> bytes:
    """Return the 32-byte secret of a season that is played from a seed; the same seed plays the same season."""
    return stream_seed(b"exhibition season", seed)


def exhibition_settings(*, weight_class: str, cycles: int, seed: int) -> dict[str, Any]:
    """Return the settings of an exhibition: the formats of the first `cycles` cycles of the book.

    It has one class, or with "multi" a drawn class for each cycle (Q-160).
    """
    settings: dict[str, Any] = {"cycles": list(FORMATS[:cycles])}
    if weight_class == MULTI_CLASS:
        dice = SeededDice(stream_seed(season_secret(seed), "class order"))
        return settings | {"multi_class_order": list(draw_class_order(cycles, dice))}
    return settings | {"weight_class": weight_class}


@transaction.atomic
def open_exhibition(
    *, name: str, stables: int, weight_class: str, cycles: int, seed: int, bot: str = "greedy", organiser: Any = None
) -> Season:
    """Open a season, found its AI stables with the three characters in turn, and start it; its jobs stay queued.

    At most eight `stables` are founded (NAMES). If it raises, nothing is left behind. Raises SeasonRefused
    (setting_not_built, season_full, too_few_stables) or Malformed (unknown_bot, setting_out_of_range).
    """
    bots.get(bot)
    settings = exhibition_settings(weight_class=weight_class, cycles=cycles, seed=seed)
    release = latest_release() or load_release()
    opened = open_season(name=name, settings=settings, release=release, organiser=organiser, secret=season_secret(seed))
    characters = cycle(CHARACTERS)
    for stable_name in NAMES[:stables]:
        found_stable(season_id=opened.season_id, name=stable_name, bot=bot, character=next(characters))
    start_season(season_id=opened.season_id)
    return Season.objects.get(pk=opened.season_id)


def play(
    *,
    season_id: int,
    on_progress: Callable[[Progress], None],
    is_inline: bool = True,
    until: Callable[[Season], bool] | None = None,
) -> Season:
    """Run the season's jobs here, or wait for workers to run them, until it is finished or `until` says to stop.

    With `is_inline` the jobs run here, and no forecasts are made: they would take many times as long as the season.
    Jobs of other seasons that come up in between run too, and their failures raise nothing. A failed job of this season
    raises its exception if it runs here. Raises RuntimeError for a job that failed elsewhere, and for a season that is
    not finished and has no job left.
    """
    planned = planned_matches(Season.objects.get(pk=season_id))
    with _inline() if is_inline else nullcontext():
        while True:
            season = Season.objects.get(pk=season_id)
            on_progress(Progress(settled_matches(season), planned))
            if season.state == Season.State.FINISHED or (until is not None and until(season)):
                return season
            if not (is_inline and _run_one(season_id)):
                _require_open_work(season_id)
                if is_inline:
                    # There may be no other process to notice that the worker of a job was killed.
                    reclaim_expired()
                time.sleep(PAUSE_SECONDS)


def is_settled(season: Season, cycle: int, round_number: int) -> bool:
    """Return whether a round of a cycle is settled; one query."""
    settled = Round.objects.filter(cycle__season=season, cycle__number=cycle, number=round_number)
    return settled.filter(state=Round.State.SETTLED).exists()


@transaction.atomic
def leave_to(*, season_id: int, number: int, owner: Any) -> Stable:
    """Give stable `number` of an exhibition to a person, who plays in the browser from the next round on.

    The season gets a calendar without deadlines. Call it between rounds only: line-ups that the AI has handed in stay.
    Raises Season.DoesNotExist or Stable.DoesNotExist.
    """
    season = lock_season(season_id)
    season.calendar = Calendar(mode=Fixture.Mode.BROWSER).to_json()
    season.save(update_fields=["calendar"])
    stable = season.stables.get(number=number)
    stable.is_ai, stable.owner = False, owner
    stable.save(update_fields=["is_ai", "owner"])
    return stable


def play_on(*, season_id: int) -> None:
    """Run the season's jobs here until none of them is queued and due, without making forecasts.

    A job of the season that fails raises its exception. Due jobs of other seasons run too.
    """
    with _inline():
        waiting = Job.objects.filter(payload__season=season_id, state=Job.State.QUEUED)
        while waiting.exists() and _run_one(season_id):
            pass


@contextmanager
def _inline() -> Iterator[None]:
    with in_this_process(), without_kept_statements(), without_forecasts():
        yield


def _run_one(season_id: int) -> bool:
    try:
        return run_pending(limit=1) > 0
    except Exception:
        if Job.objects.filter(payload__season=season_id).exclude(error_code="").exists():
            raise
        return True


def _require_open_work(season_id: int) -> None:
    """Raise RuntimeError if a job of the season failed, or if the season is not finished and has no job left."""
    jobs = Job.objects.filter(payload__season=season_id)
    failed = jobs.filter(state=Job.State.FAILED).first()
    if failed is not None:
        raise RuntimeError(f"{failed} failed: {failed.error_text}")
    is_open = jobs.filter(state__in=[Job.State.QUEUED, Job.State.RUNNING]).exists()
    if not is_open and Season.objects.get(pk=season_id).state != Season.State.FINISHED:
        raise RuntimeError(f"season {season_id} has no work left and is not finished")


def planned_matches(season: Season) -> int:
    """Return how many matches a started season has in all its cycles if its stables always meet in pairs."""
    count = season.stables.count()
    rounds = sum(season.rules.rounds_of(number, count) for number in range(1, len(season.rules.cycles) + 1))
    return rounds * (count // 2)


def settled_matches(season: Season) -> int:
    """Return how many matches of a season have a result; one query."""
    return Result.objects.filter(fixture__round__cycle__season=season, fixture__kind=Fixture.Kind.MATCH).count()
