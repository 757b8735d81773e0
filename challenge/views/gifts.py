"""The page with which a GM gives or takes Fame, CP and C-bills, with a reason."""

from __future__ import annotations

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from challenge.forms.gifts import GiftForm
from challenge.forms.reasons import GIVING, ReasonForm
from challenge.services.books import Wish, write
from challenge.views.frame import Visit, for_gms, of_event
from rules.challenge.book.rows import DEED
from rules.challenge.folding import ChallengeRefused
from web.problems import show_again
from web.reading import given

TEMPLATE = "challenge/log_give.html"


@require_http_methods(["GET", "HEAD", "POST"])
@of_event
@for_gms
def give(visit: Visit) -> HttpResponse:
    """Show the form, filled in for `?pilot=`, and write a gift: then go to the log. Faults show the form again."""
    request = visit.request
    data = request.POST if request.method == "POST" else None
    form = GiftForm(visit.state, data, initial={"pilot": request.GET.get("pilot", "")})
    reason = ReasonForm(data, choices=GIVING, needed=True)
    context = visit.context(here="log", form=form, reason=reason)
    if data is None:
        return show_again(request, TEMPLATE, context, None)
    if not all([form.is_valid(), reason.is_valid()]):
        return render(request, TEMPLATE, {**context, "problem": ""}, status=400)
    pilot = form.cleaned_data["pilot"]
    document = {
        "what": "give", "at": pilot, "table": visit.state.pilots[pilot].table, "reason": reason.text(), **form.worth(),
    }  # fmt: skip
    try:
        write(visit.event.pk, visit.who, [Wish(given(data, "client_id"), DEED, document)])
    except ChallengeRefused as problem:
        return show_again(request, TEMPLATE, context, problem)
    messages.success(request, _("It is in the book of {pilot}.").format(pilot=pilot))
    return redirect("challenge:log", visit.event.slug)
