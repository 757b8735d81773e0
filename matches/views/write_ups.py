"""The addresses of write-ups: the form, the photo, removing one's own, taking one down."""

from __future__ import annotations

from http import HTTPStatus

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext
from django.views.decorators.http import condition, require_http_methods, require_POST, require_safe

from matches.models import Match
from matches.selectors.permissions import find_watched
from matches.services import write_ups
from matches.services.photos import LARGEST_UPLOAD
from people.models import User
from people.services.accounts import TooOften
from rules.core.refusals import Malformed, Refused
from rules.wording import sentence

PHOTO_LASTS = 300
"""Seconds for which a browser shows a photo without asking again."""


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def write_up(request: HttpRequest, subject: str) -> HttpResponse:
    """Show the form for one's own write-up (GET), or store it (POST); what is refused comes back with what was typed.

    Who did not play is refused (403); 409 while there is no result.
    """
    assert isinstance(request.user, User)
    found = write_ups.subject_for(subject, request.user)
    if not found.played:
        raise PermissionDenied
    if not found.is_over:
        raise Refused("write_up_too_early")
    own = write_ups.own_write_up(subject, request.user)
    if request.method != "POST":
        return _form(request, found, own, own.text if own else "", own.photo_told if own else "")
    sent = _sent(request)
    try:
        write_ups.write(subject, request.user, sent)
    except TooOften:
        raise
    except (Malformed, Refused) as refused:
        status = HTTPStatus.BAD_REQUEST if isinstance(refused, Malformed) else HTTPStatus.CONFLICT
        problem = sentence(refused.code, refused.parameters, gettext)
        return _form(request, found, own, sent.text, sent.caption, problem, status)
    messages.success(request, gettext("Your write-up is there."))
    return redirect(f"{found.url}#write-ups")


def _sent(request: HttpRequest) -> write_ups.Sent:
    file = request.FILES.get("photo")
    # One byte more than is allowed is enough to be refused.
    photo = None if file is None else file.read(LARGEST_UPLOAD + 1)
    return write_ups.Sent(
        text=request.POST.get("text", ""),
        photo=photo,
        caption=request.POST.get("photo_told", ""),
        without_photo="without_photo" in request.POST,
    )


def _form(
    request: HttpRequest,
    subject: write_ups.Subject,
    own: object,
    text: str,
    caption: str,
    problem: str = "",
    status: HTTPStatus = HTTPStatus.OK,
) -> HttpResponse:
    context = {
        "subject": subject,
        "own": own,
        "text": text,
        "caption": caption,
        "problem": problem,
        "longest": write_ups.LONGEST_TEXT,
        "longest_caption": write_ups.LONGEST_CAPTION,
        "megabytes": LARGEST_UPLOAD // 2**20,
    }
    return render(request, "matches/write_up.html", context, status=status)


@login_required
@require_POST
def delete(request: HttpRequest, number: int) -> HttpResponse:
    """Remove one's own write-up; for all others there is none."""
    assert isinstance(request.user, User)
    subject = write_ups.delete(number, request.user)
    messages.success(request, gettext("Your write-up is removed."))
    return redirect(f"{write_ups.subject_for(subject, request.user).url}#write-ups")


@login_required
@require_POST
def take_down(request: HttpRequest, number: int) -> HttpResponse:
    """Take a write-up down, for those who keep order there (403). Field: reason."""
    subject = write_ups.take_down(number, request.user, request.POST.get("reason", ""))
    messages.success(request, gettext("The write-up is taken down, and its author is told why."))
    return redirect(f"{write_ups.subject_for(subject, request.user).url}#write-ups")


@require_safe
def photo(request: HttpRequest, number: int, key: str = "") -> HttpResponse:
    """Show the photo of a write-up as a JPEG, for a person who may see it; below a key, of that match's write-ups."""
    match: Match | None = find_watched(request.user, None, key).match if key else None
    found = write_ups.photo_of(number, request.user, match)
    seal = write_ups.seal_of(found)

    @condition(etag_func=lambda *arguments: seal)
    def answer(request: HttpRequest) -> HttpResponse:
        response = HttpResponse(found, content_type="image/jpeg")
        response["Content-Disposition"] = f'inline; filename="write-up-{number}.jpg"'
        return response

    response = answer(request)
    # Kept by the reader's own browser alone, and not for long: it may be taken down.
    response["Cache-Control"] = f"private, max-age={PHOTO_LASTS}"
    response["X-Content-Type-Options"] = "nosniff"
    return response
