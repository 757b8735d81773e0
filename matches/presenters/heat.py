"""What a chosen action does to the unit's heat dial, in words: the step, its numbers, and what may happen there."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from django.utils.translation import gettext

from matches.presenters.odds import percent
from matches.text import match as words
from rules.competition.heat_forecast import HeatForecast, HeatRisk, HeatWay
from rules.competition.match import Match as EngineMatch
from rules.wording.filling import signed


@dataclass(frozen=True)
class RiskView:
    """A heat effect that is rolled for: it strikes when a die shows `faces` or less."""

    name: str
    faces: int
    rule: str


@dataclass(frozen=True)
class HeatWayView:
    """One amount of heat that the action may bring, with its chance in percent. Steps count from 0.

    `parts` are what comes together: the step that shows, the heat die, the action, in words. `hottest` is the step in
    the clean-up, with its `numbers` ("Primary −1") and `risks`, `last` the one after cooling. `shutdown` and
    `explosion` are chances in percent; `shuts_down`: the dial reaches the radiation symbols.
    """

    chance: int
    parts: str
    hottest: int
    numbers: tuple[str, ...]
    risks: tuple[RiskView, ...]
    last: int
    shutdown: int
    explosion: int
    shuts_down: bool


@dataclass(frozen=True)
class HeatPreview:
    """The heat dial at the end of the round; one of `ways` unless dice decide. `top`: three radiation symbols."""

    top: int
    ways: tuple[HeatWayView, ...]


def heat_preview(engine: EngineMatch, seen: HeatForecast | None) -> HeatPreview | None:
    """Return the heat of a forecast action; None where it says nothing: no heat before it and none by it."""
    if seen is None or not (seen.now or any(way.added or way.hottest for way in seen.ways)):
        return None
    dial: Sequence[dict[str, int]] = next(
        loadout.unit["heat"] for side in engine.setup.sides for loadout in side.units if loadout.key == seen.unit
    )
    return HeatPreview(seen.top, tuple(_way(way, dial, seen) for way in seen.ways))


def _way(way: HeatWay, dial: Sequence[dict[str, int]], seen: HeatForecast) -> HeatWayView:
    step = dial[way.hottest] if way.hottest < len(dial) else {}
    return HeatWayView(
        chance=percent(way.chance),
        parts=_parts(way, seen),
        hottest=way.hottest,
        numbers=tuple(
            f"{words.heading(words.COMBAT_VALUES, value)} {signed(step[value])}"
            for value in ("primary", "secondary", "speed")
            if step.get(value)
        ),
        risks=tuple(_risks(dict.fromkeys((*way.risks, *way.last_risks)))),
        last=way.last,
        shutdown=percent(way.shutdown),
        explosion=percent(way.explosion),
        shuts_down=way.hottest == seen.top,
    )


def _parts(way: HeatWay, seen: HeatForecast) -> str:
    parts = [gettext("step %(now)s now") % {"now": seen.now}]
    if seen.die:
        parts.append(gettext("+%(die)s on the heat die") % {"die": seen.die})
    if way.added:
        parts.append(gettext("%(added)s by this") % {"added": signed(way.added)})
    return ", ".join(parts)


def _risks(risks: Iterable[HeatRisk]) -> Iterable[RiskView]:
    return (RiskView(words.word(risk.key), risk.faces, risk.rule) for risk in risks)
