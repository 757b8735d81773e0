"""What organisers write: the season's own page, which everybody reads who sees the season, and messages to all."""

from __future__ import annotations

from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import gettext
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_safe

from people.services.accounts import TooOften
from rules.core.refusals import Malformed, Refused
from stables.forms.messages import MessageForm, PageForm
from stables.models import Season
from stables.presenters.season_parts import home_crumb
from stables.selectors.offices import organises
from stables.services.season import messages
from stables.views.frame import answer, organised
from stables.views.organising.decisions import to_console
from stables.views.reading.season import find_season
from web.crumbs import Link
from web.markdown import rendered
from web.problems import show_again


@require_safe
def own_page(request: HttpRequest, season_slug: str) -> HttpResponse:
    """Show the page that the organisers wrote for the season."""
    found = find_season(season_slug)
    context = {
        "season": found,
        "text": rendered(found.page),
        "is_organiser": organises(request.user, found),
        "crumbs": _crumbs(found),
    }
    return render(request, "stables/own_page.html", context)


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
@login_required
def write_page(request: HttpRequest, season_slug: str) -> HttpResponse:
    """Show the form of the season's own page, or store it (POST); organisers only. Field: that of PageForm.

    A form that is refused is shown again as it was filled in, also where somebody else has changed the page meanwhile.
    """
    season = organised(request, season_slug)
    shown = {"text": season.page, "seen": messages.seal_of(season.page)}
    form = PageForm(request.POST.dict() if request.method == "POST" else None, initial=shown)
    problem: Malformed | Refused | None = None
    if form.is_bound:
        try:
            sent = form.read()
            text = messages.write_page(
                season_id=season.pk, text=sent["text"], actor=request.user, seen=sent["seen"] or None
            )
        except (Malformed, Refused) as refused:
            problem = refused
        else:
            if not text:
                return to_console(request, season, gettext("The season has no page of its own."))
            return answer(request, gettext("The page is saved."), reverse("stables:own_page", args=[season.slug]))
    if problem is not None and problem.code == "page_changed":
        season.refresh_from_db(fields=["page"])
        form = PageForm(initial={"text": request.POST.get("text", ""), "seen": messages.seal_of(season.page)})
    context = {
        "season": season,
        "form": form,
        "is_changed": problem is not None and problem.code == "page_changed",
        "crumbs": _crumbs(season),
    }
    return show_again(request, "stables/write_page.html", context, problem)


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
@login_required
def write_to_all(request: HttpRequest, season_slug: str) -> HttpResponse:
    """Show the form of a message to all, or send it (POST); organisers only. Field: that of MessageForm.

    A form that is refused is shown again as it was filled in; too many messages within an hour are a 429.
    """
    season = organised(request, season_slug)
    form = MessageForm(request.POST.dict() if request.method == "POST" else None)
    problem: Malformed | Refused | None = None
    if form.is_bound:
        try:
            count = messages.write_to_all(season_id=season.pk, actor=request.user, **form.read())
        except (Malformed, Refused) as refused:
            problem = refused
        else:
            sentence = gettext("The message is in the log; people who got a notice: {count}.").format(count=count)
            return to_console(request, season, sentence)
    context = {"season": season, "form": form, "crumbs": _crumbs(season)}
    shown = show_again(request, "stables/write_to_all.html", context, problem)
    shown.status_code = 429 if isinstance(problem, TooOften) else shown.status_code
    return shown


def _crumbs(season: Season) -> list[Link]:
    return [home_crumb(), Link(season.name, season.get_absolute_url())]
