"""The page that says what the close of the newest cycle would bring, before anybody calls time."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from stables.models import Cycle, LineUp, Placing, Season
from stables.presenters.organising.close_out import CloseOut, Share, close_out
from stables.presenters.season_parts import home_crumb
from stables.presenters.standings import placing_decided
from stables.selectors.offices import organises
from stables.text import names as words
from web.crumbs import Link

STAND_INS: dict[str, str | Promise] = {
    LineUp.Source.SAVED: _("Its saved line-up is taken."),
    LineUp.Source.NEAREST: _("The nearest line-up that is allowed is taken."),
    "": _("It can field nobody, so it forfeits."),
}
ENDINGS: dict[str, str | Promise] = {
    "ai": _("The AI plays it for all sides."),
    "extend": _("It gets one new date; unplayed then too, it is forfeited."),
    "forfeit": _("Whoever is absent forfeits."),
    "": _("The AI plays it, or it is being settled; nobody has to come."),
}


@never_cache
@require_safe
def close_out_page(request: HttpRequest, season_slug: str) -> HttpResponse:
    """Show where the newest cycle stands. Organisers also see what is open, and the way to call time.

    A constant number of queries.
    """
    season = request.season  # type: ignore[attr-defined]
    is_organiser = organises(request.user, season)
    cycle = season.cycles.order_by("-number").first()
    context: dict[str, Any] = {
        "season": season,
        "cycle": cycle,
        "is_organiser": is_organiser,
        "crumbs": [home_crumb(), Link(season.name, season.get_absolute_url())],
    }
    if cycle is not None and cycle.state == Cycle.State.ROUNDS:
        found = close_out(season, cycle, for_organisers=is_organiser)
        context |= {"found": found, **_shown(season, found)}
    return render(request, "stables/close_out.html", context)


def _shown(season: Season, found: CloseOut) -> dict[str, Any]:
    called = [each for each in found.missing if each.is_called]
    placed = [share.placing for share in found.shares if share.placing is not None]
    return {
        "format_name": words.word(words.FORMATS, found.cycle.format),
        "rows": [_row(share, placed) for share in found.shares],
        "missing": [(each, STAND_INS[each.source]) for each in found.missing],
        "unplayed": [(each, ENDINGS[each.ending]) for each in found.unplayed if not each.reporters],
        "reported": [each for each in found.unplayed if each.reporters],
        "next_format": words.word(words.FORMATS, found.next.format),
        "next_class": words.word(words.CLASSES, found.next.match_class),
        "can_call": bool(called) and season.state == Season.State.RUNNING,
    }


def _row(share: Share, placed: Sequence[Placing]) -> dict[str, Any]:
    placing = share.placing
    is_tied = share.places[0] != share.places[1]
    return {
        "share": share,
        "place": _span(share.places) if placing is not None else "–",
        "matches": placing.matches if placing is not None else "–",
        "reputation": placing.reputation if placing is not None else "–",
        "reputation_a_match": placing.reputation_a_match if placing is not None else None,
        "kills": placing.kills if placing is not None else "–",
        "wins": placing.wins if placing is not None else "–",
        "purse": _span(share.purses) if placing is not None else "–",
        "is_tied": is_tied,
        "decided": placing_decided(placing, placed) if placing is not None and not is_tied else "",
    }


def _span(ends: tuple[int, int]) -> str:
    return str(ends[0]) if ends[0] == ends[1] else f"{ends[0]}–{ends[1]}"
