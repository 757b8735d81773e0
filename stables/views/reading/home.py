"""The first page: what the site is, for visitors; a desk with what waits, for a person who is logged in.

Both show only seasons that the reader may see listed (stables.selectors.access). The number of queries is constant, for
any number of seasons and matches: at most twelve for visitors, fifteen for a person who is logged in.
"""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from stables.presenters.desk import desk, landing


@require_safe
def home(request: HttpRequest) -> HttpResponse:
    """Show the landing page, or the desk of the person who is logged in."""
    if request.user.is_authenticated:
        return render(request, "stables/desk.html", desk(request.user))
    return render(request, "stables/home.html", landing(request.user))
