"""The page of a season, with a constant number of queries, and the switch between light and dark."""

from __future__ import annotations

from typing import Any

from django.db.models import prefetch_related_objects
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import render
from django.utils.http import url_has_allowed_host_and_scheme
from django.utils.text import capfirst
from django.views.decorators.http import require_POST, require_safe

from catalogue.services.collections import usable_by
from rules.campaign.season.hand import free_places
from rules.campaign.states import OPEN
from rules.core.refusals import Malformed
from stables.feeds.calendar import feed_address
from stables.models import Cycle, Season, Stable
from stables.presenters.ceremony.posters import titles_in_words
from stables.presenters.jobs import season_jobs
from stables.presenters.log import newest_lines
from stables.presenters.news.arena_report import arena_report
from stables.presenters.news.items import season_news
from stables.presenters.season_parts import cycle_parts, cycle_view, home_crumb, open_sides, own_stable
from stables.presenters.sudden_death import sudden_death_view
from stables.presenters.waiting import season_now
from stables.selectors.circuit import chosen, circuit
from stables.selectors.honours import own_names
from stables.selectors.leaders import title_lines
from stables.selectors.offices import ORGANISERS, office_in
from stables.selectors.places import waiting_count
from stables.selectors.proposals import may_be_asked
from stables.services.season.calendar_feeds import own_feed_key
from stables.text import names as words

CHOICES = {"theme": ("light", "dark", "system"), "sound": ("off", "on")}
"""What a browser remembers in a cookie of the same name; the last one needs no cookie."""
A_YEAR = 365 * 24 * 3600


@require_POST
def appearance(request: HttpRequest) -> HttpResponse:
    """Remember one of CHOICES in a cookie, then go back to where the reader was. Raises Malformed (bad_field)."""
    name = "sound" if "sound" in request.POST else "theme"
    chosen = request.POST.get(name, "")
    if chosen not in CHOICES[name]:
        raise Malformed("bad_field", field=name)
    back = request.POST.get("next", "")
    if not url_has_allowed_host_and_scheme(back, allowed_hosts={request.get_host()}, require_https=request.is_secure()):
        back = "/"
    response = HttpResponseRedirect(back)
    if chosen == CHOICES[name][-1]:
        response.delete_cookie(name)
    else:
        response.set_cookie(name, chosen, max_age=A_YEAR, samesite="Lax", secure=request.is_secure(), httponly=True)
    return response


@require_safe
def season(request: HttpRequest, season_slug: str) -> HttpResponse:
    """Show a season's course, and the rounds and fixtures of one cycle: the newest, or the one that ?cycle= names."""
    found = request.season  # type: ignore[attr-defined]
    own_key = own_feed_key(request.user)
    annotated = found.stables.annotate(reader_key=own_key, waiting=waiting_count(), may_be_asked=may_be_asked())
    stables = list(annotated.select_related("owner", "identity").order_by("number"))
    played = list(found.cycles.order_by("-number").prefetch_related(*cycle_parts()))
    shown = chosen(played, request.GET.get("cycle", ""))
    mine = own_stable(request.user, stables)
    if found.state in OPEN and played and played[0].state == Cycle.State.MARKET:
        prefetch_related_objects(stables, "skipped")
    titles = title_lines(found)
    context = {
        "season": found,
        "class_name": words.word(words.CLASSES, found.rules.season_class),
        "view": cycle_view(found, shown) if shown is not None else None,
        "circuit": circuit(found, played, shown.number if shown is not None else None),
        "stables": stables,
        "mine": mine,
        "planned": len(found.rules.cycles),
        "titles": titles,
        "about": " ".join(filter(None, (f"{capfirst(found.get_state_display())}.", titles_in_words(titles)))),
        "news": next(season_news(found, played, titles), None),
        "report": arena_report(found, played, mine),
        "sudden_death": sudden_death_view(found, mine),
        "log_lines": newest_lines(found),
        "collections": usable_by(request.user, found.slug) if found.state == Season.State.RECRUITING else [],
        "jobs": season_jobs(found),
        **_life(request.user, found, played[0] if played else None, stables, mine),
        "crumbs": [home_crumb()],
    }
    key = stables[0].reader_key if stables else ""
    context["feed_url"] = feed_address(found, key, request.build_absolute_uri) if key else ""
    return render(request, "stables/season.html", context)


def _life(user: Any, found: Season, newest: Cycle | None, stables: list[Stable], mine: Stable | None) -> dict[str, Any]:
    """Return what the page says of the season's course, and what the reader may do about it."""
    office = office_in(found, user)
    now = season_now(found, newest, stables, mine, open_sides(newest) if newest is not None else (), office)
    is_organiser = office in ORGANISERS
    waiting = getattr(stables[0], "waiting", 0) if stables else 0
    may_enter = enters(found, stables, now.cycle, waiting)
    begun = now.cycle.number if now.cycle is not None else 1
    first = begun + (now.cycle is not None and not now.is_market)
    return {
        "now": now,
        "has_open_market": now.is_market,
        "is_organiser": is_organiser,
        # While nobody has founded a stable there are no dates either.
        "may_subscribe": bool(stables and office) or (mine is not None and mine.left_in_cycle is None),
        "is_alone": [each for each in stables if not each.is_ai and not each.left_in_cycle] == [mine],
        "can_join": user.is_authenticated and (found.joining == Season.Joining.OPEN or is_organiser),
        "enters": may_enter,
        "may_wait": found.state in OPEN and mine is None and is_full(found, stables, waiting),
        "own_names": own_names(user) if may_enter is not None and mine is None else [],
        "coming": range(first, len(found.rules.cycles) + 1),
        "skipped": {skip.cycle_number for skip in mine.skipped.all()} if mine is not None else set(),
        "class_order": [words.word(words.CLASSES, key) for key in found.rules.multi_class_order],
    }


def is_full(found: Season, stables: list[Stable], waiting: int) -> bool:
    """Return whether no place is left for a newcomer, `waiting` of them being kept for the waiting list. No query."""
    held = sum(stable.left_in_cycle is None for stable in stables)
    return not free_places(found.rules.places, held, waiting)


def enters(found: Season, stables: list[Stable], cycle: Cycle | None, waiting: int) -> int | None:
    """Return the number of the cycle that a newcomer would start in; None when nobody may join, or no place is left.

    `waiting` people come first. Whether the market is about to close is not checked here. No query.
    """
    if is_full(found, stables, waiting):
        return None
    if found.state == Season.State.RECRUITING:
        return 1
    is_open = found.state == Season.State.RUNNING and cycle is not None and cycle.state == Cycle.State.MARKET
    return cycle.number if cycle is not None and is_open else None


# Reading -------------------------------------------------------------------------------------------------------------


def find_season(slug: str) -> Season:
    """Return the season at this address, with release and organiser. The middleware decides who may see it.

    Raises Http404 when there is none.
    """
    found = Season.objects.select_related("release", "organiser").filter(slug=slug).first()
    if found is None:
        raise Http404
    return found
