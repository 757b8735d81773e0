"""Opening a season: the form with every setting, what it sends, and units of a season's own."""

from __future__ import annotations

from http import HTTPStatus

from django.contrib.auth.views import redirect_to_login
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import gettext
from django.views.decorators.http import require_http_methods

from people.models import User
from rules.core.refusals import Malformed, Refused
from rules.wording import sentence
from stables.forms.season import SeasonForm
from stables.models import Season
from stables.services.season import collections, opening
from stables.views.frame import answer, for_people, organised
from web.crumbs import Link
from web.reading import text_of


@require_http_methods(["GET", "HEAD", "POST"])
def open_season(request: HttpRequest) -> HttpResponse:
    """The form to open a season, for people who are logged in; a POST opens it (see `create_season`)."""
    if request.method == "POST":
        return create_season(request)
    if not request.user.is_authenticated:
        return redirect_to_login(request.get_full_path())
    return _form(request, SeasonForm(request.user))


def _form(request: HttpRequest, form: SeasonForm, problem: Malformed | Refused | None = None) -> HttpResponse:
    """The form; after a refusal with its sentence on top and everything as it was typed."""
    status = HTTPStatus.OK
    if problem is not None:
        status = HTTPStatus.BAD_REQUEST if isinstance(problem, Malformed) else HTTPStatus.CONFLICT
    context = {
        "problem": "" if problem is None else sentence(problem.code, problem.parameters, gettext),
        "form": form,
        "drafts": Season.objects.filter(organiser_id=request.user.pk, state=Season.State.DRAFT).defer("secret"),
        "crumbs": [Link(gettext("Seasons"), reverse("stables:home"))],
    }
    return render(request, "stables/open_season.html", context, status=status)


@for_people
def create_season(request: HttpRequest) -> HttpResponse:
    """Open a season with the asking person as organiser. People whose form is refused find it again as they filled it.

    Fields: those of SeasonForm, and draft ("yes": not published yet).
    """
    assert isinstance(request.user, User)
    form = SeasonForm(request.user, request.POST.dict())
    is_draft = request.POST.get("draft") == "yes"
    try:
        with form.in_words():
            settings = form.settings()
            asked = ("name", "weight_class", "ai_stables", "ai_bot", "collection", "joining", "visibility")
            opened = opening.open_for_people(
                class_order=form.class_order(len(settings["cycles"])),
                organiser=request.user,
                settings=settings,
                calendar=form.calendar(),
                is_draft=is_draft,
                **{name: form.cleaned_data[name] for name in asked},
            )
    except (Malformed, Refused) as problem:
        return _form(request, form, problem)
    told = gettext("Your season is open. Found a stable in it, invite others, and start it.")
    if is_draft:
        told = gettext("Your draft is saved. Nobody else sees it until you publish it.")
    return answer(request, told, reverse("stables:season", args=[opened.slug]))


@for_people
def take_up_collection(request: HttpRequest, season_slug: str) -> HttpResponse:
    """Play a recruiting season with a collection (field `collection`, "" for none); its organiser only."""
    season = organised(request, season_slug)
    slug = str(request.POST.dict().get("collection", ""))
    collections.take_up(season_id=season.pk, organiser=request.user, slug=slug)
    return answer(request, gettext("The season plays with these units now."), season.get_absolute_url())


@for_people
def make_collection(request: HttpRequest, season_slug: str) -> HttpResponse:
    """Make a collection for this season alone (field `name`); its organiser only."""
    season = organised(request, season_slug)
    name = text_of(request.POST.dict(), "name")
    made = collections.make_for_season(season_id=season.pk, organiser=request.user, name=name)
    sentence = gettext("Send the collection a file, then take it up on the season’s page.")
    return answer(request, sentence, reverse("catalogue:collection", args=[made.slug]))
