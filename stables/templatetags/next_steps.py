"""The panel that says what an owner does next: {% next_step %} on any page that has the season."""

from __future__ import annotations

from typing import Any

from django import template

from stables.models import Season, Stable
from stables.presenters.market.outlook import CrewState
from stables.presenters.next_step import Step, market_step, report_step, step_now
from stables.presenters.waiting import Now
from stables.selectors.windows import Window

register = template.Library()


@register.inclusion_tag("stables/next_step.html", takes_context=True)
def next_step(context: dict[str, Any]) -> dict[str, Any]:
    """Return the context of the panel for the reader who owns the page's stable; at most five queries.

    For everybody else, and on a page that asks for a line-up itself, `is_shown` is False and nothing else is there. The
    season's page shows the next step. A stable's pages know of an open market, and query reports that wait for an
    answer. Elsewhere `step` is None, and the panel is just the button to the next step.
    """
    request, season = context["request"], context.get("season")
    stable = _own(context, request.user)
    if season is None or stable is None or _asks_already(context):
        return {"is_shown": False}
    stable.season = season
    step = _step(context, stable)
    is_here = step is not None and step.address.partition("#")[0] == request.path
    garage = step.garage if step is not None and step.garage != request.path else ""
    return {
        "is_shown": True,
        "step": step,
        "season": season,
        "stable": stable,
        "is_here": is_here,
        "garage": garage,
        "is_done": is_here and step is not None and not garage and not step.has_lack,
        "csrf_token": context.get("csrf_token"),
    }


def _step(context: dict[str, Any], stable: Stable) -> Step | None:
    now, window = context.get("now"), context.get("window")
    if isinstance(now, Now):
        return step_now(stable, now, any(job.is_failed for job in context.get("jobs", ())))
    if isinstance(window, Window) and window.is_market and stable.season.state == Season.State.RUNNING:
        crew = context.get("crew")
        return market_step(stable, window.cycle, crew.lack if isinstance(crew, CrewState) else "")
    is_inside = stable.left_in_cycle is None and stable.season.paused_at is None
    if "window" in context and is_inside and stable.season.state == Season.State.RUNNING:
        return report_step(stable)
    return None


def _asks_already(context: dict[str, Any]) -> bool:
    """Return whether the page itself asks for the next step: it has the form of a line-up that is called for."""
    line_up = context.get("line_up")
    return isinstance(line_up, dict) and "sealed" not in line_up


def _own(context: dict[str, Any], user: Any) -> Stable | None:
    """Return the reader's stable if the context has it as `mine`, `stable`, or in `own`, their side of a fixture."""
    own = context.get("own")
    for known in (context.get("mine"), context.get("stable"), own.stable if own is not None else None):
        if isinstance(known, Stable) and user.is_authenticated and known.owner_id == user.pk:
            return known
    return None
