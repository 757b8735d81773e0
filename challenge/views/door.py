"""The door: who comes, who waits for approval, whose sheets are out, and the key to a pilot's own page."""

from __future__ import annotations

from typing import Any

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST

from challenge.forms.door import LATER, DoorForm
from challenge.forms.reasons import OVERRULING
from challenge.models import Key
from challenge.presenters.door import MOST_OFFERS, waiting, without_sheets
from challenge.selectors.arrivals import Arrival, arrivals
from challenge.services.books import Wish, is_closed, write
from challenge.services.door import MAY_BE_OVERRULED, documents, let_in, take_back
from challenge.services.events import make_key
from challenge.views.addresses import full_address
from challenge.views.frame import Visit, for_agents, of_event
from rules.challenge.book.rows import DEED
from rules.challenge.deeds.desk import next_card
from rules.challenge.folding import ChallengeRefused
from rules.core.digits import whole_number
from rules.core.refusals import Malformed
from web.problems import show_again


@require_http_methods(["GET", "HEAD", "POST"])
@of_event
@for_agents
def door(visit: Visit) -> HttpResponse:
    """Show the door, and let a pilot in. A search shows the form again as it was typed; so do faults and refusals."""
    typed = visit.request.POST
    if visit.request.method != "POST":
        form = DoorForm(visit.book, visit.who, initial=_asked(visit))
        return render(visit.request, "challenge/door.html", _context(visit, form))
    form = DoorForm(visit.book, visit.who, typed)
    if "find" in typed:
        shown = DoorForm(visit.book, visit.who, initial=typed.dict())
        return render(visit.request, "challenge/door.html", _context(visit, shown, typed.get("client_id", "")))
    if not form.is_valid():
        context = _context(visit, form, typed.get("client_id", ""))
        return render(visit.request, "challenge/door.html", context, status=400)
    newcomer = form.newcomer()
    table = newcomer.place[0]
    turn = visit.state.tables[table].turn if table in visit.state.tables else None
    try:
        deeds = documents(newcomer, table or home_table(visit), turn)
        let_in(visit.event, visit.who, typed.get("client_id", ""), deeds, typed.get("overruled", ""))
    except (ChallengeRefused, Malformed) as problem:
        context = _context(visit, form, typed.get("client_id", ""))
        context["may_overrule"] = visit.who.is_gm and problem.code in MAY_BE_OVERRULED
        return show_again(visit.request, "challenge/door.html", context, problem, _names(visit))
    return redirect("challenge:door", visit.event.slug)


def _asked(visit: Visit) -> dict[str, Any]:
    return {"card": next_card(visit.state), "search": visit.request.GET.get("q", "")}


def _names(visit: Visit) -> dict[str, str]:
    return {model.id: model.name for model in visit.state.models.values()}


def home_table(visit: Visit) -> str:
    """Return the table at which somebody enters what happens off the board: the first one that they run."""
    return next((table.id for table in visit.book.tables if visit.who.runs(table.id)), "main")


def _context(visit: Visit, form: DoorForm, client_id: str = "") -> dict[str, Any]:
    found = form.offers()
    rows = visit.book.rows
    came = [
        {"arrival": each, "pilot": visit.state.pilots[each.pilot], "closed": any(is_closed(rows, n) for n in each.rows)}
        for each in arrivals(visit.event, visit.book)
        if each.pilot in visit.state.pilots and visit.state.pilots[each.pilot].approved
    ]
    context = visit.context(
        form=form,
        offers=found[:MOST_OFFERS],
        more=max(0, len(found) - MOST_OFFERS),
        affordable=sum(offer.is_affordable for offer in found),
        later=LATER,
        came=came,
        waiting=waiting(visit.state),
        without_sheets=without_sheets(visit.state),
        next_card=next_card(visit.state),
        reasons=OVERRULING,
        problem="",
        here="door",
    )
    return {**context, "client_id": client_id} if client_id else context


@require_POST
@of_event
@for_agents
def undo(visit: Visit) -> HttpResponse:
    """Undo all that the press wrote by which a pilot came. 404 for a pilot who did not come last."""
    typed = visit.request.POST
    take_back(visit.event, visit.who, typed.get("client_id", ""), _arrival(visit), typed.get("reason", ""))
    return redirect("challenge:door", visit.event.slug)


def _arrival(visit: Visit) -> Arrival:
    asked = visit.request.POST.get("number", "")
    for each in arrivals(visit.event, visit.book):
        if str(each.rows[0]) == asked:
            return each
    raise Http404


@require_POST
@of_event
@for_agents
def approve(visit: Visit) -> HttpResponse:
    """Approve a pilot who wrote themselves in: an Edge card, and the initiative card of that number (MC-GEN-03)."""
    typed = visit.request.POST
    deed: dict[str, Any] = {"what": "approve", "by": typed.get("pilot", ""), "table": home_table(visit)}
    card = whole_number(typed.get("card", ""))
    if card is not None:
        deed["card"] = card
    write(visit.event.pk, visit.who, [Wish(typed.get("client_id", ""), DEED, deed)])
    return redirect("challenge:door", visit.event.slug)


@require_POST
@of_event
@for_agents
def sheets(visit: Visit) -> HttpResponse:
    """Note that the judges have the sheets of a pilot (MC-GEN-05)."""
    typed = visit.request.POST
    deed = {"what": "sheets_in", "by": typed.get("pilot", ""), "table": home_table(visit)}
    write(visit.event.pk, visit.who, [Wish(typed.get("client_id", ""), DEED, deed)])
    return redirect("challenge:door", visit.event.slug)


@require_http_methods(["GET", "HEAD", "POST"])
@of_event
@for_agents
def pilot_key(visit: Visit, pilot: str) -> HttpResponse:
    """Show the code that makes a phone a pilot's own, and make it by POST. 404 for nobody's name."""
    if pilot not in visit.state.pilots:
        raise Http404
    if visit.request.method == "POST":
        make_key(visit.event, visit.who, Key.Role.PLAYER, pilot=pilot)
        messages.success(visit.request, _("The code is ready to be scanned."))
        return redirect("challenge:pilot_key", visit.event.slug, pilot)
    key = Key.objects.filter(event=visit.event, role=Key.Role.PLAYER, pilot=pilot, ended_at=None).first()
    address = key_address(visit.request, visit.event.slug, key) if key is not None else ""
    context = visit.context(pilot=visit.state.pilots[pilot], address=address, here="door")
    return render(visit.request, "challenge/door_key.html", context)


def key_address(request: HttpRequest, slug: str, key: Key) -> str:
    """Return the whole address that a key is."""
    return full_address(request, "challenge:use_key", slug, key.secret)
