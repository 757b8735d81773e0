"""A person's calendar of a season: the file at its secret address, and the buttons that make and revoke the address."""

from __future__ import annotations

from typing import Any

from django.http import Http404, HttpRequest, HttpResponse, HttpResponseNotAllowed
from django.utils.translation import gettext, override

from stables.feeds.calendar import feed
from stables.middleware import decides_visibility
from stables.models import Season
from stables.selectors.webhooks.documents import language_of
from stables.services.season import calendar_feeds
from stables.views.frame import answer, for_people
from web.languages import offer


@decides_visibility
def show(request: HttpRequest, season_slug: str, key: str) -> HttpResponse:
    """Show the calendar to anybody who has its address, logged in or not. Any wrong address is a 404."""
    found = calendar_feeds.open_feed(season_slug, key)
    if found is None:
        raise Http404
    if request.method not in ("GET", "HEAD"):
        return HttpResponseNotAllowed(["GET", "HEAD"])
    # The program that asks is not the reader: their account says the language, else their browser's last log-in.
    wanted = offer.preferred(found.user.language, found.user.browser_language, _asked(request, found.season))
    with override(offer.spoken(wanted, "stables")):
        text = feed(found.season, found.user_id, request.build_absolute_uri)
    return HttpResponse(
        text,
        content_type="text/calendar; charset=utf-8; method=PUBLISH",
        headers={
            "Content-Disposition": f'inline; filename="{found.season.slug}.ics"',
            "Cache-Control": "no-store, private",
            "X-Robots-Tag": "noindex, nofollow",
        },
    )


def _asked(request: HttpRequest, season: Season) -> str:
    """Return the language that a program asks for, that of the season for one that names none."""
    return offer.wanted_by(request) if getattr(request, "names_language", False) else language_of(season)


@for_people
def make(request: HttpRequest, season_slug: str) -> HttpResponse:
    """Make an address for the reader's own calendar. A person who takes no part in the season gets a 403."""
    season = _season(request)
    calendar_feeds.make_feed(user=request.user, season=season)
    phrase = gettext("Your calendar has a secret address now. Give it to your calendar, and to nobody else.")
    return answer(request, phrase, f"{season.get_absolute_url()}#calendar-feed")


@for_people
def revoke(request: HttpRequest, season_slug: str) -> HttpResponse:
    """Revoke the address of the reader's own calendar; without one nothing changes."""
    season = _season(request)
    calendar_feeds.revoke_feed(user=request.user, season=season)
    phrase = gettext("The address of your calendar leads nowhere any more.")
    return answer(request, phrase, f"{season.get_absolute_url()}#calendar-feed")


def _season(request: HttpRequest) -> Season:
    """Return the season that the middleware has found."""
    found: Any = getattr(request, "season", None)
    if not isinstance(found, Season):
        raise Http404
    return found
