"""The screens on which a person types a dial from a figure, on a phone: one click a screen."""

from __future__ import annotations

from typing import Any

from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import gettext
from django.views.decorators.http import require_http_methods

from catalogue.forms.dial import DialScreen
from catalogue.forms.unit import UnitForm
from catalogue.services import collections
from catalogue.views.editor import check_unit, save_unit
from rules.catalogue.dial_entry import (
    Screen,
    after,
    before,
    blank_figure,
    completed,
    ended,
    opened,
    repeated,
    screen_named,
    screen_of,
    so_far,
)
from web.crumbs import Link


@require_http_methods(["GET", "HEAD", "POST"])
@login_required
def type_dial(request: HttpRequest) -> HttpResponse:
    """Show the first screen. POST with the fields of the unit, the screen (`at`) and `do` (next, before, end, back or
    save) shows the next one, or saves the unit in a collection and redirects to its page.

    A row with problems is shown again with them (400). All that was typed stands in each page, and nothing is stored
    before it is saved.
    """
    if request.method != "POST":
        return _page(request, blank_figure(), Screen("base"))
    unit = completed(UnitForm(request.POST).definition)
    screen = opened(unit, screen_named(request.POST.get("at", "")))
    asked = request.POST.get("do", "next")
    if asked == "save":
        return save_unit(request, unit, lambda status: _page(request, unit, Screen("end"), status))
    if asked == "back":
        return _page(request, unit, before(unit, screen))
    if asked == "before":
        repeated(unit, screen)
    if screen.kind != "end" and _check(unit, screen)["problems"]:
        return _page(request, unit, screen, 400)
    return _page(request, unit, ended(unit, screen) if asked == "end" else after(screen))


def _page(request: HttpRequest, unit: dict[str, Any], screen: Screen, status: int = 200) -> HttpResponse:
    screen = opened(unit, screen)
    context = {
        "crumbs": [
            Link(gettext("Catalogue"), reverse("catalogue:index")),
            Link(gettext("Unit editor"), reverse("catalogue:editor")),
            Link(gettext("Type a dial")),
        ],
        "unit": unit,
        "at": str(screen),
        "kind": screen.kind,
        "number": screen.number + 1 if screen.kind == "click" else screen.number,
        "form": DialScreen(unit, screen),
        "own": collections.visible_to(request.user).filter(keeper_id=request.user.pk) if screen.kind == "end" else (),
    }
    if status != 200 or screen.kind == "end":
        context |= _check(unit, screen)
    return render(request, "catalogue/dial_entry.html", context, status=status)


def _check(unit: dict[str, Any], screen: Screen) -> dict[str, Any]:
    """Return what the editor's check says of a unit; of a screen of a row or the base, its own problems alone."""
    checked = check_unit(so_far(unit, screen))
    if screen.kind == "end":
        return checked
    paired = zip(checked["problems"], checked["fields"], strict=True)
    problems = [found for found, field in paired if screen_of(field) == screen]
    return {"problems": problems, "problem_count": len(problems)}
