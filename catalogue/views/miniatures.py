"""The photos of a person's own miniatures: the page of all of them, one photo, and removing one."""

from __future__ import annotations

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext
from django.views.decorators.http import require_POST, require_safe

from catalogue.selectors.miniatures import photo_of, photos_of
from catalogue.services.miniatures import remove_photo
from people.models import User
from web.crumbs import Link
from web.photos import send_photo


@require_safe
@login_required
def miniatures(request: HttpRequest) -> HttpResponse:
    """Show a person all photos of their miniatures, also of units that they play no more."""
    assert isinstance(request.user, User)
    title = gettext("Photos of my miniatures")
    crumbs = [Link(gettext("Catalogue"), reverse("catalogue:index")), Link(title)]
    context = {"title": title, "crumbs": crumbs, "photos": photos_of(request.user)}
    return render(request, "catalogue/miniatures.html", context)


@require_safe
@login_required
def photo(request: HttpRequest, key: str) -> HttpResponse:
    """Send a person their own photo of a unit; 404 without one."""
    return send_photo(request, photo_of(request.user.pk, key), f"{key}.jpg")


@require_POST
@login_required
def remove(request: HttpRequest, key: str) -> HttpResponse:
    """Remove a person's own photo of a unit, and redirect to the page of all. Safe to repeat."""
    assert isinstance(request.user, User)
    if remove_photo(request.user, key):
        messages.success(request, gettext("The photo is removed."))
    return redirect("catalogue:miniatures")
