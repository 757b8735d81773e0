"""The stables that a season waits for, and what organisers do for several of them together."""

from __future__ import annotations

from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.translation import gettext
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from people.services.accounts import TooOften
from rules.core.refusals import Malformed, Refused
from stables.forms.coming import AskForm
from stables.presenters.organising.absent import absent_context, choice_form_for, form_for, outcome
from stables.selectors.absent import awaited
from stables.services.running import coming
from stables.services.running.absent import act_for
from stables.services.running.absentees import choose
from stables.views.frame import answer, for_people, organised
from web.problems import show_again


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
@login_required
def absent(request: HttpRequest, season_slug: str) -> HttpResponse:
    """Show whom the season waits for, or act for those who are ticked (POST); organisers only.

    Fields: those of AbsentForm. The page then says for whom it was done, and why not for others. A form that is refused
    is shown again as it was filled in.
    """
    season = organised(request, season_slug)
    if request.method != "POST":
        return show_again(request, "stables/absent.html", absent_context(season), None)
    form = form_for(season, awaited(season), request.POST)
    try:
        with form.in_words():
            asked = form.asked()
            done = act_for(season_id=season.pk, user=request.user, **asked)
    except (Malformed, Refused) as refused:
        return _again(request, absent_context(season, form), refused)
    sentence, refusals = outcome(asked["act"], done)
    if sentence:
        messages.success(request, sentence)
    for each in refusals:
        messages.warning(request, each)
    return redirect("stables:absent", season_slug)


@for_people
def ask_who_comes(request: HttpRequest, season_slug: str) -> HttpResponse:
    """Ask the owners who comes to an evening; organisers only. Field: that of AskForm.

    A form that is refused is shown again as it was filled in.
    """
    season = organised(request, season_slug)
    form = AskForm(request.POST.dict())
    try:
        with form.in_words():
            asked = coming.ask(season_id=season.pk, at=form.at(), user=request.user)
    except (Malformed, Refused) as refused:
        return _again(request, absent_context(season, ask_form=form), refused)
    text = gettext("Asked; owners who have a notice with a link: {count}.").format(count=asked.people)
    return answer(request, text, reverse("stables:absent", args=[season.slug]))


@for_people
def choose_for_absent(request: HttpRequest, season_slug: str) -> HttpResponse:
    """Do what an organiser chooses for one absent stable. Fields: those of ChoiceForm.

    A form that is refused is shown again as it was filled in.
    """
    season = organised(request, season_slug)
    form = choice_form_for(season, awaited(season), request.POST)
    try:
        with form.in_words():
            choose(user=request.user, **form.asked())
    except (Malformed, Refused) as refused:
        return _again(request, absent_context(season, choice_form=form), refused)
    return answer(request, gettext("Done, and its owner knows."), reverse("stables:absent", args=[season.slug]))


def _again(request: HttpRequest, context: dict[str, Any], refused: Malformed | Refused) -> HttpResponse:
    """Show the page again with the sentence of a refusal: status 400, 409, or 429 for too many within an hour."""
    shown = show_again(request, "stables/absent.html", context, refused)
    shown.status_code = 429 if isinstance(refused, TooOften) else shown.status_code
    return shown
