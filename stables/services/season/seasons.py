"""Opening a season, founding stables in it, starting it and its cycles."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.db import transaction

from jobs.models import Job
from people.services.accounts import notify
from rules.campaign.classes import SMALLEST_SEASON
from rules.campaign.season.calendar import Calendar
from rules.campaign.season.hand import free_places
from rules.campaign.season.settings import SeasonSettings
from rules.campaign.states import CYCLE, SEASON
from rules.core.refusals import Malformed, SeasonRefused
from rules.solaris.house_rules import HouseRules
from stables.models import Cycle, Invitation, Season, Stable
from stables.models.season import new_secret
from stables.selectors.crews import in_market, left_to_the_ai, ready_mark
from stables.selectors.entrants import entrants, in_season, needs_telling
from stables.selectors.offices import organisers_of
from stables.services.base import deadlines
from stables.services.base.job_requests import ask_for
from stables.services.base.ledger import Movement, post
from stables.services.base.locks import lock_season
from stables.services.base.log import record
from stables.services.base.news import stored
from stables.services.season.floods import refuse_many_running
from stables.services.season.identities import identity_for
from stables.services.season.settings import take_effect
from web.names import looks_like_one, proper_name
from web.slugs import free_slug, free_slug_among, slug_of

LONGEST_NAME = 60


@dataclass(frozen=True)
class OpenedSeason:
    """A season that was opened, recruiting or a draft, with the market of its first cycle open."""

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
    *,
    name: str,
    settings: Mapping[str, Any],
    release: Any,
    organiser: Any = None,
    secret: bytes | None = None,
    calendar: Mapping[str, Any] | None = None,
    joining: str = Season.Joining.OPEN,
    visibility: str = Season.Visibility.PUBLIC,
    language: str = "",
) -> OpenedSeason:
    """Open a season for recruiting, pinned to a catalogue release.

    `secret` is for commands and tests; without it 256 random bits are drawn. Raises SeasonRefused (setting_not_built)
    for settings that this version cannot play, or Malformed (settings_not_an_object, unknown_setting,
    setting_out_of_range, unknown_house_rule, bad_house_rule).
    """
    read = SeasonSettings.from_json(settings)
    HouseRules.from_json(read.house_rules)
    read.refuse_unbuilt()
    season = Season.objects.create(
        name=name,
        slug=free_slug_among(Season.objects, slug_of(name, "season")),
        state=SEASON.next_state("open"),
        settings=read.to_json(),
        secret=secret if secret is not None else new_secret(),
        release=release,
        organiser=organiser,
        calendar=Calendar.from_json(calendar).to_json() if calendar else {},
        joining=joining,
        visibility=visibility,
        language=language,
    )
    open_cycle(season, 1)
    return OpenedSeason(season.pk, season.slug)


def open_cycle(season: Season, number: int, now: datetime | None = None) -> Cycle:
    """Return cycle `number` of the season, created with an open market if needed.

    Announced settings take effect first. In a running season a new market gets its deadline, and owners get a notice
    unless they need none (`needs_telling`). The first market stays open until the organiser starts the season. Call it
    with the season locked.
    """
    take_effect(season, number)
    cycle, is_new = Cycle.objects.get_or_create(
        season=season,
        number=number,
        defaults={
            "format": season.rules.cycles[number - 1],
            "match_class": season.rules.class_of(number),
            "state": CYCLE.next_state("open"),
        },
    )
    if is_new and season.state == Season.State.RUNNING:
        cycle.season = season
        deadlines.open_market(cycle, now)
        people = [stable.owner for stable in entrants(season, number) if stable.owner is not None]
        if needs_telling(season):
            facts = {"season": season.name, "cycle": number, "due": stored(cycle.market_closes_at)}
            notify(people, "market_open", facts, season.get_absolute_url())
    return cycle


@transaction.atomic
def found_stable(
    *,
    season_id: int,
    name: str,
    owner: Any = None,
    bot: str = "greedy",
    character: str = Stable.Character.BALANCED,
    invitation: Invitation | None = None,
    actor: Any = None,
) -> FoundedStable:
    """Found a stable in a season; its starting capital is credited once (R-STB-01).

    While a season runs, newcomers may enter a cycle as long as its market is open and a place is left (Q-159). Without
    an owner the AI runs the stable with the traits of `character`. `bot` plays its matches. `actor` founds it, the
    owner unless another is named. Raises SeasonRefused (season_at_tables_only, season_closed_to_newcomers, season_full,
    place_is_kept, already_owner_here, stable_name_taken) or Malformed (stable_name_missing, bad_field).
    """
    actor = actor or owner
    name = proper_name(name, LONGEST_NAME)
    if not name:
        raise Malformed("stable_name_missing", longest=LONGEST_NAME)
    if character not in Stable.Character.values:
        raise Malformed("bad_field", field="character")
    season = lock_season(season_id)
    if owner is None and season.rules.table_only:
        raise SeasonRefused("season_at_tables_only")
    enters = open_for_newcomers(season)
    if enters is None:
        raise SeasonRefused("season_closed_to_newcomers")
    others = list(season.stables.order_by("number"))
    _require_place(season, owner, sum(other.left_in_cycle is None for other in others))
    for other in others:
        if owner is not None and other.owner_id == owner.pk:
            raise SeasonRefused("already_owner_here", stable=other.name)
        if looks_like_one(name, [other.name]):
            raise SeasonRefused("stable_name_taken", name=name)
    stable = Stable.objects.create(
        season=season,
        number=max((other.number for other in others), default=0) + 1,
        name=name,
        slug=free_slug(slug_of(name, "stable", 60), {other.slug for other in others}),
        owner=owner,
        is_ai=owner is None,
        bot=bot,
        character=character,
        invitation=invitation,
        identity=identity_for(name, owner),
        joined_in_cycle=enters,
    )
    if owner is not None:
        season.waiting.filter(user=owner).delete()
    movement = Movement(season.rules.capital, "starting_capital", f"stable:{stable.pk}:starting_capital")
    posting = post(stable_id=stable.pk, movements=[movement])
    record(season, "stable_founded", {"stable": name, "cycle": enters}, actor=actor)
    if owner is not None:
        facts = {"season": season.name, "stable": name, "person": owner.get_username(), "cycle": enters}
        stable.season = season
        notify(organisers_of(season, [owner.pk, actor.pk]), "stable_joined", facts, stable.get_absolute_url())
    return FoundedStable(stable.pk, stable.slug, stable.number, posting.capital)


def _require_place(season: Season, owner: Any, stables: int) -> None:
    """Raise SeasonRefused when a season with so many stables has no place for a newcomer.

    The code is season_full, or place_is_kept when a free place is kept for those who wait. A person who is offered a
    place has it.
    """
    if stables >= season.rules.places:
        raise SeasonRefused("season_full", largest=season.rules.places)
    waiting = list(season.waiting.values_list("user", "offered_until"))
    if owner is not None and any(user == owner.pk and until is not None for user, until in waiting):
        return
    ahead = sum(owner is None or user != owner.pk for user, _ in waiting)
    if not free_places(season.rules.places, stables, ahead):
        raise SeasonRefused("place_is_kept")


def open_for_newcomers(season: Season) -> int | None:
    """Return the cycle that a stable founded now would enter, None when none may be founded (Q-159)."""
    if season.state == Season.State.RECRUITING:
        return 1
    if not SEASON.may("found_stable", season.state):
        return None
    cycle = season.cycles.order_by("-number").first()
    is_open = cycle is not None and CYCLE.may("found_stable", cycle.state) and not has_begun(cycle)
    return cycle.number if cycle is not None and is_open else None


@transaction.atomic
def start_season(*, season_id: int, actor: Any = None, is_sure: bool = True) -> None:
    """Start a recruiting season, notify the owners, and ask for the start of its first cycle.

    Newcomers may enter later cycles. Without `is_sure`, stables that are not prepared stop it. Raises SeasonRefused
    (season_not_recruiting, too_few_stables, too_many_seasons_running, stables_unprepared).
    """
    season = lock_season(season_id)
    started = SEASON.require("start", season.state, "season_not_recruiting", state=season.state)
    count = len(entrants(season, 1))
    if count < SMALLEST_SEASON:
        raise SeasonRefused("too_few_stables", stables=count, smallest=SMALLEST_SEASON)
    refuse_many_running(season.organiser)
    first = season.cycles.get(number=1)
    if not is_sure:
        _require_prepared(season, first)
    season.state = started
    season.save(update_fields=["state"])
    record(season, "season_started", {"stables": count}, actor=actor)
    owners = [stable.owner for stable in in_season(season) if stable.owner is not None]
    notify(owners, "season_started", {"season": season.name}, season.get_absolute_url())
    begin(season, first)


@transaction.atomic
def start_cycle(*, season_id: int, is_sure: bool = True) -> None:
    """Ask for the start of the cycle whose market is open in a running season; that closes the market.

    Without `is_sure`, stables that are not prepared stop it. Raises SeasonRefused (no_open_market, season_is_paused,
    stables_unprepared).
    """
    season = lock_season(season_id)
    cycle = season.cycles.order_by("-number").first()
    SEASON.require("start_cycle", season.state, "no_open_market", state=season.state)
    if cycle is None or not CYCLE.may("start", cycle.state):
        raise SeasonRefused("no_open_market", state=season.state)
    if season.paused_at is not None:
        raise SeasonRefused("season_is_paused")
    if not is_sure:
        _require_prepared(season, cycle)
    begin(season, cycle)


def _require_prepared(season: Season, cycle: Cycle) -> None:
    """Raise SeasonRefused (stables_unprepared) if a stable lacks a crew for the cycle, or has a basket not sealed."""
    cycle.season = season
    stables = season.stables.order_by("number").prefetch_related("skipped")
    found = in_market(cycle, stables, left_to_the_ai(season.pk))
    without_crew = [each.stable.name for each in found if each.is_without_crew]
    unsealed = [each.stable.name for each in found if each.shops_itself and each.has_open_basket]
    if without_crew or unsealed:
        raise SeasonRefused("stables_unprepared", without_crew=without_crew, unsealed=unsealed)


def begin_when_nobody_shops(cycle: Cycle) -> None:
    """Ask for the start of a cycle when every person whose stable takes part in it is ready (`still_shopping`).

    The AI shops when the cycle begins. If fewer than SMALLEST_SEASON stables are left in the season, the cycle begins
    too, and is dropped. Nothing happens unless the season runs and is not paused.
    """
    season = cycle.season
    if season.state != Season.State.RUNNING or season.paused_at is not None:
        return
    if len(in_season(season)) < SMALLEST_SEASON or not still_shopping(cycle):
        begin(season, cycle)


def still_shopping(cycle: Cycle) -> list[Stable]:
    """Return the stables of people that take part in a cycle and have not said that they are ready for it.

    Stables whose owners handed everything over to the AI are left out. Fetch `cycle` with its season.
    """
    away = left_to_the_ai(cycle.season_id)
    return [
        stable
        for stable in entrants(cycle.season, cycle.number)
        if stable.owner_id is not None and stable.ready_for != ready_mark(cycle.number) and stable.pk not in away
    ]


def begin(season: Season, cycle: Cycle) -> None:
    """Ask for the start of a cycle, once."""
    ask_for(season, "stables.start_cycle", start_key(cycle), cycle=cycle.pk)


def start_key(cycle: Cycle) -> str:
    """Return the key of the job that starts a cycle, as `ask_for` takes it."""
    return f"cycle:{cycle.pk}:start"


def has_begun(cycle: Cycle) -> bool:
    """Return whether the start of a cycle has been asked for: from then on no stable enters or skips it."""
    return Job.objects.filter(unique_key=f"stables:{start_key(cycle)}").exists()
