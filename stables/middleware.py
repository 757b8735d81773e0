"""Visibility of every season: a person who may not see it finds nothing at any of its addresses."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from django.http import Http404, HttpRequest, HttpResponse

from stables.models import Season
from stables.selectors.access import season_at

View = Callable[..., HttpResponse]

SEASON = "season_slug"
"""The name of the season's address in every URL pattern below a season. A test checks that there is no other name."""


DECIDES_VISIBILITY = "decides_visibility"


def decides_visibility(view: View) -> View:
    """Mark a view below a season that decides itself who may see it: by a secret key, without a login.

    It must answer 404 to everybody else in every case, and gets no `request.season`. A test lists these views.
    """
    setattr(view, DECIDES_VISIBILITY, True)
    return view


SEASON_ALONE = "wants_season_alone"
"""The attribute that marks a view that is asked often and needs neither release nor organiser of its season."""


class SeasonVisibilityMiddleware:
    """The guard of all views below a season: it answers 404 to a person who may not see the season.

    That takes one query, and at most three more if the season is not open to all. The view gets `request.season`, with
    release and organiser unless it is marked with SEASON_ALONE. A view that `decides_visibility` is not guarded. Search
    engines are asked not to index a season that is not public.
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
        """Set `request.season` for a view below a season.

        Raises Http404, which does not say whether there is such a season.
        """
        if SEASON not in names or getattr(view, DECIDES_VISIBILITY, False):
            return
        season = season_at(request.user, names[SEASON], alone=getattr(view, SEASON_ALONE, False))
        if season is None:
            raise Http404
        request.season = season  # type: ignore[attr-defined]
