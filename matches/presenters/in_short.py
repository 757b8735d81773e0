"""The likely result of a chosen action in one line, for the bar with the button that commits it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from django.utils.translation import gettext

from matches.presenters.odds import percent
from rules.competition.forecast import BreakAwayForecast
from rules.competition.order_forecast import (
    CRITICAL_HIT,
    CRITICAL_MISS,
    HIT,
    MISS,
    OrderForecast,
    Spread,
)
from rules.wording.filling import signed

BETWEEN = " · "


def in_short(order: str, seen: OrderForecast | None, broken: BreakAwayForecast | None) -> str:
    """Return what comes of an action: the roll before it, what a hit does, the heat, damage to the attacker itself.

    `order` is the action's, "" without one. Return "" where nothing of that comes of it.
    """
    parts = [gettext("succeeds without a roll")] if order == "pin" else []
    if broken:
        parts.append(gettext("%(chance)s %% that it gets away") % {"chance": percent(broken.chance)})
    if seen is not None:
        parts += [*_done(seen), *_heat(seen), *_own(seen)]
    return BETWEEN.join(parts)


def _done(seen: OrderForecast) -> Iterator[str]:
    """Yield what a hit does to those that it hits."""
    struck = [
        each
        for result in seen.results
        if result.result in (CRITICAL_HIT, HIT)
        for each in result.struck
        if each.target in result.hit
    ]
    units = [each for each in struck if each.target in seen.left]
    if any(_most(each.mended) for each in units):
        yield gettext("Clicks repaired: %(amount)s") % {"amount": _range(each.mended for each in units)}
    elif units and (any(_most(each.damage) for each in units) or not any(_is_warm(each.heat) for each in units)):
        yield gettext("%(amount)s damage") % {"amount": _range(each.damage for each in units)}
    if any(_is_warm(each.heat) for each in units):
        yield gettext("%(amount)s heat to the target") % {"amount": _range(each.heat for each in units)}
    if paid := [each.reputation for each in struck if each.target not in seen.left and each.falls]:
        yield gettext("%(reputation)s reputation") % {"reputation": max(paid)}


def _heat(seen: OrderForecast) -> Iterator[str]:
    heat = seen.heat
    if heat is not None and (heat.shutdown or any(way.added for way in heat.ways)):
        added = tuple(signed(way.added) for way in heat.ways)
        yield gettext("heat %(added)s, shutdown %(chance)s %%") % {
            "added": _between(added[0], added[-1]),
            "chance": percent(heat.shutdown),
        }


def _own(seen: OrderForecast) -> Iterator[str]:
    """Yield the damage of the attacker to itself, with the results that bring it, or without them if all do."""
    names = {
        CRITICAL_HIT: gettext("critical hit"),
        HIT: gettext("hit"),
        MISS: gettext("miss"),
        CRITICAL_MISS: gettext("critical miss"),
    }
    found: dict[str, list[str]] = {}
    for result in seen.results:
        if _most(result.own_damage):
            found.setdefault(_range([result.own_damage]), []).append(names[result.result])
    for amount, results in found.items():
        itself = gettext("%(amount)s damage to itself") % {"amount": amount}
        if len(results) == len(seen.results):
            yield itself
        else:
            yield gettext("%(results)s: %(itself)s") % {"results": ", ".join(results), "itself": itself}


def _most(spread: Spread) -> int:
    return spread[-1][0]


def _is_warm(spread: Spread) -> bool:
    return any(amount for amount, _ in spread)


def _range(spreads: Iterable[Spread]) -> str:
    amounts = sorted(amount for spread in spreads for amount, _ in spread)
    return _between(str(amounts[0]), str(amounts[-1]))


def _between(low: str, high: str) -> str:
    return low if low == high else gettext("%(low)s to %(high)s") % {"low": low, "high": high}
