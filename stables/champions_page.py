"""The hall of champions: who won which season, and the records across seasons."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from stables import hall
from stables.pages import home_crumb


@require_safe
def champions(request: HttpRequest) -> HttpResponse:
    """The champions of the newest finished seasons and the records; public."""
    context = {
        "seasons": hall.champions(request.user),
        "records": hall.records(request.user),
        "counted": hall.SEASONS_COUNTED,
        "crumbs": [home_crumb()],
    }
    return render(request, "stables/champions.html", context)
