"""The end of a turn: a summary of all pilots, what is still open, and one confirmation."""

from __future__ import annotations

from django.http import HttpResponse
from django.views.decorators.http import require_http_methods

from challenge.presenters.table import waiting_claims
from challenge.presenters.turn_ends import answers, end_view, questions_of
from challenge.services.books import write
from challenge.views.frame import Visit, of_event
from challenge.views.of_table import goes_to, of_table, overruling, wishes_for
from rules.challenge.folding import ChallengeRefused
from rules.core.refusals import Malformed
from web.problems import show_again


@require_http_methods(["GET", "HEAD", "POST"])
@of_event
@of_table
def end_turn(visit: Visit, table: str) -> HttpResponse:
    """Show what the turn gives everybody and which claims wait, and end it: then show what changed."""
    turn = visit.state.table(table).turn
    problem: ChallengeRefused | Malformed | None = None
    if visit.request.method == "POST":
        sent = visit.request.POST
        deeds = [*answers(questions_of(visit.state, table), sent), {"what": "end_turn", "phase": "end"}]
        try:
            wishes = wishes_for(visit, table, deeds)
            write(visit.event.pk, visit.who, wishes)
        except (ChallengeRefused, Malformed) as refused:
            problem = refused
        else:
            return goes_to(visit, "table", table, closed=wishes[-1].document["turn"])
    context = visit.context(
        here=table,
        table=table,
        turn=turn,
        view=end_view(visit.book, table),
        claims=[each for each in waiting_claims(visit.event, visit.state, table) if not each.is_late],
        **overruling(visit, problem),
    )
    return show_again(visit.request, "challenge/table_end.html", context, problem)
