"""Forecasts as pages and the interface show them: chances in whole percent, with their 95% intervals."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime

from django.utils.translation import gettext

from matches.models import Counted, Match
from matches.text import match as words
from rules.bots.advice.reason import percent
from rules.measuring.forecasts import Forecast, Tally


@dataclass(frozen=True)
class SideChance:
    """How often a side won: `wins` of the play-outs, its chance in percent by them, and the 95% interval of it.

    Play-outs make nothing certain, so their chance is 1 to 99; only the interval may reach 0 and 100. A decided side
    has a chance of 0 or 100, and 0 or 1 `wins`.
    """

    key: str
    wins: int
    chance: int
    low: int
    high: int

    @classmethod
    def decided(cls, key: str, has_won: bool) -> SideChance:
        """Return a side of a finished match, with a chance of 0 or 100 and no interval."""
        percent = 100 if has_won else 0
        return cls(key, int(has_won), percent, percent, percent)

    @property
    def width(self) -> int:
        """The width of the interval, in percent."""
        return self.high - self.low


@dataclass(frozen=True)
class ForecastView:
    """A forecast, and the counts behind its percents. `endings` are (words, percent), the most frequent first.

    `wanted` is the number of play-outs in the end.
    """

    sides: tuple[SideChance, ...]
    play_outs: int
    wanted: int
    bot: str
    rules_version: str
    mean_rounds: float
    endings: tuple[tuple[str, int], ...]
    changed_at: datetime
    forecast: Forecast

    @property
    def is_complete(self) -> bool:
        return self.play_outs >= self.wanted

    @property
    def widest(self) -> int:
        """The most that an interval reaches to one side, in percent."""
        return max(max(side.chance - side.low, side.high - side.chance) for side in self.sides)

    @property
    def favourite(self) -> SideChance | None:
        """The side that won most play-outs, None when chance alone could make the difference."""
        first, second = sorted(self.sides, key=lambda side: -side.chance)[:2]
        return first if first.low > second.high else None


def view_of(counted: Counted) -> ForecastView:
    """Return a stored forecast as a page shows it."""
    forecast = Forecast(Tally.from_json(counted.tally))
    endings = sorted(forecast.endings.items(), key=lambda ending: -ending[1])
    return ForecastView(
        sides=tuple(
            SideChance(key, forecast.tally.wins[key], _chance(each.chance), _percent(each.low), _percent(each.high))
            for key, each in forecast.chances.items()
        ),
        play_outs=counted.counted,
        wanted=counted.wanted,
        bot=counted.bot,
        rules_version=counted.rules_version,
        mean_rounds=round(forecast.mean_rounds, 1),
        endings=tuple((words.word(kind), _percent(share)) for kind, share in endings),
        changed_at=counted.changed_at,
        forecast=forecast,
    )


def _percent(share: float) -> int:
    """Return a share in whole percent as advice shows it: 1 of 200 is not 0, and 199 of 200 is not 100.

    The share is rounded first, because floats miss 0 and 1 at the end of an interval.
    """
    return percent(round(share, 9))


def _chance(share: float) -> int:
    """Return the chance that follows from a share of play-outs, 1 to 99 percent: even all of them prove nothing."""
    return min(99, max(1, _percent(share)))


def forecasts_of(match: Match) -> dict[int, ForecastView]:
    """Return the forecasts of a match by round; one query."""
    return {counted.round: view_of(counted) for counted in match.forecasts.order_by("round")}


BAR_WIDTH = 600
"""The width of the drawing of a chance, in its own units."""


@dataclass(frozen=True)
class NamedChance:
    """A side's chance with its name and its bar, for a page. The bar's lengths are parts of BAR_WIDTH."""

    index: int
    name: str
    side: SideChance

    @property
    def bar(self) -> int:
        return self.side.chance * BAR_WIDTH // 100

    @property
    def bar_low(self) -> int:
        return self.side.low * BAR_WIDTH // 100

    @property
    def bar_high(self) -> int:
        return self.side.high * BAR_WIDTH // 100


def named(view: ForecastView, names: Mapping[str, str]) -> list[NamedChance]:
    """Return the sides of a forecast with their names, in their order."""
    return [NamedChance(index, names.get(side.key, side.key), side) for index, side in enumerate(view.sides)]


def forecast_sentence(view: ForecastView, names: Mapping[str, str]) -> str:
    """Return one sentence on who is ahead, or that nobody clearly is."""
    favourite = view.favourite
    if favourite is None:
        return gettext("Nobody is clearly ahead: chance alone could make the difference.")
    name = names.get(favourite.key, favourite.key)
    values = {"name": name, "wins": favourite.wins, "count": view.play_outs}
    return gettext("%(name)s is ahead: it won %(wins)s of %(count)s play-outs.") % values
