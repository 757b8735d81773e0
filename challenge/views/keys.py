"""The keys of an event: addresses for GMs, agents and pilots, each with its code, and one page to print."""

from __future__ import annotations

from typing import Any

from django.contrib import messages
from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

from challenge.models import Key
from challenge.services.events import end_key, make_key
from challenge.views.door import key_address
from challenge.views.frame import Visit, for_gms, of_event
from rules.core.digits import whole_number

LONGEST_LABEL = 80


@require_safe
@of_event
@for_gms
def keys(visit: Visit) -> HttpResponse:
    """Show the keys that open something, and what makes more."""
    lines = _lines(visit)
    context = visit.context(lines=lines, without=_without_key(visit, lines), here="keys")
    return render(visit.request, "challenge/keys.html", context)


@require_safe
@of_event
@for_gms
def paper(visit: Visit) -> HttpResponse:
    """Show the codes of agents and pilots for printing; those of GMs only for `role=gm`."""
    asked = visit.request.GET.get("role", "")
    lines = _lines(visit)
    lines = [line for line in lines if line["key"].role == asked or (not asked and line["key"].role != Key.Role.GM)]
    context = {"event": visit.event, "lines": lines, "today": timezone.localdate()}
    return render(visit.request, "challenge/keys_print.html", context)


def _lines(visit: Visit) -> list[dict[str, Any]]:
    """Return the keys that have not ended with their addresses; one query."""
    cards = {pilot.id: pilot.card for pilot in visit.state.pilots.values()}
    return [
        {"key": key, "address": key_address(visit.request, visit.event.slug, key), "card": cards.get(key.pilot)}
        for key in Key.objects.filter(event=visit.event, ended_at=None)
    ]


def _without_key(visit: Visit, lines: list[dict[str, Any]]) -> list[str]:
    """Return the living pilots who have no key."""
    held = {line["key"].pilot for line in lines}
    return [pilot.id for pilot in visit.state.pilots.values() if pilot.alive and pilot.id not in held]


@require_POST
@of_event
@for_gms
def make(visit: Visit) -> HttpResponse:
    """Make the key that `role` asks for: of a GM, of an agent at one table or all, or of each pilot without one.

    404 for a role or a table that is not there.
    """
    typed = visit.request.POST
    role, label = typed.get("role", ""), typed.get("label", "").strip()[:LONGEST_LABEL]
    if role == Key.Role.GM:
        make_key(visit.event, visit.who, role, label=label)
    elif role == Key.Role.AGENT:
        table = typed.get("table", "")
        if table and table not in {each.id for each in visit.book.tables}:
            raise Http404
        make_key(visit.event, visit.who, role, table=table, label=label)
    elif role == Key.Role.PLAYER:
        for pilot in _without_key(visit, _lines(visit)):
            make_key(visit.event, visit.who, role, pilot=pilot)
    else:
        raise Http404
    messages.success(visit.request, _("The key is ready."))
    return redirect("challenge:keys", visit.event.slug)


@require_POST
@of_event
@for_gms
def end(visit: Visit) -> HttpResponse:
    """End a key: whoever holds it is a spectator again."""
    number = whole_number(visit.request.POST.get("key", ""))
    if number is not None:
        end_key(visit.event, visit.who, number)
        messages.success(visit.request, _("The key has ended."))
    return redirect("challenge:keys", visit.event.slug)
