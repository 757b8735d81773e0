"""The board for a projector, what it polls, the cheers of spectators, and the page from which a GM runs it."""

from __future__ import annotations

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from challenge.models import Event
from challenge.presenters.board import board, version_of
from challenge.selectors.books import book_of
from challenge.services.books import Wish, write
from challenge.services.events import cheer as count_cheer
from challenge.services.events import show_scene
from challenge.views.frame import Visit, for_gms, of_event
from people.services.accounts import Limit, count_attempt
from rules.challenge.book.rows import DEED
from web.places import client_place
from web.reading import given

CHEERS_OF_A_PLACE = Limit("challenge_cheer", 300)
"""A hall of spectators behind one address cheers for an evening; a script that holds the button does not."""


@require_safe
@never_cache
@of_event
def show_board(visit: Visit) -> HttpResponse:
    """Show the board to everybody. Without JavaScript the page loads itself again."""
    found = board(visit.event, visit.book, timezone.now())
    return render(visit.request, "challenge/board.html", visit.context(board=found, state=visit.state))


@require_safe
@never_cache
def board_state(request: HttpRequest, event_slug: str) -> HttpResponse:
    """Answer a poll: 204 while the board is as its `version` says, or else its scene as HTML.

    For an unchanged board it is one query, and nothing is folded. 404 without such an event.
    """
    event = Event.objects.filter(slug=event_slug).first()
    if event is None:
        raise Http404
    if request.GET.get("version") == version_of(event):
        return HttpResponse(status=204)
    book = book_of(event)
    context = {"event": event, "book": book, "state": book.state, "board": board(event, book, timezone.now())}
    return render(request, "challenge/board_scene.html", context)


@require_POST
@of_event
def cheer(visit: Visit) -> HttpResponse:
    """Count a cheer, and go back to the board. Raises TooOften (too_often) for an address that cheers without end."""
    count_attempt(CHEERS_OF_A_PLACE, client_place(visit.request))
    count_cheer(visit.event)
    return redirect("challenge:board", visit.event.slug)


@require_http_methods(["GET", "HEAD", "POST"])
@of_event
@for_gms
def scenes(visit: Visit) -> HttpResponse:
    """Show the GM what the board shows, the cheers, and who may overrun; a POST changes the scene with one press."""
    if visit.request.method == "POST":
        show_scene(visit.event, visit.who, given(visit.request.POST, "scene"))
        return redirect("challenge:scenes", visit.event.slug)
    state = visit.state
    inside = [pilot for pilot in state.pilots.values() if pilot.is_in_arena] if state.stage == "final" else []
    context = visit.context(here="scenes", scenes=Event.Scene.choices, inside=inside, state=state)
    return render(visit.request, "challenge/board_scenes.html", context)


@require_POST
@of_event
@for_gms
def overrun(visit: Visit) -> HttpResponse:
    """Write that a movement in the final took longer than its minute (MC-AREA-05), and go back to the scenes."""
    fields = visit.request.POST
    name = given(fields, "pilot")
    pilot = visit.state.pilots.get(name)
    document = {"what": "overrun", "at": name, "phase": "movement"}
    if pilot is not None:
        document["table"] = pilot.table
    write(visit.event.pk, visit.who, [Wish(given(fields, "client_id"), DEED, document)])
    return redirect("challenge:scenes", visit.event.slug)
