"""A season that a person opens for others to join, with AI stables from the start if wanted."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import chain, count
from typing import Any

from django.db import transaction

from rules.bots.owners.evenings import DIFFICULTY_OF
from rules.campaign.classes import MULTI_CLASS, WEIGHT_CLASSES, draw_class_order
from rules.campaign.season.settings import SeasonSettings
from rules.campaign.states import SEASON
from rules.core.dice import SeededDice, stream_seed
from rules.core.refusals import Malformed, SeasonRefused
from rules.solaris.building import class_of
from stables.models import Season, Stable
from stables.models.season import new_secret
from stables.selectors.definitions import offered_units
from stables.services.base.locks import lock_season
from stables.services.base.log import record
from stables.services.season.catalogues import catalogue_with
from stables.services.season.floods import refuse_many_recruiting
from stables.services.season.seasons import FoundedStable, OpenedSeason, found_stable, open_season
from stables.services.season.visibility import known_visibility
from web.names import looks_like_one, proper_name

NAMES = (
    "Iron Parish",
    "Kestrel Row",
    "Lowland Furnace",
    "Marrow Street",
    "Northlight",
    "Obsidian Court",
    "Pilgrim Motors",
)
"""The names of the first AI stables in a season that people may join, in order of founding; more get a number."""

CHARACTERS = (Stable.Character.BALANCED, Stable.Character.THRIFTY, Stable.Character.RECKLESS)
"""The characters of the AI's stables, in order of founding."""

USUAL_BOT = "greedy"
"""The bot that plays the matches of an AI stable if nobody chose one."""

PRESELECTED: Mapping[str, Any] = {"loser_keeps_reputation": True, "absence_pays": 0}
"""The defaults that differ from the book: there a loser who fights on gets no reputation, an absent stable 30."""

LONGEST_NAME = 80


def open_for_people(
    *,
    name: str,
    ai_stables: int,
    organiser: Any,
    weight_class: str | None = None,
    class_order: Sequence[str] = (),
    settings: Mapping[str, Any] | None = None,
    collection: str = "",
    calendar: Mapping[str, Any] | None = None,
    joining: str = Season.Joining.OPEN,
    visibility: str = Season.Visibility.PUBLIC,
    is_draft: bool = False,
    ai_bot: str = USUAL_BOT,
) -> OpenedSeason:
    """Open a recruiting season and found `ai_stables` AI stables in it, with the three characters in turn.

    `ai_bot` plays the matches of all of them (DIFFICULTY_OF).

    With `is_draft` only its organisers see it until `publish_season`; drafts count as recruiting seasons.

    `weight_class` is one class or "multi": then `class_order` names the class of each cycle, or is drawn now if it is
    empty; either way it is public from now on (Q-160). `settings` are those of rules.campaign.season.settings; they
    may overrule PRESELECTED. `collection` is the address of a collection whose definitions replace the game's own;
    with `dials` printed the market has no unit with house statistics. Nothing is stored if it raises. Raises Malformed
    (season_name_missing, ai_stables_out_of_range, settings_not_an_object, setting_out_of_range, unknown_setting,
    unknown_house_rule, bad_house_rule, unknown_collection, unknown_bot) or SeasonRefused (setting_not_built,
    too_many_seasons_recruiting, printed_dials_missing, catalogues_too_large), or ImportRefused (too_many_definitions).
    """
    name = proper_name(name, LONGEST_NAME)
    if not name:
        raise Malformed("season_name_missing", longest=LONGEST_NAME)
    if joining not in Season.Joining.values:
        raise Malformed("setting_out_of_range", setting="joining", value=joining)
    # An unknown bot is refused even if there is no AI stable yet.
    _require_bot(ai_bot)
    secret = new_secret()
    wanted = {**PRESELECTED, **(settings or {})}
    wanted |= class_settings(weight_class, class_order, wanted, secret)
    rules = SeasonSettings.from_json(wanted)
    # One place is left for a person.
    if not 0 <= ai_stables < rules.places:
        raise Malformed("ai_stables_out_of_range", stables=ai_stables, largest=rules.places - 1)
    with catalogue_with(collection, organiser, table_only=rules.table_only) as release:
        refuse_many_recruiting(organiser)
        opened = open_season(
            name=name,
            settings=wanted,
            release=release,
            organiser=organiser,
            secret=secret,
            calendar=calendar,
            joining=joining,
            visibility=known_visibility(visibility),
        )
        for _ in range(ai_stables):
            found_ai_stable(season_id=opened.season_id, bot=ai_bot)
        season = Season.objects.select_related("release").get(pk=opened.season_id)
        require_units(season)
        # Stables can only be founded while a season recruits, so it becomes a draft last; nobody sees it before the
        # commit.
        if is_draft:
            season.state = SEASON.next_state("keep_as_draft", season.state)
            season.save(update_fields=["state"])
    return opened


@transaction.atomic
def publish_season(*, season_id: int, actor: Any = None) -> None:
    """Let a draft recruit and be seen as its visibility says, and log it. Raises SeasonRefused (season_no_draft)."""
    season = lock_season(season_id)
    season.state = SEASON.require("publish", season.state, "season_no_draft", state=season.state)
    season.save(update_fields=["state"])
    record(season, "season_published", actor=actor)


def class_settings(
    weight_class: str | None, class_order: Sequence[str], settings: Mapping[str, Any], secret: bytes
) -> dict[str, Any]:
    """Return the setting of the season's class, or of the order of classes of a multi-class season (Q-160)."""
    if weight_class != MULTI_CLASS:
        return {"weight_class": weight_class}
    cycles = SeasonSettings.from_json({**settings, "weight_class": WEIGHT_CLASSES[0]}).cycles
    drawn = draw_class_order(len(cycles), SeededDice(stream_seed(secret, "class order")))
    return {"multi_class_order": list(class_order) or list(drawn)}


def found_ai_stable(*, season_id: int, character: str = "", bot: str = USUAL_BOT) -> FoundedStable:
    """Found a stable of the AI under the next free name; without a `character` the three come in turn.

    `bot`, one of DIFFICULTY_OF, plays its matches. Raises SeasonRefused (season_closed_to_newcomers, season_full,
    stable_name_taken) or Malformed (unknown_bot, bad_field).
    """
    _require_bot(bot)
    known = {stable.name: stable.is_ai for stable in Stable.objects.filter(season_id=season_id)}
    names = chain(NAMES, (f"{NAMES[0]} {number}" for number in count(len(known) + 1)))
    name = next(name for name in names if not looks_like_one(name, known))
    turn = CHARACTERS[sum(known.values()) % len(CHARACTERS)]
    return found_stable(season_id=season_id, name=name, bot=bot, character=character or turn)


def _require_bot(bot: str) -> None:
    """Raise Malformed (unknown_bot) for a bot that plays for no stable in seasons that people organise."""
    if bot not in DIFFICULTY_OF:
        raise Malformed("unknown_bot", name=bot, known=list(DIFFICULTY_OF))


def require_units(season: Season) -> None:
    """Raise SeasonRefused (printed_dials_missing) when the market of some cycle would have no unit at all."""
    offered = {class_of(unit) for unit in offered_units(season)}
    for cycle in range(1, len(season.rules.cycles) + 1):
        if season.rules.class_of(cycle) not in offered:
            raise SeasonRefused("printed_dials_missing", **{"class": season.rules.class_of(cycle)})
