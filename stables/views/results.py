"""Reporting, confirming, deciding and correcting results.

A form's `step` is "look" to see what would be changed, "send" (or nothing) to do it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from django.contrib.auth.views import redirect_to_login
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404
from django.utils.translation import gettext
from django.views.decorators.http import require_http_methods

from rules.campaign.results.reports import Contest
from rules.core.refusals import Malformed, SeasonRefused
from stables.forms.report import CorrectionForm, DecisionForm, ReportForm
from stables.models import Fixture, FixtureSide, Stable
from stables.presenters import results
from stables.presenters.fixture import find_fixture, title_of
from stables.presenters.season_parts import home_crumb
from stables.presenters.tabletop import Tabletop
from stables.services.results import contests, corrections, outcomes, reports, result_books, rulings
from stables.text.results import effect_lines
from stables.views.frame import answer, for_people
from web.crumbs import Link
from web.problems import show_again
from web.reading import number_of, text_of


def _for_people(view: Callable[..., HttpResponse]) -> Callable[..., HttpResponse]:
    """Wrap the view of a page with a form: GET shows it, POST sends it. Visitors are sent to log in."""

    def guarded(request: HttpRequest, season_slug: str, fixture_id: int) -> HttpResponse:
        if not request.user.is_authenticated:
            return redirect_to_login(request.get_full_path())
        return view(request, find_fixture(season_slug, fixture_id))

    return require_http_methods(["GET", "HEAD", "POST"])(guarded)


def _own(request: HttpRequest, fixture: Fixture) -> FixtureSide:
    for side in fixture.sides.all():
        if side.stable.owner_id == request.user.pk:
            return side
    raise PermissionDenied


# Reports ---------------------------------------------------------------------------------------------------------


@_for_people
def report_result(request: HttpRequest, fixture: Fixture) -> HttpResponse:
    """Show the form of a report and what it would change; a POST files it.

    `?from=table` fills in the counts of the table.
    """
    side = _own(request, fixture)

    def send(form: ReportForm) -> HttpResponse:
        filed = reports.file_report(
            fixture_id=fixture.pk, stable_id=side.stable_id, document=form.document, user=request.user
        )
        if filed.settled:
            text = gettext("Both reports say the same: the result is settled.")
        elif filed.differing:
            text = gettext("Your report is filed. It differs from the other one; compare them on this page.")
        else:
            text = gettext("Your report is filed. The others are asked to confirm it.")
        return answer(request, text, fixture.get_absolute_url())

    if request.GET.get("from") == "table" and request.method != "POST":
        counted = Tabletop(fixture)
        form = ReportForm(None, counted.report, counted.contest, results.names_of(fixture.sides.all()))
        return _shown(request, fixture, form, doubts=counted.doubts())
    newest = {report.stable_id: report for report in reports.newest_reports(fixture)}
    own = newest.get(side.stable_id) or next(iter(newest.values()), None)
    return _reporting(request, fixture, ReportForm, {} if own is None else own.document, send)


@_for_people
def decide_result(request: HttpRequest, fixture: Fixture) -> HttpResponse:
    """Show the form in which an organiser or a referee says how a match ended, with a reason; a POST settles it."""
    rulings.require_office(request.user, fixture)

    def send(form: ReportForm) -> HttpResponse:
        reason = text_of(form.data, "reason")
        rulings.decide(fixture_id=fixture.pk, user=request.user, document=form.document, reason=reason)
        return answer(request, gettext("The result is decided and settled."), fixture.get_absolute_url())

    newest = reports.newest_reports(fixture)
    return _reporting(request, fixture, DecisionForm, newest[0].document if newest else {}, send)


def _reporting(
    request: HttpRequest,
    fixture: Fixture,
    kind: type[ReportForm],
    given: Mapping[str, Any],
    send: Callable[[ReportForm], HttpResponse],
) -> HttpResponse:
    sides = list(fixture.sides.all())
    contest = contests.contest_of(fixture, sides)
    form = kind(_typed(request), given, contest, results.names_of(sides))
    if not form.is_bound:
        return _shown(request, fixture, form)
    try:
        if form.data.get("step") != "look":
            return send(form)
        return _shown(request, fixture, form, changes=_foreseen(fixture, sides, contest, form))
    except (Malformed, SeasonRefused) as problem:
        return _shown(request, fixture, form, problem)


def _typed(request: HttpRequest) -> Mapping[str, str] | None:
    return request.POST if request.method == "POST" else None


def _foreseen(fixture: Fixture, sides: list[FixtureSide], contest: Contest, form: ReportForm) -> list[str]:
    stables = {side.stable.number: side.stable for side in sides}
    document = contests.foreseen(fixture, sides, contests.read_report(contest, form.document))
    return effect_lines(outcomes.preview(document, stables, result_books.assets_of(stables.values())))


def _shown(
    request: HttpRequest,
    fixture: Fixture,
    form: ReportForm,
    problem: Malformed | SeasonRefused | None = None,
    **more: Any,
) -> HttpResponse:
    """Show the page of a form, with the reason on top when it was refused. `changes` are lines of what it would do."""
    sides = list(fixture.sides.all())
    season = fixture.round.cycle.season
    title = title_of(fixture, sides)
    crumbs = [
        home_crumb(),
        Link(season.name, season.get_absolute_url()),
        Link(title, fixture.get_absolute_url()),
    ]
    context = {"season": season, "fixture": fixture, "title": title, "form": form, "crumbs": crumbs, **more}
    return show_again(request, "stables/report.html", context, problem, results.names_of(sides))


@for_people
def confirm_report(request: HttpRequest, season_slug: str, fixture_id: int) -> HttpResponse:
    """Confirm a rival's report by filing its content as the reader's own. Field: report (its id)."""
    fixture = find_fixture(season_slug, fixture_id)
    side = _own(request, fixture)
    filed = reports.confirm_report(
        fixture_id=fixture.pk,
        stable_id=side.stable_id,
        report_id=number_of(request.POST.dict(), "report"),
        user=request.user,
    )
    text = gettext("The result is settled.") if filed.settled else gettext("Your word is noted; others are waited for.")
    return answer(request, text, fixture.get_absolute_url())


@for_people
def reopen_result(request: HttpRequest, season_slug: str, fixture_id: int) -> HttpResponse:
    """Reopen a result that silence confirmed. Field: reason."""
    fixture = find_fixture(season_slug, fixture_id)
    side = _own(request, fixture)
    reason = rulings.reason_of(text_of(request.POST.dict(), "reason"))
    reports.reopen(fixture_id=fixture.pk, stable_id=side.stable_id, reason=reason, user=request.user)
    return answer(request, gettext("The result is open again. File your own report now."), fixture.get_absolute_url())


# Corrections -----------------------------------------------------------------------------------------------------


@_for_people
def correct_result(request: HttpRequest, fixture: Fixture) -> HttpResponse:
    """Show the form of a correction and what it would change; a POST with the seal of this preview applies it.

    Fields: kind ("void", "replace", "correct"), forfeits (a stable's number, for "replace"), reason, seal, a report.
    """
    if not corrections.organises(request.user, fixture.round.cycle.season):
        raise PermissionDenied
    if not hasattr(fixture, "result"):
        raise SeasonRefused("result_not_settled")
    sides = list(fixture.sides.all())
    contest = results.contest_or_none(fixture, sides)
    held = fixture.result.current
    given = contests.report_of(contest, held) if contest is not None and held["units"] else {}
    stables = [side.stable for side in sides]
    form = CorrectionForm(_typed(request), given, contest, results.names_of(sides), stables)
    if not form.is_bound:
        return _shown(request, fixture, form)
    try:
        wanted = _wanted(form)
        if form.data.get("step") == "look":
            foreseen = corrections.foresee(fixture_id=fixture.pk, wanted=wanted, user=request.user)
            return _shown(request, fixture, form, changes=effect_lines(foreseen.effects), seal=foreseen.seal)
        corrections.correct(
            fixture_id=fixture.pk,
            wanted=wanted,
            reason=text_of(form.data, "reason"),
            seal=text_of(form.data, "seal"),
            user=request.user,
        )
    except (Malformed, SeasonRefused) as problem:
        return _shown(request, fixture, form, problem)
    return answer(request, gettext("The correction is made."), fixture.get_absolute_url())


def _wanted(form: CorrectionForm) -> corrections.Wanted:
    kind = text_of(form.data, "kind")
    numbers = (number_of(form.data, "forfeits"),) if "forfeits" in form.data else ()
    return corrections.Wanted(kind, form.document, numbers if kind == "replace" else ())


@for_people
def waive_debt(request: HttpRequest, season_slug: str, stable_slug: str) -> HttpResponse:
    """Waive what a stable owes; organisers only. Field: reason."""
    stable = get_object_or_404(Stable.objects.select_related("season"), season__slug=season_slug, slug=stable_slug)
    waived = corrections.waive_debt(
        stable_id=stable.pk, reason=text_of(request.POST.dict(), "reason"), user=request.user
    )
    sentence = gettext("{amount} Stones are waived.").format(amount=waived.amount)
    return answer(request, sentence, stable.get_absolute_url())
