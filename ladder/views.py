"""The ladder's page."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from ladder.selectors.ladder import house_standings, lines, shown
from web.crumbs import Link

MOST_SHOWN = 200


@require_safe
def ladder(request: HttpRequest) -> HttpResponse:
    """Show bots, and the people who want to be shown, in the order of the lower end of their strength; one query."""
    found = lines(shown()[:MOST_SHOWN])
    context = {
        "crumbs": [Link(_("Hall of champions"), reverse("stables:champions"))],
        "lines": found,
        "house": [] if found else house_standings(),
        "is_cut": len(found) == MOST_SHOWN,
        "most": MOST_SHOWN,
    }
    return render(request, "ladder/ladder.html", context)
