"""Hiring in need: a pilot outside the market, for a stable that could not fight without one."""

from __future__ import annotations

from rules.campaign.market.hire import hires_in_emergency
from stables.models import Stable
from stables.selectors.windows import Window
from stables.services.market import trading


def hire_in_need(stable: Stable, window: Window) -> str | None:
    """Hire the cheapest common pilot if the season allows it and the stable could not fight without one.

    Returns the pilot's name, None if nobody was hired.
    """
    cheapest = pilot_in_need(stable, window)
    return None if cheapest is None else trading.buy(stable_id=stable.pk, kind="pilot", key=cheapest).name


def pilot_in_need(stable: Stable, window: Window) -> str | None:
    """Return the catalogue id of the pilot that a stable hires in need; None if it needs none or cannot pay."""
    if stable.owed or not hires_in_emergency(stable.season.rules):
        return None
    affordable = [pilot for pilot in trading.hireable_pilots(stable, window) if int(pilot["points"]) <= stable.capital]
    cheapest = min(affordable, key=lambda pilot: (int(pilot["points"]), str(pilot["id"])), default=None)
    return None if cheapest is None else str(cheapest["id"])
