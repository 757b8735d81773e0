"""A copy of a season as a draft, and the name and class of a season that has not begun; one POST each."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.urls import reverse
from django.utils.translation import gettext

from stables.forms.managing import ClassForm, NameForm
from stables.services.season import drafts
from stables.views.frame import answer, for_people, organised
from stables.views.organising.decisions import to_console


@for_people
def copy_season(request: HttpRequest, season_slug: str) -> HttpResponse:
    """Open a draft with the settings of a season; its organisers only. Field: that of NameForm."""
    season = organised(request, season_slug)
    made = drafts.copy_season(season_id=season.pk, organiser=request.user, **NameForm(request.POST).read())
    sentence = gettext("The copy is a draft. Nobody else sees it until you publish it.")
    return answer(request, sentence, reverse("stables:console", args=[made.slug]))


@for_people
def rename_season(request: HttpRequest, season_slug: str) -> HttpResponse:
    """Rename a season that has not begun; its organisers only. Field: that of NameForm."""
    season = organised(request, season_slug)
    drafts.rename_season(season_id=season.pk, actor=request.user, **NameForm(request.POST).read())
    return to_console(request, season, gettext("The season has its new name. Its address stays."))


@for_people
def change_class(request: HttpRequest, season_slug: str) -> HttpResponse:
    """Change the class of a season that nobody has joined; its organisers only. Field: that of ClassForm."""
    season = organised(request, season_slug)
    form = ClassForm(request.POST)
    with form.in_words():
        drafts.change_class(season_id=season.pk, actor=request.user, **form.read())
    return to_console(request, season, gettext("The season has its new class."))
