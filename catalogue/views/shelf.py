"""The page of a shelf that is filled from a checklist."""

from typing import Any

from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import gettext
from django.views.decorators.http import require_http_methods

from catalogue.forms.files import ChecklistForm
from catalogue.services import collections
from catalogue.services.shelves import shelve
from catalogue.text import labels
from catalogue.views.imports import refuse_file
from rules.catalogue import CatalogueError
from web.crumbs import Link

SHOWN_MISSING = 300


@require_http_methods(["GET", "HEAD", "POST"])
@login_required
def checklist(request: HttpRequest) -> HttpResponse:
    """Show a form for a checklist. POST (`file`) puts its figures on the person's shelf and shows how many were found,
    which are not in the catalogue and which rows cannot be read, or shows the problems of the file (400).

    Raises ImportRefused (shelf_full) and TooOften (too_often).
    """
    form = ChecklistForm(request.POST, request.FILES) if request.method == "POST" else ChecklistForm()
    crumbs = [Link(gettext("Catalogue"), reverse("catalogue:index")), Link(gettext("A checklist for my shelf"))]
    context: dict[str, Any] = {"crumbs": crumbs, "form": form}
    if not form.is_bound:
        return render(request, "catalogue/checklist.html", context)
    collections.count_import(request.user)
    try:
        figures, unread = form.read()
    except CatalogueError as error:
        return refuse_file(request, error, "catalogue/checklist.html", context)
    matched = shelve(user=request.user, figures=figures)
    context |= {
        "is_done": True,
        "figures": len({figure.place for figure in figures}),
        "missing": matched.missing[:SHOWN_MISSING],
        "missing_count": len(matched.missing),
        "more": max(0, len(matched.missing) - SHOWN_MISSING),
        "unread": [labels.sentence(problem.code, problem.parameters) for problem in unread],
    }
    context["found"] = context["figures"] - len(matched.missing)
    return render(request, "catalogue/checklist.html", context)
