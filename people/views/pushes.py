"""The page on which a person lets a browser show messages when something waits for them, and ends that again."""

from __future__ import annotations

from http import HTTPStatus
from urllib.parse import urlsplit

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_http_methods, require_POST

from people.models import PushSubscription
from people.services import pushes
from people.views.frame import logged_in


@sensitive_post_parameters("endpoint", "secret")
@login_required
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def browsers(request: HttpRequest) -> HttpResponse:
    """Show the reader's browsers that get messages, and the button for this one, or why there is none.

    A POST stores this browser, by what its script put into the form. Where none can be switched on, it shows the page
    with status 409. Raises Malformed and Refused as `pushes.subscribe`.
    """
    user, why = logged_in(request), _why_not(request)
    if request.method == "POST" and not why:
        given = {name: request.POST.get(name, "") for name in ("endpoint", "public_key", "secret")}
        kept = pushes.subscribe(person=user, **given)
        messages.success(request, _("This browser now shows a message when something waits for you."))
        response = redirect("people:push")
        pushes.remember(response, kept, request.is_secure())
        return response
    own = pushes.own_browser(request)
    rows = [
        {"browser": browser, "host": urlsplit(browser.endpoint).hostname, "is_this": browser == own}
        for browser in user.push_subscriptions.order_by("-id")
    ]
    context = {"why": why, "rows": rows, "key": "" if why else pushes.public_key()}
    status = HTTPStatus.CONFLICT if request.method == "POST" else HTTPStatus.OK
    return render(request, "people/push.html", context, status=status)


def _why_not(request: HttpRequest) -> str:
    """Return why no browser can be switched on here, in a sentence; "" when one can, as far as the site knows."""
    if not pushes.are_sent():
        return _("This site sends no messages to browsers: its operator has given it no key for them.")
    if not request.is_secure():
        return _("Browsers take messages only from a page that came over https://, and this one did not.")
    return ""


@login_required
@require_POST
def end(request: HttpRequest, browser_id: int) -> HttpResponse:
    """End the messages to one of the reader's browsers, and redirect to the page of browsers; 404 for any other."""
    found = PushSubscription.objects.filter(user=logged_in(request), pk=browser_id) if browser_id < 2**63 else None
    if found is None or not found.delete()[0]:
        raise Http404
    messages.success(request, _("That browser gets no messages any more."))
    return redirect("people:push")
