"""The end of a day, the call to the final, and the end of the event: all by a GM's press, after a preview."""

from __future__ import annotations

from typing import Any

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from challenge.forms.finals import FinalForm
from challenge.forms.reasons import EMPTY_SEAT, OVERRULING, ReasonForm
from challenge.presenters.arena.reminders import reminders
from challenge.presenters.corrections import preview
from challenge.presenters.day import (
    day_checks,
    finalists_of,
    places,
    refusals_of_the_day,
    winner_of_the_day,
)
from challenge.services.books import Wish, write
from challenge.services.events import close_event
from challenge.views.frame import Visit, for_gms, of_event
from rules.challenge.book.rows import DEED
from rules.challenge.entries import read_entry
from rules.challenge.folding import ChallengeRefused
from rules.challenge.kinds import KINDS
from rules.wording.challenge_entries import seats_and_lots
from web.languages.reader import translate
from web.problems import show_again
from web.reading import given


@require_safe
@of_event
@for_gms
def day(visit: Visit) -> HttpResponse:
    """Show what closing the day, calling the final or ending the event would mean."""
    return render(visit.request, "challenge/day.html", _context(visit))


def _context(visit: Visit, **more: Any) -> dict[str, Any]:
    return visit.context(
        here="day",
        state=visit.state,
        checks=day_checks(visit.book),
        refusals=refusals_of_the_day(visit.book),
        overruling=ReasonForm(choices=OVERRULING, prefix="overruled", label=_("Why it is closed all the same")),
        winner=winner_of_the_day(visit.book),
        finalists=finalists_of(visit.book),
        places=places(visit.book),
        problem="",
        **more,
    )


def _first_table(visit: Visit) -> str:
    return visit.book.tables[0].id if visit.book.tables else "main"


@require_POST
@of_event
@for_gms
def end_day(visit: Visit) -> HttpResponse:
    """Close the day. What the rules refuse shows the page again, unless the GM says why it is closed all the same."""
    fields = visit.request.POST
    overruling = ReasonForm(fields, choices=OVERRULING, prefix="overruled")
    document: dict[str, Any] = {"what": "end_day", "table": _first_table(visit)}
    if overruling.is_valid() and overruling.text():
        document["overruled"] = overruling.text()
    try:
        write(visit.event.pk, visit.who, [Wish(given(fields, "client_id"), DEED, document)])
    except ChallengeRefused as problem:
        return show_again(visit.request, "challenge/day.html", _context(visit), problem)
    messages.success(visit.request, _("The day is closed."))
    return redirect("challenge:day", visit.event.slug)


@require_http_methods(["GET", "HEAD", "POST"])
@of_event
@for_gms
def final(visit: Visit) -> HttpResponse:
    """Tick who is present and see who sits down; a POST with `confirm` begins the final with them."""
    request = visit.request
    data = request.POST if request.method == "POST" else None
    form = FinalForm(visit.book, data)
    is_read = form.is_valid()
    absent = form.absent() if is_read else []
    reason = ReasonForm(data, choices=EMPTY_SEAT, needed=bool(absent), label=_("Why a seat is empty"))
    context = visit.context(here="day", form=form, reason=reason, state=visit.state, reminders=reminders("final"))
    if data is None:
        return show_again(request, "challenge/day_final.html", context, None)
    if not all([is_read, reason.is_valid()]):
        return render(request, "challenge/day_final.html", {**context, "problem": ""}, status=400)
    names = form.finalists()
    document: dict[str, Any] = {"what": "stage", "stage": "final", "finalists": names, "table": _first_table(visit)}
    if absent:
        document |= {"absent": absent, "reason": reason.text()}
    if form.by_lot():
        document["drawn"] = form.by_lot()
    wishes = [Wish(given(data, "client_id"), DEED, document)]
    try:
        if "confirm" in data:
            write(visit.event.pk, visit.who, wishes)
            messages.success(request, _("The final is called. Each finalist has one off-board cycle before it."))
            return redirect("challenge:day", visit.event.slug)
        found = preview(visit.event, visit.book, visit.who, wishes)
    except ChallengeRefused as problem:
        return show_again(request, "challenge/day_final.html", context, problem)
    carried = [(name, value) for name in data if name != "csrfmiddlewaretoken" for value in data.getlist(name)]
    pilots = [visit.state.pilots[name] for name in names]
    is_inside = any(pilot.is_in_arena for pilot in pilots)
    context |= {"finalists": pilots, "has_inside": is_inside, "preview": found, "carried": carried}
    context["notes"] = seats_and_lots(read_entry(document, KINDS), translate)
    return render(request, "challenge/day_final_preview.html", context)


@require_POST
@of_event
@for_gms
def close(visit: Visit) -> HttpResponse:
    """Close the book of the event for good, for a GM who has ticked that they are sure, and go to its front page."""
    given(visit.request.POST, "sure")
    close_event(visit.event.pk, visit.who)
    messages.success(visit.request, _("The event is over, and its book is closed."))
    return redirect("challenge:event", visit.event.slug)
