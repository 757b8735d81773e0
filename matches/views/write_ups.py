"""The views of write-ups: the form, the photo, removing one's own, taking one down."""

from __future__ import annotations

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from matches.forms import WriteUpForm
from matches.models import Match
from matches.selectors.permissions import find_watched
from matches.services.finished import write_ups
from people.models import User
from people.services.accounts import TooOften
from rules.core.refusals import Malformed, Refused
from web.crumbs import Link
from web.photos import send_photo
from web.problems import show_again


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def write_up(request: HttpRequest, subject: str) -> HttpResponse:
    """Show the form for one's own write-up (GET), or store it and redirect to its place on the page (POST).

    A refusal shows the form again with the typed text (400 or 409). 404 for people who may not see the subject, 403 for
    those who did not play, 409 while there is no result, 429 for too many changes.
    """
    assert isinstance(request.user, User)
    found = write_ups.subject_for(subject, request.user)
    if not found.played:
        raise PermissionDenied
    if not found.is_over:
        raise Refused("write_up_too_early")
    own = write_ups.own_write_up(subject, request.user)
    is_sent = request.method == "POST"
    form = WriteUpForm(own, request.POST if is_sent else None, request.FILES if is_sent else None)
    problem = None
    if is_sent:
        try:
            write_ups.write(subject, request.user, form.sent)
        except TooOften:
            raise
        except (Malformed, Refused) as refused:
            problem = refused
        else:
            messages.success(request, gettext("Your write-up is there."))
            return redirect(f"{found.url}#write-ups")
    context = {"crumbs": [Link(gettext("Match"), found.url)], "own": own, "form": form}
    return show_again(request, "matches/write_up.html", context, problem)


@login_required
@require_POST
def delete(request: HttpRequest, number: int) -> HttpResponse:
    """Remove one's own write-up and redirect to the page; 404 for all other people."""
    assert isinstance(request.user, User)
    subject = write_ups.delete(number, request.user)
    messages.success(request, gettext("Your write-up is removed."))
    return redirect(f"{write_ups.subject_for(subject, request.user).url}#write-ups")


@login_required
@require_POST
def take_down(request: HttpRequest, number: int) -> HttpResponse:
    """Take a write-up down (field: reason) and redirect to the page of its match or fixture.

    404 for people who may not see it, 403 for those who do not keep order on that page, 400 for a reason that is
    missing or too long.
    """
    subject = write_ups.take_down(number, request.user, request.POST.get("reason", ""))
    messages.success(request, gettext("The write-up is taken down, and its author is told why."))
    return redirect(f"{write_ups.subject_for(subject, request.user).url}#write-ups")


@require_safe
def photo(request: HttpRequest, number: int, key: str = "") -> HttpResponse:
    """Send the photo of a write-up as a JPEG to a person who may see it; 404 for others.

    With the key of a shared match, only photos of that match's write-ups are sent.
    """
    match: Match | None = find_watched(request.user, None, key).match if key else None
    found = write_ups.photo_of(number, request.user, match)
    return send_photo(request, found, f"write-up-{number}.jpg")
