"""The page of a signed link that asks who comes: two buttons, without a log-in."""

from __future__ import annotations

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from stables.forms.coming import AnswerForm
from stables.services.running import coming


# Programs that look into mails open links: only a button answers.
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def who_comes(request: HttpRequest, token: str) -> HttpResponse:
    """Show the question of a link, or answer it (POST); whoever has the link may. Field: coming ("yes", "no").

    Raises as `asking` and `answer` of stables.services.running.coming do.
    """
    response: HttpResponse
    if request.method == "POST":
        is_coming = AnswerForm(request.POST).is_coming()
        coming.answer(token=token, is_coming=is_coming)
        said = gettext("Noted: you come.") if is_coming else gettext("Noted: you cannot come.")
        messages.success(request, said)
        response = redirect("stables:who_comes", token)
    else:
        response = render(request, "stables/who_comes.html", {"asked": coming.open_question(token)})
    # No other site learns the link. Under "no-referrer" browsers send the form without the origin that its check wants.
    response.headers["Referrer-Policy"] = "same-origin"
    return response
