"""An owner's word that they have finished with the market, and the question whether they go on without a crew."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext

from rules.core.refusals import SeasonRefused
from rules.wording import sentence
from stables.models import Stable
from stables.presenters.next_step import onward
from stables.services.ai import advice
from stables.services.market import readiness
from stables.services.market.readiness import Readiness
from stables.views.frame import answer, for_people, own_stable
from web.languages.reader import translate
from web.reading import yes_of


@for_people
def say_ready(request: HttpRequest, season_slug: str, stable_slug: str) -> HttpResponse:
    """Say that the owner has finished with the market. Optional fields: ready, without_crew ("yes", "no").

    Without a crew for the coming match, ask what to do, with status 409.
    """
    stable = own_stable(request, season_slug, stable_slug)
    fields = request.POST.dict()
    is_ready, without_crew = yes_of(fields, "ready", True), yes_of(fields, "without_crew", False)
    try:
        said = readiness.say_ready(stable_id=stable.pk, is_ready=is_ready, without_crew=without_crew)
    except SeasonRefused as refused:
        return _ask(request, stable, refused)
    return _said(request, stable, said)


@for_people
def say_ready_with_crew(request: HttpRequest, season_slug: str, stable_slug: str) -> HttpResponse:
    """Put the suggested crew into the basket, seal it, and say that the owner has finished with the market."""
    stable = own_stable(request, season_slug, stable_slug)
    return _said(request, stable, advice.say_ready_with_crew(stable_id=stable.pk))


def _said(request: HttpRequest, stable: Stable, said: Readiness) -> HttpResponse:
    text = gettext("You are ready.") if said.ready_for else gettext("You go on shopping.")
    if said.seals:
        text = gettext("Your basket is sealed, and you are ready.")
    if said.begins:
        text = gettext("Everybody is ready: the cycle begins.")
    return answer(request, text, onward(stable, stable.season.get_absolute_url()))


def _ask(request: HttpRequest, stable: Stable, refused: SeasonRefused) -> HttpResponse:
    """Show why there is no crew, the suggested one with its price, and the way on without. Raise any other refusal."""
    if refused.code != "no_crew_for_match":
        raise refused
    context = {
        "season": stable.season,
        "stable": stable,
        "sentence": sentence(refused.code, refused.parameters, translate),
        "crew": advice.suggested_crew(stable),
    }
    return render(request, "stables/confirm_ready.html", context, status=409)
