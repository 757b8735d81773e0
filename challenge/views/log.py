"""The log of an event, and the press that undoes the last row of a table."""

from __future__ import annotations

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

from challenge.presenters.log import log_lines
from challenge.selectors.log import log_page
from challenge.services.books import Wish, write
from challenge.views.frame import Visit, for_agents, of_event
from rules.challenge.book.rows import UNDO
from web.reading import given, number_of


@require_safe
@of_event
@for_agents
def log(visit: Visit) -> HttpResponse:
    """Show the rows of the book, newest first, fifty on a page, to those who run a table."""
    page, entries = log_page(visit.event, visit.request.GET.get("page", "1"))
    lines = log_lines(visit.book, entries, visit.who, visit.event.closed_at is not None)
    return render(visit.request, "challenge/log.html", visit.context(here="log", page=page, lines=lines))


@require_POST
@of_event
@for_agents
def undo(visit: Visit) -> HttpResponse:
    """Undo a row whose turn is open, or the last one of its table, and go back to the log.

    Raises ChallengeRefused (why_missing) for a row of a closed turn.
    """
    fields = visit.request.POST
    number = number_of(fields, "number")
    write(visit.event.pk, visit.who, [Wish(given(fields, "client_id"), UNDO, {}, undoes=number)])
    messages.success(visit.request, _("Entry {entry} is undone.").format(entry=number))
    return redirect("challenge:log", visit.event.slug)
