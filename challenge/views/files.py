"""The whole event as a file, and going on with one that another laptop wrote."""

from __future__ import annotations

from django.contrib.auth.decorators import login_required
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_safe

from challenge.documents import event_document, read_document, store_document
from challenge.forms.files import DocumentForm
from challenge.views.frame import Visit, for_gms, of_event
from rules.core.refusals import Malformed
from web.crumbs import Link
from web.problems import show_again


@require_safe
@of_event
@for_gms
def document(visit: Visit) -> HttpResponse:
    """Give the GM the whole event as one document."""
    answer = JsonResponse(event_document(visit.event), json_dumps_params={"ensure_ascii": False})
    answer.headers["Content-Disposition"] = f'attachment; filename="{visit.event.slug}.json"'
    return answer


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def go_on(request: HttpRequest) -> HttpResponse:
    """Show the form that takes a document, and store its event as one's own: then go to its page.

    A document that does not fit together shows the form again, and nothing is stored.
    """
    if getattr(request.user, "is_guest", False):
        raise PermissionDenied
    form = DocumentForm(request.POST, request.FILES) if request.method == "POST" else DocumentForm()
    problem = None
    if request.method == "POST" and form.is_valid():
        try:
            event = store_document(read_document(form.cleaned_data["file"].read()), request.user)
        except Malformed as found:
            problem = found
        else:
            return redirect("challenge:event", event.slug)
    context = {"form": form, "crumbs": [Link(_("Melee Challenge"), "/challenge/")]}
    answer = show_again(request, "challenge/go_on.html", context, problem)
    if form.is_bound and problem is None:
        answer.status_code = 400
    return answer
