"""The likely result of a chosen action, in words and numbers for people: path, dice, chances."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext

from matches.presenters.attacks import Term
from matches.text.match import signed, word
from rules.competition.forecast import (
    AttackForecast,
    BreakAwayForecast,
    Summand,
    TargetForecast,
    break_away_forecast,
    forecast,
    prospects,
)
from rules.competition.match import Match as EngineMatch
from rules.competition.narrowing import Option

MOST_FORECASTS = 40
"""The most options of one question, and actions of one option, for which chances are worked out."""


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
    """An attack before its dice; `damage` is in points, 0 for a repair, None when a die decides it."""

    order: str
    value: str
    is_indirect: bool
    damage: int | None
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
    """

    mode: str
    path: tuple[str, ...]
    attack: AttackPreview | None
    break_away: BreakAwayForecast | None
    break_away_chance: int
    prospects: tuple[Prospect, ...]
    forecast: AttackForecast | None


def preview_of(engine: EngineMatch, action: Mapping[str, Any], names: Mapping[str, str]) -> Preview:
    """Return the preview of a legal action."""
    seen = forecast(engine, action)
    broken = break_away_forecast(engine, action)
    return Preview(
        mode=_mode(action),
        path=tuple(action.get("path") or ()),
        attack=None if seen is None else attack_preview(seen, names),
        break_away=broken,
        break_away_chance=percent(broken.chance) if broken else 0,
        prospects=tuple(_prospect(each, names) for each in prospects(engine, action)),
        forecast=seen,
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
        damage=seen.damage,
        targets=tuple(_target(each, names) for each in seen.targets),
    )


def chances(engine: EngineMatch, options: Iterable[Option]) -> dict[str, str]:
    """Return the best chance of each option's attacks, as people read it.

    Options without attacks are left out, and so are options after the first MOST_FORECASTS.
    """
    found = {}
    for option in list(options)[:MOST_FORECASTS]:
        # Actions that differ only in facing or path have much the same chance, so one of them stands for all.
        tried = {repr({**action, "facing": None, "path": None}): action for action in option.actions}
        seen = [each for action in list(tried.values())[:MOST_FORECASTS] if (each := forecast(engine, action))]
        if seen:
            best = max(max(target.chance for target in each.targets) for each in seen)
            found[option.word] = gettext("%(chance)s %%") % {"chance": percent(best)}
    return found


def percent(chance: float) -> int:
    """Return a chance in whole percent, 1 to 99 unless it is exactly 0 or 1."""
    rounded = round(chance * 100)
    return rounded if chance in (0, 1) else min(99, max(1, rounded))


def _target(each: TargetForecast, names: Mapping[str, str]) -> TargetPreview:
    return TargetPreview(
        name=names.get(each.target, each.target),
        range=each.range,
        attack=each.attack_printed,
        terms=_terms(each.modifiers, names),
        total=each.attack,
        printed_defense=each.defense_printed,
        defense_terms=_terms(each.defense_modifiers, names),
        defense=each.defense,
        needed=each.needed,
        chance=percent(each.chance),
        again=word(each.again) if each.again else "",
    )


def _terms(summands: Iterable[Summand], names: Mapping[str, str]) -> tuple[Term, ...]:
    return tuple(
        Term(names.get(each.name) or word(each.name), signed(each.amount), each.rule, each.name in names)
        for each in summands
    )


def _prospect(seen: AttackForecast, names: Mapping[str, str]) -> Prospect:
    (target,) = seen.targets
    weapon = word(seen.value)
    if seen.is_indirect:
        weapon = gettext("%(value)s, indirect") % {"value": weapon}
    return Prospect(names.get(target.target, target.target), weapon, target.range, percent(target.chance))
