"""The page on which friendly matches begin."""

from __future__ import annotations

from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_http_methods

from matches.forms import FriendlyForm
from matches.selectors.matches import open_matches_of
from matches.selectors.sides import opponents_in
from matches.services.friendly import start_friendly
from people.models import User
from rules.bots.preset_answers import ROUTINE


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def new(request: HttpRequest) -> HttpResponse:
    """Show the form and the person's open matches (GET), or begin a match and redirect to it (POST).

    400 for an invalid form, 429 for too many matches.
    """
    form = FriendlyForm(request.POST if request.method == "POST" else None)
    if form.is_bound and form.is_valid():
        assert isinstance(request.user, User)
        match = start_friendly(request.user, form.wishes, standing=ROUTINE)
        return redirect("matches:play", match.public_id)
    context = {"form": form, "open_matches": [(match, opponents_in(match)) for match in open_matches_of(request.user)]}
    return render(request, "matches/new.html", context, status=400 if form.is_bound else 200)
