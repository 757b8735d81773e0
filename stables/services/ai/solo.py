"""One press, one evening: a season for one person against stables of the AI, begun and ready to be played."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from django.db import transaction
from django.utils.translation import gettext

from catalogue.selectors.releases import latest_release
from catalogue.services.releases import load_release
from people.services.accounts import Limit, count_attempt
from rules.bots.owners.evenings import DIFFICULTIES, LENGTHS, RIVALS, evening_settings
from rules.campaign.season.calendar import SOLO, Calendar
from rules.campaign.states import SEASON
from rules.core.dice import SeededDice, stream_seed
from rules.core.refusals import Malformed, SeasonRefused
from stables.models import Cycle, Fixture, Season, Stable
from stables.models.season import new_secret
from stables.selectors.entrants import plays_alone
from stables.services.ai import owners
from stables.services.base.locks import lock_season
from stables.services.base.log import record
from stables.services.market import readiness
from stables.services.season import opening as openings
from stables.services.season.floods import refuse_many_running
from stables.services.season.opening import NAMES, require_units
from stables.services.season.seasons import LONGEST_NAME, FoundedStable, OpenedSeason, found_stable, open_season
from web.bounds import MOST_EVENINGS
from web.names import looks_like_one, name_key, proper_name

EVENINGS = Limit("solo_season", MOST_EVENINGS)


@dataclass(frozen=True)
class Evening:
    """A solo season that has begun, and the person's stable in it.

    `bought` names the assets of a ready-made stable, and is empty for any other.
    """

    season_id: int
    slug: str
    stable_id: int
    stable_slug: str
    bought: tuple[str, ...]


def open_evening(
    *,
    player: Any,
    stable_name: str,
    length: str = LENGTHS[0],
    difficulty: str = "fair",
    weight_class: str = "light",
    ready_made: bool = False,
    standing_answers: str = "routine",
) -> Evening:
    """Open and start a season for one person, with rivals of the AI and the first market open.

    With `ready_made` an AI owner spends the person's Stones in the market and the start of the first cycle is asked for
    at once; otherwise nothing is bought for them. The season is private, and nobody joins it without an invitation.
    Raises TooOften (too_often), Malformed (bad_field, stable_name_missing, setting_out_of_range) or SeasonRefused
    (printed_dials_missing, too_many_seasons_running).
    """
    if length not in LENGTHS:
        raise Malformed("bad_field", field="length")
    if difficulty not in DIFFICULTIES:
        raise Malformed("bad_field", field="difficulty")
    settings = evening_settings(length, difficulty, weight_class, standing_answers)
    opened, mine = _open(player, stable_name, length, difficulty, settings)
    bought: list[str] = []
    if ready_made:
        bought = _shop(mine.stable_id)
        readiness.say_ready(stable_id=mine.stable_id, without_crew=True)
    return Evening(opened.season_id, opened.slug, mine.stable_id, mine.slug, tuple(bought))


@transaction.atomic
def _open(
    player: Any, stable_name: str, length: str, difficulty: str, settings: Mapping[str, Any]
) -> tuple[OpenedSeason, FoundedStable]:
    """Open and start the season in one transaction; return it and the person's stable."""
    # Inside the transaction: what is refused is not counted.
    count_attempt(EVENINGS, str(player.pk))
    refuse_many_running(player)
    secret = new_secret()
    opened = open_season(
        name=_season_name(player, proper_name(stable_name, LONGEST_NAME), length),
        settings=settings,
        release=latest_release() or load_release(),
        organiser=player,
        secret=secret,
        calendar=Calendar.of_preset(SOLO, time_zone=player.time_zone, mode=Fixture.Mode.BROWSER).to_json(),
        joining=Season.Joining.INVITED,
    )
    Season.objects.filter(pk=opened.season_id).update(visibility=Season.Visibility.PRIVATE)
    mine = found_stable(season_id=opened.season_id, name=stable_name, owner=player)
    _found_rivals(opened.season_id, difficulty, stable_name, secret)
    season = lock_season(opened.season_id)
    require_units(season)
    season.state = SEASON.next_state("start", season.state)
    season.save(update_fields=["state"])
    record(season, "season_started", {"stables": 1 + RIVALS}, actor=player)
    return opened, mine


def make_ready(*, stable_id: int) -> list[str]:
    """Let an AI owner buy for the stable of a person who plays alone, and return the names bought.

    Assets that the stable already has stay. Call it outside transactions. Raises SeasonRefused (not_alone,
    market_closed).
    """
    if not plays_alone(Stable.objects.get(pk=stable_id).season_id):
        raise SeasonRefused("not_alone")
    return _shop(stable_id)


def _shop(stable_id: int) -> list[str]:
    cycle = Cycle.objects.filter(season__stables=stable_id).order_by("-number").first()
    if cycle is None or cycle.state != Cycle.State.MARKET:
        raise SeasonRefused("market_closed", rule="R-AST-03")
    return owners.shop(stable_id=stable_id, cycle_id=cycle.pk)


def _season_name(player: Any, stable: str, length: str) -> str:
    """Return a name that no other season of this organiser has: the second of a name gets the number 2; one query."""
    template = gettext("Evening of {stable}") if length == LENGTHS[0] else gettext("Season of {stable}")
    base = template.format(stable=stable)
    taken = {name_key(name) for name in Season.objects.filter(organiser=player).values_list("name", flat=True)}
    name, number = base, 1
    while name_key(name) in taken:
        number += 1
        ending = f", {number}"
        name = base[: openings.LONGEST_NAME - len(ending)].rstrip() + ending
    return name


def _found_rivals(season_id: int, difficulty: str, taken: str, secret: bytes) -> None:
    """Found the stables of the AI. The season's secret draws their names; the difficulty sets bot and characters."""
    level = DIFFICULTIES[difficulty]
    dice = SeededDice(stream_seed(secret, "rivals"))
    urn = [name for name in NAMES if not looks_like_one(name, [taken])]
    characters: Mapping[int, str] = dict(enumerate(level.characters))
    for place in range(RIVALS):
        name = urn.pop(dice.draw(len(urn), "rival"))
        found_stable(season_id=season_id, name=name, bot=level.bot, character=characters[place])
