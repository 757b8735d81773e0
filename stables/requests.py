"""Reading what people ask of seasons, and answering: a form with a redirect, JSON with JSON.

Refusals become 409 and malformed input 400 in the site's middleware.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import asdict
from datetime import datetime
from functools import wraps
from typing import Any

from django.contrib import messages
from django.contrib.auth.views import redirect_to_login
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import get_object_or_404, redirect
from django.utils import timezone
from django.views.decorators.http import require_POST

from rules.core.refusals import Malformed
from stables.models import Season, SeasonRole, Stable

View = Callable[..., HttpResponse]
ORGANISERS = ("organiser", SeasonRole.Role.CO_ORGANISER)
"""The offices that run a season."""


def wants_json(request: HttpRequest) -> bool:
    """Return whether the client sends JSON, or would rather read it than HTML."""
    if request.content_type == "application/json":
        return True
    return request.get_preferred_type(["text/html", "application/json"]) != "text/html"


def for_people(view: View) -> View:
    """Let in those who are logged in: others are sent to log in, which the site makes a 401 in JSON. POST only."""

    @wraps(view)
    def guarded(request: HttpRequest, *arguments: Any, **names: Any) -> HttpResponse:
        if not request.user.is_authenticated:
            return redirect_to_login(request.META.get("HTTP_REFERER", "/"))
        return view(request, *arguments, **names)

    return require_POST(guarded)


def read_input(request: HttpRequest) -> Mapping[str, Any]:
    """Return the fields of a form or of a JSON object. Raises Malformed (not_an_object)."""
    if request.content_type != "application/json":
        return request.POST.dict()
    try:
        document = json.loads(request.body)
    except (ValueError, RecursionError) as error:
        raise Malformed("not_an_object") from error
    if not isinstance(document, dict):
        raise Malformed("not_an_object")
    return document


def text_of(fields: Mapping[str, Any], name: str) -> str:
    value = fields.get(name, "")
    if not isinstance(value, str):
        raise Malformed("not_a_text", field=name)
    if "\0" in value:
        # PostgreSQL stores no such character and cannot look for it.
        raise Malformed("bad_field", field=name)
    return value


def given(fields: Mapping[str, Any], name: str) -> str:
    """Return a text that must be there. Raises Malformed (not_a_text, bad_field)."""
    value = text_of(fields, name)
    if not value:
        raise Malformed("bad_field", field=name)
    return value


def number_of(fields: Mapping[str, Any], name: str) -> int:
    value = fields.get(name)
    if isinstance(value, str) and value.isascii() and value.isdigit() and len(value) < 19:
        return int(value)
    if isinstance(value, int) and not isinstance(value, bool) and 0 <= value < 2**63:
        return value
    raise Malformed("not_a_number", field=name)


def yes_of(fields: Mapping[str, Any], name: str, default: bool) -> bool:
    """Return a choice of "yes" or "no", or a JSON truth value. Raises Malformed (setting_out_of_range)."""
    value = fields.get(name, default)
    if value in ("yes", "no") or isinstance(value, bool):
        return value in ("yes", True)
    raise Malformed("setting_out_of_range", setting=name, value=value)


def moment_of(fields: Mapping[str, Any], name: str) -> datetime | None:
    """Return a date and time, None when the field is empty; without an offset it is in the person's time zone.

    Raises Malformed (bad_field).
    """
    value = text_of(fields, name)
    if not value:
        return None
    try:
        found = datetime.fromisoformat(value)
        return timezone.make_aware(found) if timezone.is_naive(found) else found
    except (ValueError, OverflowError) as error:
        raise Malformed("bad_field", field=name) from error


def own_stable(request: HttpRequest, season_slug: str, stable_slug: str) -> Stable:
    """Return the stable at this address. Raises Http404 when there is none, PermissionDenied for a rival's."""
    stable = get_object_or_404(Stable.objects.select_related("season"), season__slug=season_slug, slug=stable_slug)
    if stable.owner_id is None or stable.owner_id != request.user.pk:
        raise PermissionDenied
    return stable


def organises(user: Any, season: Season) -> bool:
    """Return whether a person is the season's organiser or a co-organiser; at most one query."""
    if not user.is_authenticated:
        return False
    return season.organiser_id == user.pk or (
        SeasonRole.objects.filter(season=season, user=user, role=SeasonRole.Role.CO_ORGANISER).exists()
    )


def office_in(season: Season, user: Any) -> str:
    """Return a person's office in a season: organiser, co_organiser, referee, or ""; at most one query."""
    if not user.is_authenticated:
        return ""
    if season.organiser_id == user.pk:
        return "organiser"
    return SeasonRole.objects.filter(season=season, user=user).values_list("role", flat=True).first() or ""


def organised(request: HttpRequest, season_slug: str) -> Season:
    """Return the season at this address. Raises Http404 when there is none, PermissionDenied but for its organisers."""
    known = getattr(request, "season", None)
    season = known if isinstance(known, Season) else get_object_or_404(Season, slug=season_slug)
    if not organises(request.user, season):
        raise PermissionDenied
    return season


def answer(request: HttpRequest, outcome: Any, sentence: str, address: str, status: int = 200) -> HttpResponse:
    if wants_json(request):
        return JsonResponse(asdict(outcome) if outcome is not None else {}, status=status)
    messages.success(request, sentence)
    return redirect(address or "/")
