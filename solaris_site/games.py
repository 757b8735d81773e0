"""The games of this site: each has its rooms, and the operator may switch it off with GAMES."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse

SOLARIS, CHALLENGE = "solaris", "challenge"
GAMES = (SOLARIS, CHALLENGE)
"""Seasons and matches of Solaris VII, and the Solaris Melee Challenge."""

GAME_OF_ROOM: Mapping[str, str] = {
    **dict.fromkeys(("stables", "matches", "ladder", "catalogue"), SOLARIS),
    "challenge": CHALLENGE,
}


def of_request(request: HttpRequest) -> dict[str, Any]:
    """Return, for every template, `games`: the games that are played here."""
    return {"games": settings.GAMES}


class GamesMiddleware:
    """The middleware that answers 404 at every address of a game that is switched off.

    The front page belongs to the seasons: without them it leads to the events of the Challenge.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        return self.get_response(request)

    def process_view(self, request: HttpRequest, view: Any, arguments: Any, names: Any) -> HttpResponse | None:
        """Let a view of a game that is played answer. Raises Http404 for another one."""
        module = getattr(view, "view_class", getattr(view, "cls", view)).__module__
        game = GAME_OF_ROOM.get(module.partition(".")[0])
        if game is None or game in settings.GAMES:
            return None
        found = request.resolver_match
        if found is not None and found.view_name == "stables:home":
            return redirect(reverse("challenge:events"))
        raise Http404
