"""What views share: finding the reader's own stable or season, and answering a form by a sentence and a redirect.

Refusals become 409 and malformed input 400 in the site's middleware.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any

from django.contrib import messages
from django.contrib.auth.views import redirect_to_login
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.views.decorators.http import require_POST

from stables.models import Season, Stable
from stables.selectors.offices import organises

View = Callable[..., HttpResponse]


def for_people(view: View) -> View:
    """Let in people who are logged in, and send others to log in. POST only."""

    @wraps(view)
    def guarded(request: HttpRequest, *arguments: Any, **names: Any) -> HttpResponse:
        if not request.user.is_authenticated:
            return redirect_to_login(request.META.get("HTTP_REFERER", "/"))
        return view(request, *arguments, **names)

    return require_POST(guarded)


def own_stable(request: HttpRequest, season_slug: str, stable_slug: str) -> Stable:
    """Return the reader's stable at this address. Raises Http404 without one, PermissionDenied if it is not theirs."""
    stable = get_object_or_404(Stable.objects.select_related("season"), season__slug=season_slug, slug=stable_slug)
    if stable.owner_id is None or stable.owner_id != request.user.pk:
        raise PermissionDenied
    return stable


def organised(request: HttpRequest, season_slug: str) -> Season:
    """Return the season at this address. Raises Http404 without one, PermissionDenied for anybody but organisers."""
    known = getattr(request, "season", None)
    season = known if isinstance(known, Season) else get_object_or_404(Season, slug=season_slug)
    if not organises(request.user, season):
        raise PermissionDenied
    return season


def answer(request: HttpRequest, sentence: str, address: str) -> HttpResponse:
    """Redirect to the page at `address`, which shows the sentence."""
    messages.success(request, sentence)
    return redirect(address or "/")
