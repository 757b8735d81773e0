"""The inbox of the people who run seasons."""

from __future__ import annotations

from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from stables.presenters.organising.inbox import inbox
from stables.presenters.season_parts import home_crumb


@login_required
@never_cache
@require_safe
def show(request: HttpRequest) -> HttpResponse:
    """Show what waits for a person in the seasons that they help to run; nothing for a person who helps to run none."""
    return render(request, "stables/inbox.html", {"seasons": inbox(request.user), "crumbs": [home_crumb()]})
