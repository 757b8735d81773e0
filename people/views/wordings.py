"""The form by which a reader proposes better words for a text in their language."""

from __future__ import annotations

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import render
from django.utils.translation import get_language
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from people.forms import WordingForm
from people.models import User
from people.services import wordings
from web.languages import offer
from web.own_pages import IN_PLACE, own_page
from web.places import client_place


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def propose(request: HttpRequest) -> HttpResponse:
    """Show the form, filled with the page in the parameter `page`. A POST keeps the proposal and leads back there.

    Raises Http404 where English is the only language, and TooOften (too_often).
    """
    if len(offer.offered()) == 1:
        raise Http404
    filled = {"page": own_page(request.GET.get("page", "")) or "", "language": get_language()}
    form = WordingForm(request.POST or None, initial=filled)
    if request.method == "POST" and form.is_valid():
        user = request.user if isinstance(request.user, User) else None
        wordings.propose(place=client_place(request), user=user, **form.cleaned_data)
        messages.success(request, _("Thank you. The people who run this site will read your proposal."))
        page = form.cleaned_data["page"]
        return HttpResponseRedirect("/" if IN_PLACE in page else page or "/")
    return render(request, "people/wording.html", {"form": form})
