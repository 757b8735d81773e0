"""The likely result of a chosen action, in words and numbers for people: path, dice, chances."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext

from matches.presenters.attacks import Term, terms_of
from matches.presenters.heat import HeatPreview, heat_preview
from matches.presenters.in_short import in_short
from matches.presenters.odds import percent
from matches.presenters.outlook import Outlook, damage_words, outlook_of
from matches.text.match import word
from rules.competition.forecast import (
    AttackForecast,
    BreakAwayForecast,
    TargetForecast,
    break_away_forecast,
    forecast,
    prospects,
)
from rules.competition.match import Match as EngineMatch
from rules.competition.narrowing import Option
from rules.competition.order_forecast import order_forecast
from rules.wording.filling import joined
from web.languages.reader import translate

MOST_FORECASTS = 40
"""The most options of one question, and actions of one option, for which chances are worked out."""

MOST_DAMAGES = 12
"""The most options of one question for which the damage is worked out as well: that takes some ten times as long."""


@dataclass(frozen=True)
class TargetPreview:
    """The sum against one target. `chance` is in whole percent.

    `again` names the target's equipment that makes the attacker roll a second time, "" without it. `range` is in
    hexsides, None for attacks that are not ranged.
    """

    name: str
    range: int | None
    attack: int
    terms: tuple[Term, ...]
    total: int
    printed_defense: int
    defense_terms: tuple[Term, ...]
    defense: int
    needed: int
    chance: int
    again: str


@dataclass(frozen=True)
class AttackPreview:
    """The sums of an attack before its dice."""

    order: str
    value: str
    is_indirect: bool
    targets: tuple[TargetPreview, ...]


@dataclass(frozen=True)
class Prospect:
    """A target that could be attacked after a move, from the hex where it ends, as things stand.

    `chance` is in whole percent, `range` in hexsides, None for a weapon that is not ranged.
    """

    name: str
    weapon: str
    range: int | None
    chance: int


@dataclass(frozen=True)
class Preview:
    """A preview. `mode` says how the unit moves, `path` which hexes it enters, `break_away` which roll comes first.

    What an action does not have is empty or None. `break_away_chance` is in whole percent, 0 without a roll.
    `is_place`: the unit ends somewhere, so no `prospects` means that nothing can be attacked from there. `short` is the
    line for the bar.
    """

    mode: str
    path: tuple[str, ...]
    attack: AttackPreview | None
    break_away: BreakAwayForecast | None
    break_away_chance: int
    is_place: bool
    prospects: tuple[Prospect, ...]
    forecast: AttackForecast | None
    outlook: Outlook | None
    heat: HeatPreview | None
    short: str


def preview_of(engine: EngineMatch, action: Mapping[str, Any], names: Mapping[str, str]) -> Preview:
    """Return the preview of a legal action."""
    whole = order_forecast(engine, action)
    seen = forecast(engine, action) if whole is None else whole.attack
    broken = break_away_forecast(engine, action)
    return Preview(
        mode=_mode(action),
        path=tuple(action.get("path") or ()),
        attack=None if seen is None else attack_preview(seen, names),
        break_away=broken,
        break_away_chance=percent(broken.chance) if broken else 0,
        is_place=action.get("order") == "move",
        prospects=tuple(_prospect(each, names) for each in prospects(engine, action)),
        forecast=seen,
        outlook=None if whole is None else outlook_of(whole, names),
        heat=None if whole is None else heat_preview(engine, whole.heat),
        short=in_short(str(action.get("order", "")), whole, broken),
    )


def _mode(action: Mapping[str, Any]) -> str:
    if not action.get("path"):
        return ""
    return word("run" if action.get("run") else "jump" if action.get("jump") else "walk")


def attack_preview(seen: AttackForecast, names: Mapping[str, str]) -> AttackPreview:
    """Return an attack's forecast in the reader's words."""
    return AttackPreview(
        order=word(seen.order),
        value=word(seen.value),
        is_indirect=seen.is_indirect,
        targets=tuple(_target(each, names) for each in seen.targets),
    )


def chances(engine: EngineMatch, options: Iterable[Option], names: Mapping[str, str]) -> dict[str, str]:
    """Return the best chance of each option's attacks, as people read it, with the damage where one weapon is left.

    An attack on several targets has a chance for each of them by its name. Options without attacks are left out,
    and so are options after the first MOST_FORECASTS.
    """
    found = {}
    listed = list(options)[:MOST_FORECASTS]
    for option in listed:
        # Actions that differ only in facing or path have much the same chance, so one of them stands for all.
        tried = {repr({**action, "facing": None, "path": None}): action for action in option.actions}
        seen = [
            (each, action) for action in list(tried.values())[:MOST_FORECASTS] if (each := forecast(engine, action))
        ]
        if seen:
            best, action = max(seen, key=lambda pair: max(target.chance for target in pair[0].targets))
            weapons = {(each.order, each.value, each.is_indirect) for each, _ in seen}
            is_told = len(weapons) == 1 and len(listed) <= MOST_DAMAGES
            found[option.word] = _odds(engine, best, action if is_told else None, names)
    return found


def _odds(engine: EngineMatch, seen: AttackForecast, action: Mapping[str, Any] | None, names: Mapping[str, str]) -> str:
    """Return the chance of each target of an attack, and the damage of a hit when `action` is its one weapon."""
    form = gettext("%(chance)s %% to hit") if len(seen.targets) == 1 else gettext("%(chance)s %% to hit %(name)s")
    parts = [
        form % {"chance": percent(target.chance), "name": names.get(target.target, target.target)}
        for target in seen.targets
    ]
    said = joined(parts, translate)
    whole = order_forecast(engine, action) if action is not None else None
    damage = damage_words(whole) if whole is not None else ""
    return gettext("%(chance)s, %(damage)s") % {"chance": said, "damage": damage} if damage else said


def _target(each: TargetForecast, names: Mapping[str, str]) -> TargetPreview:
    return TargetPreview(
        name=names.get(each.target, each.target),
        range=each.range,
        attack=each.attack_printed,
        terms=terms_of(each.modifiers, names),
        total=each.attack,
        printed_defense=each.defense_printed,
        defense_terms=terms_of(each.defense_modifiers, names),
        defense=each.defense,
        needed=each.needed,
        chance=percent(each.chance),
        again=word(each.again) if each.again else "",
    )


def _prospect(seen: AttackForecast, names: Mapping[str, str]) -> Prospect:
    (target,) = seen.targets
    weapon = word(seen.value)
    if seen.is_indirect:
        weapon = gettext("%(value)s, indirect") % {"value": weapon}
    return Prospect(names.get(target.target, target.target), weapon, target.range, percent(target.chance))
