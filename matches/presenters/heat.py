"""What a chosen action does to the unit's heat dial, in words: the step, its numbers, and what may happen there."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext

from matches.text import match as words
from rules.competition.heat_forecast import HeatRisk, heat_forecast
from rules.competition.match import Match as EngineMatch
from rules.competition.observation import Observation


@dataclass(frozen=True)
class HeatPreview:
    """The heat dial at the end of the round, in steps from 0.

    `now` is the step that shows, `added` the heat of the action, `on_hit` what a hit adds. `hottest` is the step in the
    clean-up, `last` the one after cooling. `numbers` and `risks` are words: "Primary −1", "avoid shutdown: 1–2".
    """

    now: int
    added: int
    on_hit: int
    hottest: int
    last: int
    shuts_down: bool
    numbers: tuple[str, ...]
    risks: tuple[str, ...]


def heat_preview(engine: EngineMatch, observed: Observation, action: Mapping[str, Any]) -> HeatPreview | None:
    """Return the heat of a legal action; None where it says nothing: no heat before it and none by it."""
    seen = heat_forecast(engine, action)
    if seen is None or not (seen.now or seen.added or seen.on_hit or seen.hottest):
        return None
    dial = next(
        loadout["unit"]["heat"]
        for side in observed.setup["sides"]
        for loadout in side["units"]
        if loadout["id"] == seen.unit
    )
    step = dial[seen.last] if seen.last < len(dial) else {}
    return HeatPreview(
        now=seen.now,
        added=max(0, seen.added),
        on_hit=seen.on_hit,
        hottest=seen.hottest,
        last=seen.last,
        shuts_down=seen.shuts_down,
        numbers=tuple(
            f"{words.heading(words.COMBAT_VALUES, value)} {words.signed(step[value])}"
            for value in ("primary", "secondary", "speed")
            if step.get(value)
        ),
        risks=tuple(_risks(dict.fromkeys((*seen.risks, *seen.last_risks)))),
    )


def _risks(risks: Iterable[HeatRisk]) -> Iterable[str]:
    for risk in risks:
        what = {"effect": words.word(risk.key), "faces": risk.faces}
        yield gettext("%(effect)s: a die of 1 to %(faces)s strikes") % what
