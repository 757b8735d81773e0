"""Opening a season, founding stables in it, starting it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from django.db import transaction
from django.utils.text import slugify

from jobs.services import enqueue
from rules.campaign.classes import LARGEST_SEASON, SMALLEST_SEASON
from rules.campaign.settings import SeasonSettings
from rules.core.house_rules import HouseRules
from rules.core.refusals import Malformed, SeasonRefused
from stables.models import Cycle, Season, Stable
from stables.models.season import new_secret
from stables.services.ledger import Movement, post

LONGEST_NAME = 60


@dataclass(frozen=True)
class OpenedSeason:
    """A season that is recruiting, with its first cycle's market open."""

    season_id: int
    slug: str


@dataclass(frozen=True)
class FoundedStable:
    """A new stable and its starting capital in Stones."""

    stable_id: int
    slug: str
    number: int
    capital: int


@transaction.atomic
def open_season(
    *, name: str, settings: Mapping[str, Any], release: Any, organiser: Any = None, secret: bytes | None = None
) -> OpenedSeason:
    """Open a season for recruiting, pinned to a catalogue release.

    Raises Malformed for settings that cannot be read and SeasonRefused (setting_not_built) for those
    this version cannot play. `secret` is for commands and tests; else 256 random bits.
    """
    read = SeasonSettings.from_json(settings)
    HouseRules.from_json(read.house_rules)
    read.refuse_unbuilt()
    season = Season.objects.create(
        name=name,
        slug=_free_slug(name),
        state=Season.State.RECRUITING,
        settings=read.to_json(),
        secret=secret if secret is not None else new_secret(),
        release=release,
        organiser=organiser,
    )
    open_cycle(season, 1)
    return OpenedSeason(season.pk, season.slug)


def open_cycle(season: Season, number: int) -> Cycle:
    """Return cycle `number` of the season, its market open; made when it is not there."""
    cycle, _ = Cycle.objects.get_or_create(
        season=season,
        number=number,
        defaults={"format": season.rules.cycles[number - 1], "match_class": season.rules.class_of(number)},
    )
    return cycle


def _free_slug(name: str) -> str:
    base = slugify(name)[:80] or "season"
    taken = set(Season.objects.filter(slug__startswith=base).values_list("slug", flat=True))
    return next(slug for slug in _numbered(base) if slug not in taken)


def _numbered(base: str) -> Any:
    yield base
    number = 2
    while True:
        yield f"{base}-{number}"
        number += 1


def lock_season(season_id: int) -> Season:
    """Return the season, its row locked until the transaction ends."""
    return Season.objects.select_for_update(of=("self",)).select_related("release").get(pk=season_id)


@transaction.atomic
def found_stable(*, season_id: int, name: str, owner: Any = None, bot: str = "greedy") -> FoundedStable:
    """Found a stable in a recruiting season; its starting capital is credited once (R-STB-01).

    Without an owner the AI runs it. `bot` plays its matches. Raises SeasonRefused (season_closed_to_newcomers,
    season_full, already_owner_here, stable_name_taken) or Malformed (stable_name_missing).
    """
    name = " ".join(name.split())
    if not 1 <= len(name) <= LONGEST_NAME:
        raise Malformed("stable_name_missing", longest=LONGEST_NAME)
    season = lock_season(season_id)
    if season.state != Season.State.RECRUITING:
        raise SeasonRefused("season_closed_to_newcomers")
    others = list(season.stables.order_by("number"))
    if len(others) >= LARGEST_SEASON:
        raise SeasonRefused("season_full", largest=LARGEST_SEASON)
    for other in others:
        if owner is not None and other.owner_id == owner.pk:
            raise SeasonRefused("already_owner_here", stable=other.name)
        if other.name.casefold() == name.casefold():
            raise SeasonRefused("stable_name_taken", name=name)
    base = slugify(name)[:60] or "stable"
    taken = {other.slug for other in others}
    stable = Stable.objects.create(
        season=season,
        number=max((other.number for other in others), default=0) + 1,
        name=name,
        slug=next(slug for slug in _numbered(base) if slug not in taken),
        owner=owner,
        is_ai=owner is None,
        bot=bot,
    )
    movement = Movement(season.rules.capital, "starting_capital", f"stable:{stable.pk}:starting_capital")
    posting = post(stable_id=stable.pk, movements=[movement])
    return FoundedStable(stable.pk, stable.slug, stable.number, posting.capital)


@transaction.atomic
def start_season(*, season_id: int) -> None:
    """Close recruiting and ask for the first cycle. Raises SeasonRefused (season_not_recruiting, too_few_stables)."""
    season = lock_season(season_id)
    if season.state != Season.State.RECRUITING:
        raise SeasonRefused("season_not_recruiting", state=season.get_state_display())
    count = season.stables.count()
    if count < SMALLEST_SEASON:
        raise SeasonRefused("too_few_stables", stables=count, smallest=SMALLEST_SEASON)
    season.state = Season.State.RUNNING
    season.save(update_fields=["state"])
    _begin(season, season.cycles.get(number=1))


@transaction.atomic
def start_cycle(*, season_id: int) -> None:
    """Close the market of a running season's next cycle and ask for its matches.

    Raises SeasonRefused (no_open_market).
    """
    season = lock_season(season_id)
    cycle = season.cycles.order_by("-number").first()
    if season.state != Season.State.RUNNING or cycle is None or cycle.state != Cycle.State.MARKET:
        raise SeasonRefused("no_open_market", state=season.get_state_display())
    _begin(season, cycle)


def begin_when_nobody_shops(cycle: Cycle) -> None:
    """Begin a cycle at once when no person runs a stable in the season: the AI shops when it begins."""
    if not cycle.season.stables.exclude(owner=None).exists():
        _begin(cycle.season, cycle)


def _begin(season: Season, cycle: Cycle) -> None:
    ask_for(season, "stables.start_cycle", f"cycle:{cycle.pk}:start", cycle=cycle.pk)


def ask_for(season: Season, job_name: str, unique_key: str, **payload: int) -> None:
    """Write the row of a job of this season; the same key asks once."""
    enqueue(job_name, {"season": season.pk, **payload}, unique_key=f"stables:{unique_key}")
