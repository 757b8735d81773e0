"""The list of events, the form that opens one, its front page, and the keys that let people in."""

from __future__ import annotations

from django.contrib.auth.decorators import login_required
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_safe

from challenge.forms.opening import OpeningForm
from challenge.models import Event, Key
from challenge.presenters.next_steps import next_steps, second_place
from challenge.presenters.standings import folded, standings
from challenge.selectors.access import SESSION, listed_events
from challenge.services.events import hold_key, open_event
from challenge.views.frame import Visit, of_event
from web.crumbs import Link

MOST_LISTED = 100


@require_safe
def events(request: HttpRequest) -> HttpResponse:
    """List the events for everybody, and the reader's own."""
    return render(request, "challenge/events.html", {"events": listed_events(request.user)[:MOST_LISTED]})


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def open_new(request: HttpRequest) -> HttpResponse:
    """Show the form that opens an event, and open one: then go to its page. Faults show the form again, with 400."""
    if getattr(request.user, "is_guest", False):
        raise PermissionDenied
    form = OpeningForm(
        request.POST if request.method == "POST" else None, initial={"tables": _("Factory: North, East, South, West")}
    )
    if request.method == "POST" and form.is_valid():
        chosen = form.cleaned_data
        event = open_event(chosen["name"], form.setup(), form.session(), request.user, is_listed=chosen["is_listed"])
        return redirect("challenge:event", event.slug)
    context = {"form": form, "crumbs": [Link(_("Melee Challenge"), "/challenge/")]}
    return render(request, "challenge/open.html", context, status=400 if form.is_bound else 200)


@require_safe
@of_event
def event(visit: Visit) -> HttpResponse:
    """Show the front page of an event: the standings for everybody, and what comes next for those who run it."""
    waits = next_steps(visit.book, visit.who) if visit.who.is_agent and visit.event.closed_at is None else None
    lines = folded(standings(visit.book), visit.who.pilots)
    copied = second_place(visit.event, visit.book)
    context = visit.context(standings=lines, next_steps=waits, second_place=copied, here="")
    return render(visit.request, "challenge/event.html", context)


@require_safe
def use_key(request: HttpRequest, event_slug: str, secret: str) -> HttpResponse:
    """Let this browser hold a key, and go where its holder works. 404 for a key that is unknown or has ended."""
    found = get_object_or_404(Event, slug=event_slug)
    key = Key.objects.filter(event=found, secret=secret, ended_at=None).first()
    if key is None:
        raise Http404
    hold_key(key, request.user)
    held = request.session.get(SESSION, {})
    own = held.get(event_slug, [])
    if secret not in own:
        request.session[SESSION] = {**held, event_slug: [*own, secret]}
    if key.role == Key.Role.PLAYER and key.pilot:
        return redirect("challenge:pilot", event_slug, key.pilot)
    return redirect("challenge:event", event_slug)
