"""Opening a season: the form with every setting, what it sends, and collections of units for one season."""

from __future__ import annotations

from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.urls import reverse
from django.utils.translation import gettext
from django.views.decorators.http import require_http_methods

from people.models import User
from rules.core.refusals import Malformed, Refused
from stables.forms.season import SeasonForm
from stables.models import Season
from stables.services.season import collections, opening
from stables.views.frame import answer, for_people, organised
from web.crumbs import Link
from web.problems import show_again
from web.reading import text_of


@require_http_methods(["GET", "HEAD", "POST"])
@login_required
def open_season(request: HttpRequest) -> HttpResponse:
    """Show the form to open a season. A POST opens it; a form that is refused is shown again as it was filled in.

    The form begins for a group, with ?for=alone for one person. Fields: those of SeasonForm, and draft ("yes": not
    published yet).
    """
    assert isinstance(request.user, User)
    is_alone = request.GET.get("for") == "alone"
    form = SeasonForm(request.user, request.POST.dict() if request.method == "POST" else None, is_alone=is_alone)
    problem = None
    if form.is_bound:
        try:
            return _open(request, form)
        except (Malformed, Refused) as refused:
            problem = refused
    context = {
        "form": form,
        "is_alone": is_alone,
        "drafts": Season.objects.filter(organiser=request.user, state=Season.State.DRAFT).defer("secret"),
        "crumbs": [Link(gettext("Seasons"), reverse("stables:home"))],
    }
    return show_again(request, "stables/open_season.html", context, problem)


def _open(request: HttpRequest, form: SeasonForm) -> HttpResponse:
    is_draft = request.POST.get("draft") == "yes"
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
    text = gettext("Your season is open. Found a stable in it, invite others, and start it.")
    if is_draft:
        text = gettext("Your draft is saved. Nobody else sees it until you publish it.")
    return answer(request, text, reverse("stables:season", args=[opened.slug]))


@for_people
def take_up_collection(request: HttpRequest, season_slug: str) -> HttpResponse:
    """Play a recruiting season with a collection (field `collection`, "" for none); its organisers only."""
    season = organised(request, season_slug)
    slug = str(request.POST.dict().get("collection", ""))
    collections.take_up(season_id=season.pk, organiser=request.user, slug=slug)
    return answer(request, gettext("The season plays with these units now."), season.get_absolute_url())


@for_people
def make_collection(request: HttpRequest, season_slug: str) -> HttpResponse:
    """Make a collection for this season alone (field `name`); its organisers only."""
    season = organised(request, season_slug)
    name = text_of(request.POST.dict(), "name")
    made = collections.make_for_season(season_id=season.pk, organiser=request.user, name=name)
    sentence = gettext("Send the collection a file, then take it up on the season’s page.")
    return answer(request, sentence, reverse("catalogue:collection", args=[made.slug]))
