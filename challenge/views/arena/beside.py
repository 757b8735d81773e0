"""The page beside a table: bets, turrets, tanks, mines, rebar, notes, a forfeit."""

from __future__ import annotations

import secrets

from django.contrib import messages
from django.http import HttpResponse
from django.views.decorators.http import require_http_methods

from challenge.forms.arena.beside import LIMITS, deeds_of, typed_in
from challenge.models import Entry
from challenge.presenters.arena.beside import beside_view, words_of
from challenge.services.books import write
from challenge.views.frame import Visit, of_event
from challenge.views.of_table import goes_to, of_table, overruling, wishes_for
from rules.challenge.entries import read_entry
from rules.challenge.folding import ChallengeRefused
from rules.challenge.kinds import KINDS
from rules.core.refusals import Malformed
from web.problems import show_again


@require_http_methods(["GET", "HEAD", "POST"])
@of_event
@of_table
def beside(visit: Visit, table: str) -> HttpResponse:
    """Show the page, and write what its button says; a note that came of it is shown. A refusal shows it again,
    with what was typed.

    A forfeit is for GMs: others get 403.
    """
    problem: ChallengeRefused | Malformed | None = None
    if visit.request.method == "POST":
        try:
            deeds = deeds_of(visit.request.POST, visit.state, secrets.randbelow)
            numbers = write(visit.event.pk, visit.who, wishes_for(visit, table, deeds))
        except (ChallengeRefused, Malformed) as refused:
            problem = refused
        else:
            # From the book: a press that comes a second time has rolled other dice, and they count for nothing.
            for entry in Entry.objects.filter(event=visit.event, number__in=numbers):
                said = words_of(read_entry(entry.document, KINDS))
                if said:
                    messages.info(visit.request, said)
            return goes_to(visit, "table_beside", table)
    context = visit.context(
        here=table,
        table=table,
        turn=visit.state.table(table).turn,
        view=beside_view(visit.state, table),
        limits=LIMITS,
        typed=typed_in(visit.request.POST) if problem is not None else {},
        **overruling(visit, problem),
    )
    return show_again(visit.request, "challenge/table_beside.html", context, problem)
