"""The unit editor: a form as large as the dials, checked as it is filled in, with a suggested price."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext
from django.views.decorators.http import require_http_methods

from catalogue.forms.unit import REAL_CLICKS, UnitForm, blank_unit, changed_unit
from catalogue.models import CatalogueEntry
from catalogue.presenters import definitions
from catalogue.presenters.dial_picture import base_view, combat_wheel, heat_wheel
from catalogue.selectors import releases
from catalogue.services import collections
from catalogue.text import labels
from catalogue.views.browsing import frame, release_asked
from rules.catalogue import Catalogue, CatalogueError, Document, Problem
from rules.catalogue.pricing import price_parts, suggested_points
from rules.catalogue.shape import base_alone
from rules.catalogue.vocabulary import CATALOGUE_SCHEMA, DIAL_VALUES
from rules.core.refusals import Malformed, Refused
from rules.core.table_units import is_table_only, with_id
from rules.core.words import HEAT_VALUES
from rules.wording import sentence
from rules.wording.isolation import name_of
from web.languages.reader import translate


@require_http_methods(["GET", "HEAD", "POST"])
@login_required
def edit(request: HttpRequest) -> HttpResponse:
    """Show the form, blank or filled with a unit (`?from=ID`, 404 when unknown). POST with `do` checks the unit, adds
    or removes a row, or saves the unit in a collection and redirects to its page.

    A unit with problems is not saved (400), nor is one for a new collection that is refused (400 or 409). A POST
    with `part=check` gets only the check, for the script that checks while a person types.
    """
    if request.method != "POST":
        return _page(request, _start(request))
    unit = UnitForm(request.POST).definition
    asked = request.POST.get("do", "check")
    unit = changed_unit(unit, asked)
    if request.POST.get("part") == "check":
        return render(request, "catalogue/editor_check.html", check_unit(unit))
    if asked == "save":
        return save_unit(request, unit, lambda status: _page(request, unit, status))
    return _page(request, unit)


def _start(request: HttpRequest) -> dict[str, Any]:
    key = request.GET.get("from")
    if not key:
        return blank_unit()
    release = release_asked(request)
    try:
        if release is None:
            raise Http404
        found = releases.entry(release, "units", key)
    except CatalogueEntry.DoesNotExist:
        raise Http404 from None
    return dict(found.definition)


def save_unit(request: HttpRequest, unit: dict[str, Any], page: Callable[[int], HttpResponse]) -> HttpResponse:
    """Save a unit in the person's `collection`, or in a `new_collection` for an `audience`, and redirect to its page.

    Return `page` of a status, with what was typed, for a unit with problems (400) or a refusal (400 or 409).
    """
    if check_unit(unit)["problems"]:
        return page(400)
    unit = with_id(base_alone(unit))
    own = collections.visible_to(request.user).filter(keeper_id=request.user.pk)
    collection = own.filter(slug=request.POST.get("collection", "")).first()
    try:
        if collection is None:
            collection = collections.collect_definition(
                name=request.POST.get("new_collection", ""),
                keeper=request.user,
                kind="units",
                definition=unit,
                audience=request.POST.get("audience", "keeper"),
            )
        else:
            collections.put_definition(collection=collection, user=request.user, kind="units", definition=unit)
    except (Malformed, Refused) as refused:
        # A dial takes minutes to type, so it stays on the page, with the refusal beside it.
        messages.error(request, sentence(refused.code, refused.parameters, translate))
        return page(400 if isinstance(refused, Malformed) else 409)
    messages.success(
        request,
        gettext("%(unit)s is in the collection %(collection)s.")
        % {"unit": name_of(unit), "collection": collection.name},
    )
    address = reverse("catalogue:unit", args=[unit["id"]])
    return redirect(f"{address}?collection={collection.slug}")


def _page(request: HttpRequest, unit: dict[str, Any], status: int = 200) -> HttpResponse:
    context = {
        **frame(request, release_asked(request), "units"),
        **check_unit(unit),
        "form": UnitForm(unit=unit),
        "dial_columns": definitions.column_names(DIAL_VALUES),
        "heat_columns": definitions.column_names(HEAT_VALUES),
        "own": collections.visible_to(request.user).filter(keeper_id=request.user.pk),
    }
    return render(request, "catalogue/editor.html", context, status=status)


def check_unit(unit: Mapping[str, Any]) -> dict[str, Any]:
    """Return the context with the problems of a unit, its suggested price (None when it has none) and, without
    problems, its pictures. A unit for real tables only has neither price nor pictures.
    """
    unit = base_alone(unit)
    problems: list[Problem] = []
    document = {"schema": CATALOGUE_SCHEMA, "units": [dict(unit)]}
    try:
        Catalogue.from_documents([Document(gettext("unit"), document)])
    except CatalogueError as error:
        problems = error.problems
    context: dict[str, Any] = {
        "problems": [(problem, "", labels.sentence(problem.code, problem.parameters)) for problem in problems],
        "problem_count": len(problems),
        "fields": [field_of(problem) for problem in problems],
        "wrong_fields": [name for problem in problems if (name := field_of(problem))],
        "unit": unit,
    }
    try:
        parts = price_parts(unit)
        suggested: int | None = suggested_points(unit)
    except (Malformed, KeyError, TypeError, ValueError):
        parts, suggested = {}, None
    context |= {
        "suggested": suggested,
        "parts": [(labels.feature(name), round(amount)) for name, amount in parts.items()],
    }
    if is_table_only(unit):
        context["no_dial"] = translate(labels.NO_DIAL)
    elif not problems:
        context |= {
            "wheel": combat_wheel(unit),
            "heat_wheel": heat_wheel(unit),
            "base_view": base_view(unit),
            "marks": definitions.marks_of(unit),
        }
    return context


def field_of(problem: Problem) -> str:
    """Return the name of the form's field that a problem is about; "" when it is about none."""
    field = problem.field or ""
    if problem.click is not None:
        return f"dial-{problem.click - 1}-{field.replace('.', '-')}" if field else ""
    if field.startswith("heat["):
        number, _, rest = field.removeprefix("heat[").partition("]")
        return f"heat-{number}-{rest.lstrip('.').replace('.', '-')}" if rest else ""
    if field == "clicks":
        return REAL_CLICKS
    return field.replace(".", "-").replace("[0]", "-0").replace("[1]", "-1")
