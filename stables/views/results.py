"""Reporting, confirming, deciding and correcting results.

A report's fields are named by their paths ("units.red-1.clicks", "sides.red.tokens"). `step` is "look" to see what
would be changed, "send" (or nothing) to do it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from http import HTTPStatus
from typing import Any

from django.contrib.auth.views import redirect_to_login
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.utils.translation import gettext
from django.views.decorators.http import require_http_methods

from rules.campaign.results.reports import Contest
from rules.core.refusals import Malformed, SeasonRefused
from rules.wording import sentence
from stables.models import Fixture, FixtureSide, Stable
from stables.presenters import results
from stables.presenters.fixture import find_fixture, title_of
from stables.presenters.season_parts import home_crumb
from stables.presenters.tabletop import Tabletop
from stables.services.results import contests, corrections, outcomes, reports, result_books, rulings
from stables.text.results import effect_lines
from stables.views.frame import answer, for_people
from web.crumbs import Link
from web.reading import number_of, text_of

Fields = Mapping[str, Any]


def report_from(fields: Fields) -> dict[str, Any]:
    """Return a report from a form, its fields nested by their paths."""
    report: dict[str, Any] = {name: fields[name] for name in ("ended_by", "winner") if name in fields}
    for path, value in fields.items():
        steps = path.split(".")
        if len(steps) == 3 and steps[0] in ("sides", "units"):
            _nest(report, steps, value)
    return report


def _nest(report: dict[str, Any], steps: list[str], value: Any) -> None:
    """Put a value at its path; where something else stands already, that stays, and reading it is refused."""
    part: Any = report
    for step in steps[:-1]:
        part = part.setdefault(step, {})
        if not isinstance(part, dict):
            return
    part[steps[-1]] = value


def _for_people(view: Callable[..., HttpResponse]) -> Callable[..., HttpResponse]:
    """A page with a form: GET shows it and POST sends it, for those who are logged in."""

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
    """The form of a report and what it would change; a POST files it. `?from=table` fills in what was counted there."""
    side = _own(request, fixture)

    def send(document: Mapping[str, Any], fields: Fields) -> HttpResponse:
        filed = reports.file_report(
            fixture_id=fixture.pk, stable_id=side.stable_id, document=document, user=request.user
        )
        if filed.settled:
            told = gettext("Both reports say the same: the result is settled.")
        elif filed.differing:
            told = gettext("Your report is filed. It differs from the other one; compare them on this page.")
        else:
            told = gettext("Your report is filed. The others are asked to confirm it.")
        return answer(request, told, fixture.get_absolute_url())

    if request.GET.get("from") == "table" and request.method != "POST":
        counted = Tabletop(fixture)
        return _form(request, fixture, counted.contest, counted.report, "report", doubts=counted.doubts())
    newest = {report.stable_id: report for report in reports.newest_reports(fixture)}
    own = newest.get(side.stable_id) or next(iter(newest.values()), None)
    return _reporting(request, fixture, {} if own is None else own.document, send, "report")


@_for_people
def decide_result(request: HttpRequest, fixture: Fixture) -> HttpResponse:
    """The form in which a referee says how a match ended, with a reason; a POST settles it."""
    rulings.require_office(request.user, fixture)

    def send(document: Mapping[str, Any], fields: Fields) -> HttpResponse:
        rulings.decide(fixture_id=fixture.pk, user=request.user, document=document, reason=text_of(fields, "reason"))
        return answer(request, gettext("The result is decided and settled."), fixture.get_absolute_url())

    newest = reports.newest_reports(fixture)
    return _reporting(request, fixture, newest[0].document if newest else {}, send, "decide")


def _reporting(
    request: HttpRequest,
    fixture: Fixture,
    filled: Mapping[str, Any],
    send: Callable[[Mapping[str, Any], Fields], HttpResponse],
    purpose: str,
) -> HttpResponse:
    sides = list(fixture.sides.all())
    contest = contests.contest_of(fixture, sides)
    if request.method != "POST":
        return _form(request, fixture, contest, filled, purpose)
    fields = request.POST.dict()
    document = report_from(fields)
    if fields.get("step") != "look":
        try:
            return send(document, fields)
        except (Malformed, SeasonRefused) as problem:
            return _form(request, fixture, contest, document, purpose, problem=problem, fields=fields)
    try:
        lines = _foreseen(fixture, sides, contests.read_report(contest, document))
    except (Malformed, SeasonRefused) as problem:
        return _form(request, fixture, contest, document, purpose, problem=problem, fields=fields)
    return _form(request, fixture, contest, document, purpose, changes=lines, fields=fields)


def _foreseen(fixture: Fixture, sides: list[FixtureSide], report: Any) -> list[dict[str, Any]]:
    stables = {side.stable.number: side.stable for side in sides}
    document = contests.foreseen(fixture, sides, report)
    return outcomes.preview(document, stables, result_books.assets_of(stables.values()))


def _form(
    request: HttpRequest,
    fixture: Fixture,
    contest: Contest | None,
    filled: Mapping[str, Any],
    purpose: str,
    *,
    problem: Malformed | SeasonRefused | None = None,
    changes: list[dict[str, Any]] | None = None,
    fields: Fields | None = None,
    **more: Any,
) -> HttpResponse:
    sides = list(fixture.sides.all())
    season = fixture.round.cycle.season
    names = results.names_of(sides)
    status = HTTPStatus.OK
    if problem is not None:
        status = HTTPStatus.BAD_REQUEST if isinstance(problem, Malformed) else HTTPStatus.CONFLICT
    context = {
        "season": season,
        "fixture": fixture,
        "title": title_of(fixture, sides),
        "purpose": purpose,
        "form": None if contest is None else results.form_of(contest, sides, filled),
        "stables": [side.stable for side in sides],
        "problem": "" if problem is None else sentence(problem.code, problem.parameters, gettext, names),
        "changes": None if changes is None else effect_lines(changes),
        "reason": str((fields or {}).get("reason", "")),
        "fields": fields or {},
        "crumbs": [
            home_crumb(),
            Link(season.name, season.get_absolute_url()),
            Link(title_of(fixture, sides), fixture.get_absolute_url()),
        ],
        **more,
    }
    return render(request, "stables/report.html", context, status=status)


@for_people
def confirm_report(request: HttpRequest, season_slug: str, fixture_id: int) -> HttpResponse:
    """Say the same as the rival's report. Field: report (its number on this site)."""
    fixture = find_fixture(season_slug, fixture_id)
    side = _own(request, fixture)
    filed = reports.confirm_report(
        fixture_id=fixture.pk,
        stable_id=side.stable_id,
        report_id=number_of(request.POST.dict(), "report"),
        user=request.user,
    )
    told = gettext("The result is settled.") if filed.settled else gettext("Your word is noted; others are waited for.")
    return answer(request, told, fixture.get_absolute_url())


@for_people
def reopen_result(request: HttpRequest, season_slug: str, fixture_id: int) -> HttpResponse:
    """Open a result again that silence confirmed. Field: reason."""
    fixture = find_fixture(season_slug, fixture_id)
    side = _own(request, fixture)
    reason = rulings.reason_of(text_of(request.POST.dict(), "reason"))
    reports.reopen(fixture_id=fixture.pk, stable_id=side.stable_id, reason=reason, user=request.user)
    return answer(request, gettext("The result is open again. File your own report now."), fixture.get_absolute_url())


# Corrections -----------------------------------------------------------------------------------------------------


@_for_people
def correct_result(request: HttpRequest, fixture: Fixture) -> HttpResponse:
    """The form of a correction and what it would change; a POST with the seal of that applies it.

    Fields: kind ("void", "replace", "correct"), forfeits (numbers of stables, for "replace"), reason, seal, a report.
    """
    if not corrections.organises(request.user, fixture.round.cycle.season):
        raise PermissionDenied
    if not hasattr(fixture, "result"):
        raise SeasonRefused("result_not_settled")
    sides = list(fixture.sides.all())
    contest = results.contest_or_none(fixture, sides)
    held = fixture.result.current
    if request.method != "POST":
        has_report = contest is not None and bool(held["units"])
        filled = contests.report_of(contest, held) if contest is not None and has_report else {}
        return _form(request, fixture, contest, filled, "correct")
    fields = request.POST.dict()
    document = report_from(fields)
    try:
        wanted = _wanted(fields, document)
        if fields.get("step") == "look":
            foreseen = corrections.foresee(fixture_id=fixture.pk, wanted=wanted, user=request.user)
            changes = list(foreseen.effects)
            return _form(
                request, fixture, contest, document, "correct", changes=changes, fields=fields, seal=foreseen.seal
            )
        corrections.correct(
            fixture_id=fixture.pk,
            wanted=wanted,
            reason=text_of(fields, "reason"),
            seal=text_of(fields, "seal"),
            user=request.user,
        )
    except (Malformed, SeasonRefused) as problem:
        return _form(request, fixture, contest, document, "correct", problem=problem, fields=fields)
    return answer(request, gettext("The correction is made."), fixture.get_absolute_url())


def _wanted(fields: Fields, document: Mapping[str, Any]) -> corrections.Wanted:
    kind = text_of(fields, "kind")
    numbers = (number_of(fields, "forfeits"),) if "forfeits" in fields else ()
    return corrections.Wanted(kind, document, numbers if kind == "replace" else ())


@for_people
def waive_debt(request: HttpRequest, season_slug: str, stable_slug: str) -> HttpResponse:
    """Let a stable keep what it owes; an organiser only. Field: reason."""
    stable = get_object_or_404(Stable.objects.select_related("season"), season__slug=season_slug, slug=stable_slug)
    waived = corrections.waive_debt(
        stable_id=stable.pk, reason=text_of(request.POST.dict(), "reason"), user=request.user
    )
    sentence_told = gettext("{amount} Stones are waived.").format(amount=waived.amount)
    return answer(request, sentence_told, stable.get_absolute_url())
