"""The list of 'Mechs: what is in it, one more, one less, and the GM's own prices."""

from __future__ import annotations

from typing import Any

from django.contrib import messages
from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_POST, require_safe

from challenge.forms.mech_files import MechFilesForm
from challenge.forms.mechs import MechForm, PricesForm
from challenge.presenters.door import searched
from challenge.presenters.mechs import MOST_LINES, ORDERS, changes_of_list, mech_lines
from challenge.services.books import Wish, write
from challenge.services.presses import press_id
from challenge.views.frame import Visit, for_agents, for_gms, of_event
from rules.challenge.book.price_list import NO_NAME, NO_PRICE, NO_TONS, TOO_LONG, TWICE, read_prices
from rules.challenge.book.rows import MECHS, UNDO

MOST_PREVIEWED = 200


@require_safe
@of_event
@for_agents
def mechs(visit: Visit) -> HttpResponse:
    """Show the list, by price or as `by` says, of those whose names answer `q`."""
    return render(visit.request, "challenge/mechs.html", list_context(visit))


def list_context(visit: Visit, **more: Any) -> dict[str, Any]:
    """Return what the page of the list needs, with more."""
    asked = visit.request.GET
    order = asked.get("by", "")
    order = order if order in ORDERS else ORDERS[0]
    search = asked.get("q", "")[:60]
    found = mech_lines(searched(visit.state.models.values(), search), order)
    return visit.context(
        **{
            "lines": found[:MOST_LINES],
            "more": max(0, len(found) - MOST_LINES),
            "order": order,
            "search": search,
            "has_house_list": visit.book.setup.get("house_list", True),
            "changes": changes_of_list(visit.book) if visit.who.is_gm else [],
            "form": MechForm(),
            "prices_form": PricesForm(),
            "files_form": MechFilesForm(),
            "here": "mechs",
            **more,
        }
    )


def _write(visit: Visit, change: dict[str, Any]) -> None:
    document = {"mechs": change}
    client_id = press_id(visit.request.POST.get("client_id", ""), document)
    write(visit.event.pk, visit.who, [Wish(client_id, MECHS, document)])


@require_POST
@of_event
@for_gms
def add(visit: Visit) -> HttpResponse:
    """Bring one 'Mech into the list, or replace the one of that name. Faults show the form again, with 400."""
    form = MechForm(visit.request.POST)
    if not form.is_valid():
        return render(visit.request, "challenge/mechs.html", list_context(visit, form=form), status=400)
    _write(visit, form.change())
    messages.success(visit.request, _("The list has %(mech)s.") % {"mech": form.cleaned_data["name"]})
    return redirect("challenge:mechs", visit.event.slug)


@require_POST
@of_event
@for_gms
def take_out(visit: Visit) -> HttpResponse:
    """Take a 'Mech out of the list; whoever owns one keeps it."""
    mech = visit.request.POST.get("mech", "")
    model = visit.state.models.get(mech)
    if model is not None:
        _write(visit, {mech: None})
        messages.success(visit.request, _("%(mech)s is out of the list.") % {"mech": model.name})
    return redirect("challenge:mechs", visit.event.slug)


@require_POST
@of_event
@for_gms
def undo(visit: Visit) -> HttpResponse:
    """Undo a change of the list that the page shows. 404 for any other row."""
    typed = visit.request.POST
    found = next((each for each in changes_of_list(visit.book) if str(each.number) == typed.get("number")), None)
    if found is None:
        raise Http404
    client_id = press_id(typed.get("client_id", ""), found.number)
    write(visit.event.pk, visit.who, [Wish(client_id, UNDO, {}, undoes=found.number)])
    return redirect("challenge:mechs", visit.event.slug)


@require_POST
@of_event
@for_gms
def prices(visit: Visit) -> HttpResponse:
    """Show what a list of prices would change, and with `confirm` change it, in one row."""
    form = PricesForm(visit.request.POST, visit.request.FILES)
    if not form.is_valid():
        return render(visit.request, "challenge/mechs.html", list_context(visit, prices_form=form), status=400)
    text, only = form.cleaned_data["text"], form.cleaned_data["only"]
    found = read_prices(text, visit.state.models)
    change = found.change(visit.state.models, only)
    if "confirm" in visit.request.POST and change:
        _write(visit, change)
        count = len(found.matched) + len(found.new)
        said = ngettext("%(count)d ’Mech has its price.", "%(count)d ’Mechs have their prices.", count)
        messages.success(visit.request, said % {"count": count})
        return redirect("challenge:mechs", visit.event.slug)
    context = visit.context(
        found=found,
        matched=found.matched[:MOST_PREVIEWED],
        new=found.new[:MOST_PREVIEWED],
        unread=[(each, _why(each.why)) for each in found.unread[:MOST_PREVIEWED]],
        others=len(visit.state.models) - len(found.matched),
        text=text,
        only=only,
        here="mechs",
    )
    return render(visit.request, "challenge/mechs_prices.html", context)


def _why(code: str) -> str:
    return {
        NO_NAME: _("It names no ’Mech."),
        NO_PRICE: _("Its last field is no price."),
        NO_TONS: _("The list has no such ’Mech, and the line has no tons from 20 to 100."),
        TWICE: _("This ’Mech came in an earlier line."),
        TOO_LONG: _("The name has more than 60 letters."),
    }[code]
