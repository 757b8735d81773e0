"""Visibility of every season: whoever may not see it finds nothing at any of its addresses."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from django.http import Http404, HttpRequest, HttpResponse

from stables.models import Season
from stables.selectors.access import season_at

View = Callable[..., HttpResponse]

SEASON = "season_slug"
"""What the address of a season is called in every pattern below it; a test holds that there is no other name."""


DECIDES_VISIBILITY = "decides_visibility"


def decides_visibility(view: View) -> View:
    """Let a view below a season decide by itself who comes in: by a secret key alone, without anybody logged in.

    It must answer 404 to everybody else, whatever there is, and finds no `request.season`. A test lists these views.
    """
    setattr(view, DECIDES_VISIBILITY, True)
    return view


SEASON_ALONE = "wants_season_alone"
"""What a view is marked with that needs neither release nor organiser of its season, and is asked often."""


class SeasonVisibilityMiddleware:
    """Answers 404 below a season that the person may not see, drafts of others too, whatever the view.

    That takes one query, and a second one where the season is not open to all.

    The view finds the season at `request.season`, with release and organiser unless it is marked to want it alone.
    Search engines are asked to keep out of what is not public.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        response = self.get_response(request)
        season = getattr(request, "season", None)
        if season is not None and season.visibility != Season.Visibility.PUBLIC:
            response.headers["X-Robots-Tag"] = "noindex"
        return response

    def process_view(self, request: HttpRequest, view: Any, arguments: Any, names: dict[str, Any]) -> None:
        """Raise Http404; the answer does not say whether there is such a season."""
        if SEASON not in names or getattr(view, DECIDES_VISIBILITY, False):
            return
        season = season_at(request.user, names[SEASON], alone=getattr(view, SEASON_ALONE, False))
        if season is None:
            raise Http404
        request.season = season  # type: ignore[attr-defined]
