"""Pages on A4: pilot sheets, ledgers, the event's tables, the standings."""

from __future__ import annotations

from typing import Any

from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import pgettext
from django.views.decorators.http import require_safe

from challenge.presenters import printing
from challenge.presenters.standings import standings as lines_of
from challenge.views.frame import Visit, for_agents, of_event


def _page(visit: Visit, template: str, title: str, **more: Any) -> HttpResponse:
    context = visit.context(title=title, today=timezone.localdate(), state=visit.state, **more)
    return render(visit.request, template, context)


def known(visit: Visit, pilot: str) -> None:
    """Raise Http404 without such a pilot, PermissionDenied for another's private papers."""
    if pilot not in visit.state.pilots:
        raise Http404
    if not visit.who.reads(pilot):
        raise PermissionDenied


@require_safe
@of_event
def prints(visit: Visit) -> HttpResponse:
    """List what may be printed: for everybody the tables and standings, for those who run a table all papers."""
    pilots = [name for name in visit.state.pilots if visit.who.reads(name)]
    return render(visit.request, "challenge/prints.html", visit.context(here="prints", pilots=pilots))


@require_safe
@of_event
@for_agents
def sheets(visit: Visit) -> HttpResponse:
    """Print the sheets of all who live, one a page."""
    return _page(visit, "challenge/print_sheets.html", _("Pilot sheets"), sheets=printing.sheets(visit.book))


@require_safe
@of_event
def pilot_sheet(visit: Visit, pilot: str) -> HttpResponse:
    """Print one pilot's sheet for its player and for those who run a table."""
    known(visit, pilot)
    found = printing.sheets(visit.book, [pilot])
    return _page(visit, "challenge/print_sheets.html", _("Pilot sheet"), sheets=found)


@require_safe
@of_event
@for_agents
def ledgers(visit: Visit) -> HttpResponse:
    """Print every line of everybody."""
    return _page(visit, "challenge/print_ledgers.html", _("Ledgers"), ledgers=printing.ledgers(visit.book))


@require_safe
@of_event
def pilot_ledger(visit: Visit, pilot: str) -> HttpResponse:
    """Print one pilot's ledger for its player and for those who run a table."""
    known(visit, pilot)
    found = printing.ledgers(visit.book, [pilot])
    return _page(visit, "challenge/print_ledgers.html", _("Ledger"), ledgers=found)


@require_safe
@of_event
def award_tables(visit: Visit) -> HttpResponse:
    """Print the award tables, the repair table and the loans, in the event's printing."""
    book = visit.book
    return _page(
        visit,
        "challenge/print_tables.html",
        pgettext("data", "Tables"),
        tables=printing.award_tables(book),
        repairs=printing.repair_table(book),
        loans=printing.loan_table(book),
    )


@require_safe
@of_event
def standings(visit: Visit) -> HttpResponse:
    """Print the standings with the cut, for the wall."""
    return _page(visit, "challenge/print_standings.html", _("Standings"), lines=lines_of(visit.book))
