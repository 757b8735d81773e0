"""Hiring in need: a pilot outside the market, for a stable that could not fight without one."""

from __future__ import annotations

from rules.campaign.market.hire import hires_in_emergency
from stables.models import Stable
from stables.selectors.windows import Window
from stables.services.market import trading


def hire_in_need(stable: Stable, window: Window) -> str | None:
    """Hire the cheapest common pilot if the season allows it and the stable could not fight without one.

    Return the pilot's name, None if nobody was hired. Call it with the stable locked, in a transaction. Raises
    SeasonRefused (too_many_assets).
    """
    cheapest = pilot_in_need(stable, window)
    return None if cheapest is None else trading.buy(stable_id=stable.pk, kind="pilot", key=cheapest).name


def pilot_in_need(stable: Stable, window: Window) -> str | None:
    """Return the catalogue id of the pilot that a stable hires in need.

    None if the season has no emergency hire, if the stable is in debt, needs no pilot or cannot pay for one, or if the
    window is not between two matches of a cycle.
    """
    if stable.owed or not hires_in_emergency(stable.season.rules):
        return None
    affordable = [pilot for pilot in trading.hireable_pilots(stable, window) if int(pilot["points"]) <= stable.capital]
    cheapest = min(affordable, key=lambda pilot: (int(pilot["points"]), str(pilot["id"])), default=None)
    return None if cheapest is None else str(cheapest["id"])
